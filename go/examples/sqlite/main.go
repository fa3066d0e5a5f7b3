// Command sqlite uses the system's SQLite through cgo, on handles: statements are children of their database. Some are
// forgotten, and the net finalizes them before the database.
//
//	go run ./examples/sqlite
//
// It needs libsqlite3 for the linker: in Debian the package libsqlite3-dev.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"offcut.dev/go/handle"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	db, err := Open(":memory:")
	if err != nil {
		return err
	}
	if err := work(db); err != nil {
		return err
	}
	held, err := db.Prepare("select count(*) from numbers")
	if err != nil {
		return err
	}
	if err := db.Close(); !errors.Is(err, handle.ErrChildren) {
		return fmt.Errorf("closing a database with an open statement: %w", err)
	}
	count, _, err := held.Int()
	if err != nil {
		return err
	}
	fmt.Println("rows:", count)
	if err := held.Close(); err != nil {
		return err
	}
	if _, _, err := held.Int(); !errors.Is(err, handle.ErrClosed) {
		return fmt.Errorf("use of a closed statement: %w", err)
	}

	const forgotten = 200
	for range forgotten {
		if _, err := db.Prepare("select n from numbers where n = ?"); err != nil {
			return err
		}
	}
	if err := forgetDatabase(); err != nil {
		return err
	}
	if !handle.Drain(time.Minute) {
		return errors.New("the net was not at rest within a minute")
	}
	if err := db.Close(); err != nil { // all its statements are gone
		return err
	}
	return report(forgotten)
}

func work(db *Database) error {
	if err := db.Exec("create table numbers (n integer primary key)"); err != nil {
		return err
	}
	insert, err := db.Prepare("insert into numbers values (?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for n := range int64(1000) {
		if _, _, err := insert.Int(n); err != nil {
			return err
		}
	}
	return nil
}

// forgetDatabase forgets a database and a statement of it.
//
//go:noinline
func forgetDatabase() error {
	db, err := Open(":memory:")
	if err != nil {
		return err
	}
	_, err = db.Prepare("select 1")
	return err
}

func report(forgotten int64) error {
	stats := handle.Stats()
	s, d := stats.Of(statements.Name()), stats.Of(databases.Name())
	fmt.Printf("statements: opened %d, closed %d, forgotten %d, open %d\n", s.Opened, s.Closed, s.Forgotten, s.Open)
	fmt.Printf("databases: opened %d, closed %d, forgotten %d, open %d\n", d.Opened, d.Closed, d.Forgotten, d.Open)
	fmt.Print(stats.LeakReport())
	if s.Forgotten != forgotten+1 || s.Open != 0 || d.Forgotten != 1 || d.Open != 0 || s.Failures+d.Failures != 0 {
		return errors.New("that is not what was forgotten")
	}
	return nil
}
