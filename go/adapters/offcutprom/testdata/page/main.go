// Command page shows the metrics of a program that forgets handles and fills a pool. test/board.sh reads its page.
//
//	go run ./testdata/page PORT
package main

import (
	"log"
	"net/http"
	"os"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"offcut.dev/go/adapters/offcutprom"
	"offcut.dev/go/handle"
	"offcut.dev/go/memory"
)

func main() {
	pool, err := memory.NewPool(memory.Config{Name: "caches", Limit: 64 << 20})
	if err != nil {
		log.Fatal(err)
	}
	answers, err := pool.Owner().Child(memory.OwnerConfig{Name: "answers", HardLimit: 60 << 20})
	if err != nil {
		log.Fatal(err)
	}
	images := handle.NewTypeOf(func(uintptr) {}, handle.Options{Name: "image"})
	go func() {
		for i := uintptr(1); ; i++ {
			images.Open(i)
			_, _ = answers.AllocateChunk(256 << 10) // refused at the limit
			if i%50 == 0 {
				runtime.GC()
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	registry := prometheus.NewRegistry()
	registry.MustRegister(offcutprom.Handles(), offcutprom.Pool(pool))
	http.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
