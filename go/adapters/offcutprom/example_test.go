package offcutprom_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"offcut.dev/go/adapters/offcutprom"
	"offcut.dev/go/memory"
)

func Example() {
	pool, err := memory.NewPool(memory.Config{Name: "cache", Limit: 1 << 30})
	if err != nil {
		log.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(offcutprom.Handles(), offcutprom.Pool(pool))
	page := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})

	answer := httptest.NewRecorder()
	page.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for line := range strings.Lines(answer.Body.String()) {
		if strings.HasPrefix(line, "offcut_pool_") {
			fmt.Print(line)
		}
	}
	if err := pool.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// offcut_pool_committed_bytes{pool="cache"} 0
	// offcut_pool_handed_out_bytes{pool="cache"} 0
	// offcut_pool_largest_free_bytes{pool="cache"} 0
	// offcut_pool_limit_bytes{pool="cache"} 1.073741824e+09
	// offcut_pool_reserved_bytes{pool="cache"} 0
	// offcut_pool_used_bytes{pool="cache"} 0
}
