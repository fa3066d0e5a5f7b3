// Package tables publishes what the packages of this module count in the file that `offcut run` reads; spec/tables.md has
// the layout. It works only in a program that `offcut run` started, directly or not: the command sets [Variable]. Without
// that variable there is no goroutine, no file, and nothing to do when the program runs.
package tables

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Variable is the environment variable by which `offcut run` says where its folder is.
const Variable = "OFFCUT_RUN"

const (
	// Pause before the second look. Each pause is as long as the program has run until then, so the counts of a short program
	// are at most half as old as the program.
	firstPause = 10 * time.Millisecond
	// Longest pause between two looks. More saves CPU, and loses more of a program that is killed.
	longestPause = time.Second
	// The pause after a look is at least so many times as long as the look took.
	rarity = 100
	// How long [End] waits for the last account of the program's memory.
	patience = 5 * time.Second
)

// What the program says of its end.
const (
	endedAfterSearch  = 1
	endedWithinSearch = 2
)

// Row is one row of a table.
type Row struct {
	// Schema is the name of the table and below it, a line each, the name and type of its columns.
	Schema string
	// Key is the same for the same row in each look, and of no other row of the table.
	Key string
	// Values are int64, int or string, one a column.
	Values []any
}

// Look is what is known at one moment.
type Look struct {
	// Rows is all rows of all tables. A row that was there at the look before, and is not now, is removed.
	Rows []Row
	// Handles is how many handles are open; negative if the program has none of this module's.
	Handles int64
}

// Source adds what it knows now to a look.
type Source func(*Look)

// publisher is what writes the tables of this process.
type publisher struct {
	folder string
	began  time.Time
	since  func(time.Time) time.Duration
	often  sync.Once // starts the goroutine that publishes

	mu      sync.Mutex
	file    *file
	names   []string
	sources []Source
	runtime *goRuntime
	round   int
	ended   bool
}

// running is the publisher of this process; nil if the program was not started by `offcut run`.
var running = begin(os.Getenv(Variable))

// begin is the publisher for a folder of the command; nil without one, or if nothing can be written there.
func begin(folder string) *publisher {
	if folder == "" {
		return nil
	}
	return &publisher{folder: folder, began: time.Now(), since: time.Since}
}

// Register adds a source under the name of its package. It says whether anybody reads: if not, the source is never asked.
func Register(name string, source Source) bool {
	if running == nil {
		return false
	}
	if !running.register(name, source) {
		return false
	}
	running.often.Do(func() { go running.publishOften() })
	return true
}

func (p *publisher) register(name string, source Source) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return false
	}
	if p.file == nil {
		file, err := create(p.path("tables", "tables"), os.Getpid())
		if err != nil {
			// The command has ended, or is not this user's. The program runs on as without it.
			p.ended = true
			return false
		}
		p.file = file
		p.runtime = newRuntime(p)
		p.tell("go")
	}
	p.names = append(p.names, name)
	p.sources = append(p.sources, source)
	return true
}

// now is the time by a clock that never steps: when the publisher began, and what has passed since. UnixMilli of
// time.Now() follows the system's clock when somebody sets it.
func (p *publisher) now() time.Time {
	return p.began.Add(p.since(p.began))
}

func (p *publisher) path(folder, ending string) string {
	return filepath.Join(p.folder, folder, fmt.Sprintf("%d.%s", os.Getpid(), ending))
}

// tell leaves an empty file for the command, which looks for new ones.
func (p *publisher) tell(what string) {
	f, err := os.OpenFile(p.path("accounts", what), os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_ = f.Close() // it is empty
	}
}

func (p *publisher) publishOften() {
	time.Sleep(firstPause)
	for {
		began := time.Now()
		if !p.publish() {
			return
		}
		cost := time.Since(began)
		time.Sleep(max(min(time.Since(p.began), longestPause), rarity*cost))
	}
}

// Publish publishes the counts of now. Without a reader it does nothing.
func Publish() {
	if running != nil {
		running.publish()
	}
}

// publish says whether more can be published.
func (p *publisher) publish() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.publishLocked()
}

func (p *publisher) publishLocked() bool {
	if p.ended || p.file == nil {
		return false
	}
	if _, err := os.Stat(p.path("tables", "tables")); err != nil {
		p.stop() // the command has ended, and this program goes on
		return false
	}
	p.round++
	began := p.now().UnixMilli() // what was counted before this time is in the rows
	look := Look{Handles: unknown}
	for _, source := range p.sources {
		source(&look)
	}
	p.runtime.look(&look)
	for _, row := range look.Rows {
		p.file.set(row, p.round)
	}
	p.file.sweep(p.round)
	p.file.put(lookedAt, began)
	if p.file.err != nil {
		p.stop() // there is no room
	}
	return !p.ended
}

// stop publishes nothing more. The caller has the lock.
func (p *publisher) stop() {
	p.ended = true
	_ = p.file.f.Close() // nobody reads it
}

// IsRead says whether `offcut run` reads the tables.
func IsRead() bool { return running != nil && running.publish() }

// End publishes the counts of now, waits until the command has taken an account of the program's memory, and says that
// nothing more will come, and whether the search for forgotten handles came to its end.
func End(searched bool) {
	if running != nil {
		running.end(searched, patience)
	}
}

func (p *publisher) end(searched bool, patience time.Duration) {
	if !p.publish() {
		return
	}
	p.tell("ending")
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(p.path("accounts", "accounted")); err == nil {
			break
		}
		if _, err := os.Stat(p.path("accounts", "ending")); err != nil {
			break // the folder is gone, and nobody answers
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.runtime.next = time.Time{} // the last point of the series is of now
	if p.publishLocked() {
		if searched {
			p.file.put(stateAt, endedAfterSearch)
		} else {
			p.file.put(stateAt, endedWithinSearch)
		}
		p.ended = true
	}
}
