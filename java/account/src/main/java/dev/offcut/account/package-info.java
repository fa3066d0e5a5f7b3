/**
 * Who has a process's resident memory.
 *
 * <p>{@link dev.offcut.account.Accountant} is where to start reading.
 *
 * <table>
 *   <caption>Where what is known comes from</caption>
 *   <tr><td>Mapping<td>mappings and what of them is resident, from the system
 *   <tr><td>JvmRanges, Jcmd, OwnJvm<td>where a JVM has heap, metaspace, code and tables
 *   <tr><td>Libraries<td>files, and allocators inside libraries
 *   <tr><td>ProcessMemory, GlibcMalloc<td>arenas of malloc, by the headers of its chunks
 *   <tr><td>Allocators<td>what jemalloc, mimalloc and tcmalloc have, by their own tables
 *   <tr><td>ThreadStacks<td>stacks, by the threads' stack pointers
 *   <tr><td>Claims, Part<td>which address belongs to what
 *   <tr><td>Account<td>the result: rows that add up
 * </table>
 */
@NullMarked
package dev.offcut.account;

import org.jspecify.annotations.NullMarked;
