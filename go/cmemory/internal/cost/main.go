// Command cost measures what package cmemory costs, and how true its figures are. Run it in the module's folder:
//
//	go run ./internal/cost
//
// It builds a program with the package and without it, and runs both by turns, each in a process of its own.
package main

import (
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

const rounds = 11

func main() {
	dir, err := os.MkdirTemp("", "cost")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	tags := []string{"", "offcut_cmemory"}
	for i, tag := range tags {
		if out, err := exec.Command("go", "build", "-tags", tag, "-o", filepath.Join(dir, fmt.Sprint(i)), "./internal/cost/work").CombinedOutput(); err != nil {
			log.Fatalf("%v\n%s", err, out)
		}
	}
	fmt.Println("work    CPU ms without   with   ratio   quartiles     mallinfo2 MiB   Live     mean of the profiles, largest error")
	for _, work := range []string{"sqlite", "churn", "calls", "loop"} {
		var spent [2][]float64
		var ratios []float64
		var inUse, exact, estimated, sum, most float64
		for range rounds {
			for i := range tags {
				out, err := exec.Command(filepath.Join(dir, fmt.Sprint(i)), work).Output()
				if err != nil {
					log.Fatal(work, ": ", err)
				}
				var ns float64
				if _, err := fmt.Sscan(string(out), &ns, &inUse, &exact, &estimated); err != nil {
					log.Fatal(work, ": ", err)
				}
				spent[i] = append(spent[i], ns)
			}
			sum += estimated
			most = max(most, math.Abs(estimated/inUse-1))
			ratios = append(ratios, spent[1][len(ratios)]/spent[0][len(ratios)])
		}
		for i := range spent {
			slices.Sort(spent[i])
		}
		slices.Sort(ratios)
		fmt.Printf("%-7s %14.0f %6.0f   %.3f   %.2f, %.2f", work,
			spent[0][rounds/2]/1e6, spent[1][rounds/2]/1e6, ratios[rounds/2], ratios[rounds/4], ratios[rounds-1-rounds/4])
		if inUse > 1<<20 { // the others keep nothing
			fmt.Printf(" %14.1f   %+.2f %%   %+.2f %%, %.1f %%", inUse/(1<<20), 100*(exact/inUse-1), 100*(sum/rounds/inUse-1), 100*most)
		}
		fmt.Println()
	}
}
