package main

/*
#cgo LDFLAGS: -lsqlite3
#include <stdlib.h>
// The part of sqlite3.h that is used here, so that the header need not be installed.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_open(const char *filename, sqlite3 **db);
int sqlite3_close(sqlite3 *db);
const char *sqlite3_errmsg(sqlite3 *db);
int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int bytes, sqlite3_stmt **stmt, const char **tail);
int sqlite3_step(sqlite3_stmt *stmt);
int sqlite3_reset(sqlite3_stmt *stmt);
int sqlite3_bind_int64(sqlite3_stmt *stmt, int index, long long value);
long long sqlite3_column_int64(sqlite3_stmt *stmt, int column);
int sqlite3_finalize(sqlite3_stmt *stmt);
*/
import "C"

import (
	"fmt"
	"unsafe"

	"offcut.dev/go/handle"
)

// Results of SQLite.
const (
	ok   = 0
	row  = 100
	done = 101
)

var databases = handle.NewTypeOf(closeDatabase, handle.Options{
	Name:              "sqlite3",
	CloseInUse:        handle.RefuseInUse,
	CloseWithChildren: handle.RefuseChildren,
})

var statements = handle.NewTypeOf(func(s *C.sqlite3_stmt) { C.sqlite3_finalize(s) }, handle.Options{
	Name:       "sqlite3_stmt",
	CloseInUse: handle.RefuseInUse,
	Parent:     databases,
})

// closeDatabase panics if a statement is open: the net would have broken its order.
func closeDatabase(db *C.sqlite3) {
	if result := C.sqlite3_close(db); result != ok {
		panic(fmt.Sprintf("sqlite3_close: result %d: a statement outlived its database", result))
	}
}

// Database is an open database. Any goroutine may call its methods; SQLite has its own lock.
type Database struct{ handle *handle.Of[*C.sqlite3] }

// Statement is a prepared statement of a database, which it keeps open.
type Statement struct {
	database *Database
	handle   *handle.Of[*C.sqlite3_stmt]
}

// Open opens a database by its file name, or in memory by ":memory:".
func Open(name string) (*Database, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var db *C.sqlite3
	result := C.sqlite3_open(text, &db)
	if db == nil {
		return nil, fmt.Errorf("sqlite: no memory for %s", name)
	}
	d := &Database{databases.Open(db)} // also one that failed is to be closed
	if result != ok {
		err := d.failure(db, "open "+name)
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

// Close closes the database. If statements are open, it fails, and the error says how many.
func (d *Database) Close() error { return d.handle.Close() }

// Prepare makes a statement. The caller closes it.
func (d *Database) Prepare(sql string) (*Statement, error) {
	text := C.CString(sql)
	defer C.free(unsafe.Pointer(text))
	db, err := d.handle.BeginUse()
	if err != nil {
		return nil, err
	}
	defer d.handle.EndUse()
	var stmt *C.sqlite3_stmt
	if C.sqlite3_prepare_v2(db, text, -1, &stmt, nil) != ok {
		return nil, d.failure(db, sql)
	}
	h, err := statements.OpenChild(d.handle, stmt)
	if err != nil {
		C.sqlite3_finalize(stmt) // still ours
		return nil, err
	}
	return &Statement{d, h}, nil
}

// Exec runs a statement that returns no rows.
func (d *Database) Exec(sql string) error {
	s, err := d.Prepare(sql)
	if err != nil {
		return err
	}
	defer s.Close()
	_, _, err = s.Int()
	return err
}

// Close finalizes the statement.
func (s *Statement) Close() error { return s.handle.Close() }

// Int binds the parameters, runs the statement to its first row, and returns the first column.
func (s *Statement) Int(parameters ...int64) (value int64, found bool, err error) {
	useErr := s.handle.With(func(stmt *C.sqlite3_stmt) {
		defer C.sqlite3_reset(stmt)
		for i, parameter := range parameters {
			if result := C.sqlite3_bind_int64(stmt, C.int(i+1), C.longlong(parameter)); result != ok {
				err = fmt.Errorf("sqlite: binding parameter %d: result %d", i+1, result)
				return
			}
		}
		switch result := C.sqlite3_step(stmt); result {
		case row:
			value, found = int64(C.sqlite3_column_int64(stmt, 0)), true
		case done:
		default:
			err = fmt.Errorf("sqlite: step: result %d", result)
		}
	})
	if useErr != nil {
		return 0, false, useErr
	}
	return value, found, err
}

func (d *Database) failure(db *C.sqlite3, what string) error {
	return fmt.Errorf("sqlite: %s: %s", what, C.GoString(C.sqlite3_errmsg(db)))
}
