//go:build linux && cgo

// Command work does one kind of work in C and prints the CPU time that it took, and what glibc had in use at its end. With
// the build tag offcut_cmemory its malloc is that of package cmemory. The measurement builds it both ways.
package main

/*
#cgo CFLAGS: -O2
#cgo LDFLAGS: -lsqlite3
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
// The part of sqlite3.h that is used here, so that the header need not be installed.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_open(const char *filename, sqlite3 **db);
int sqlite3_exec(sqlite3 *db, const char *sql, void *callback, void *arg, char **error);
int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int bytes, sqlite3_stmt **stmt, const char **tail);
int sqlite3_step(sqlite3_stmt *stmt);
int sqlite3_finalize(sqlite3_stmt *stmt);
int sqlite3_bind_int64(sqlite3_stmt *stmt, int index, long long value);

static uint64_t in_use(void) {
	struct mallinfo2 m = mallinfo2();
	return m.uordblks + m.hblkhd;
}

static uint32_t seed = 1;
static uint32_t next(void) { return seed = seed * 1664525 + 1013904223; }

// churn keeps blocks of 16 B to 2 KiB, fills each, and replaces one after the other at random.
static void churn(void **blocks, uint32_t count, uint32_t times) {
	for (uint32_t i = 0; i < times; i++) {
		uint32_t at = (next() >> 8) % count, bytes = 16 + (next() >> 8) % 2032;
		free(blocks[at]);
		blocks[at] = memset(malloc(bytes), 1, bytes);
	}
}

static void round_trips(uint32_t count) {
	for (uint32_t i = 0; i < count; i++) {
		void *p = malloc(64);
		__asm__ volatile("" : : "r"(p) : "memory");
		free(p);
	}
}

static sqlite3 *db;

static void *call(size_t bytes) { return malloc(bytes); }

// one prepares, runs and finishes a statement.
static int one(const char *sql, long long value) {
	sqlite3_stmt *s;
	if (sqlite3_prepare_v2(db, sql, -1, &s, 0)) return 1;
	sqlite3_bind_int64(s, 1, value);
	while (sqlite3_step(s) == 100) {}
	return sqlite3_finalize(s);
}

static int open_tables(void) {
	return sqlite3_open(":memory:", &db) ||
		sqlite3_exec(db, "create table t(id integer primary key, name text, n int); create index by_n on t(n); begin", 0, 0, 0);
}
*/
import "C"

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

func main() {
	work := map[string]func(){"sqlite": sqlite, "churn": churn, "calls": calls, "loop": func() { C.round_trips(20_000_000) }}[os.Args[1]]
	work()
	inUse := int(C.in_use())
	spent := cpu()
	exact, estimated := counted()
	fmt.Println(spent, inUse, exact, estimated)
}

func cpu() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// sqlite prepares, runs and finishes statements on a table in memory that grows.
func sqlite() {
	if C.open_tables() != 0 {
		panic("no database")
	}
	insert := C.CString("insert into t(name, n) values(hex(randomblob(200)), ?)")
	search := C.CString("select count(*), max(name), group_concat(id) from t where n = ?")
	for i := range 40_000 {
		if C.one(insert, C.longlong(i%1000)) != 0 || i%4 == 0 && C.one(search, C.longlong(i%1000)) != 0 {
			panic("a statement failed")
		}
	}
}

func churn() {
	const count = 200_000
	C.churn((*unsafe.Pointer)(C.calloc(count, 8)), count, 2_500_000)
}

// calls allocates and frees from Go.
func calls() {
	for range 4_000_000 {
		C.free(C.call(100))
	}
}
