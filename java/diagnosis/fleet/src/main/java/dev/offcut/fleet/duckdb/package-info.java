/** DuckDB: what writes Parquet, and what answers questions by default. */
@NullMarked
package dev.offcut.fleet.duckdb;

import org.jspecify.annotations.NullMarked;
