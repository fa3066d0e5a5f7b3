/**
 * Finds out what a process's resident memory is used for, from outside and without an agent.
 *
 * <p>Start at {@link dev.offcut.resident.Accountant}. The sources of an account are in these
 * classes:
 *
 * <table>
 *   <caption>Sources</caption>
 *   <tr><th>class<th>finds
 *   <tr><td>Mapping<td>the mappings and their resident bytes, as the system reports them
 *   <tr><td>JvmRanges, Jcmd<td>the addresses of a JVM's heap, metaspace, code and tables
 *   <tr><td>Conversation<td>nothing: it ends a question to a JVM that does not answer
 *   <tr><td>Libraries<td>mapped files, and libraries that contain an allocator
 *   <tr><td>ProcessMemory, GlibcMalloc<td>arenas of malloc, by the headers of its chunks
 *   <tr><td>Allocators<td>memory of other allocators, by their own tables
 *   <tr><td>ThreadStacks<td>stacks, by the threads' stack pointers
 *   <tr><td>ControlGroup, Descriptors<td>the control group; the open file descriptors
 *   <tr><td>ProcessState<td>whether the process still runs the same program
 *   <tr><td>Claims, Sums, Part<td>which part an address belongs to, and its resident bytes
 *   <tr><td>Tally<td>how many threads or file descriptors have which name
 *   <tr><td>Account<td>the result: rows that add up to the resident memory
 *   <tr><td>AccountJson<td>accounts as text
 * </table>
 *
 * <p>The agent takes accounts inside programs that have not run this code before. There each lambda
 * and each stream costs about a millisecond of CPU when it is first used, so there is none on the
 * way of an account, and no record is compared by its own method.
 */
@NullMarked
package dev.offcut.resident;

import org.jspecify.annotations.NullMarked;
