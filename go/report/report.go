// Package report says goodbye to `offcut run`: it makes the report on a program as exact at the end as it is for a JVM.
//
//	func main() {
//		defer report.End(5 * time.Second)
//		…
//	}
//
// A program that uses packages handle or memory needs no call to be reported on: under `offcut run` these packages publish
// their counts once a second, or less often if counting would take more than 1 % of the time. But Go has no hook that runs
// when a program ends. Without a call of [End], the last counts are of a moment before, and no collection has searched for
// the handles that were forgotten last. The report says so.
//
// A program that imports this package for its own sake publishes what the Go runtime says of its memory. In a program that
// `offcut run` did not start, the package does nothing.
package report

import (
	"time"

	"offcut.dev/go/handle"
	"offcut.dev/go/internal/tables"
)

// End tells `offcut run` that the program ends. It searches for forgotten handles, for limit at most, and the net releases
// them; it publishes the counts; and it waits until the command has taken an account of the program's memory, mostly some
// tenths of a second, and 5 s at most. What the program does afterwards is in no report. If the search takes longer than
// limit, as [handle.Drain] says, the report says that some handles may count as open that the program forgot.
//
// Call it at the end of main, and before [os.Exit] or log.Fatal. In a program that `offcut run` did not start, it returns
// at once.
func End(limit time.Duration) {
	if tables.IsRead() {
		tables.End(handle.Drain(limit))
	}
}

// Publish publishes the counts of now, without the pause between two publications. In a program that `offcut run` did not
// start, it does nothing.
func Publish() { tables.Publish() }
