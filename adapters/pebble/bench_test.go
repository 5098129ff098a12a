package pebblefilter

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// benchKeys is the number of keys of the benchmarks' databases: BLOOMERY_BENCH_KEYS, or 200,000.
func benchKeys() int {
	if n, err := strconv.Atoi(os.Getenv("BLOOMERY_BENCH_KEYS")); err == nil && n > 0 {
		return n
	}
	return 200_000
}

// benched are the policies beside each other.
var benched = []struct {
	name   string
	policy pebble.FilterPolicy
}{{"none", pebble.NoFilterPolicy}, {"builtin", builtIn}, {"ours", Policy(10)}}

// BenchmarkGets measures Gets of absent and of present keys in databases that differ in nothing but the policy, warm: the minima of
// rounds that take turns, per Get. Time per op is of no meaning here.
//
//	go test -run - -bench Gets -benchtime 1x
func BenchmarkGets(b *testing.B) {
	n, rounds, gets := benchKeys(), 400, 250 // a round is shorter than a turn of another process
	var dbs []*pebble.DB
	for _, c := range benched {
		o := unmoved(vfs.NewMem(), c.policy)
		cache := pebble.NewCache(1 << 30)
		defer cache.Unref()
		o.Cache = cache
		db := open(b, o)
		defer db.Close()
		load(b, db, 0, n)
		perGet(b, db, 0, n) // every block is in the cache
		dbs = append(dbs, db)
	}
	best := map[string]float64{}
	for i := 0; i < b.N; i++ {
		for round := 0; round < rounds; round++ {
			for at, c := range benched {
				absent := perGet(b, dbs[at], 1<<40, gets)
				present := perGet(b, dbs[at], round*gets%(n-gets), gets)
				least(best, c.name+"-absent-ns", absent)
				least(best, c.name+"-present-ns", present)
			}
		}
	}
	for at, c := range benched {
		b.ReportMetric(best[c.name+"-absent-ns"], c.name+"-absent-ns")
		b.ReportMetric(best[c.name+"-present-ns"], c.name+"-present-ns")
		bytes, entries := filterBytes(b, dbs[at])
		b.ReportMetric(8*float64(bytes)/float64(entries), c.name+"-bits/key")
	}
	b.ReportMetric(best["ours-absent-ns"]/best["builtin-absent-ns"], "ours/builtin-absent")
}

func least(best map[string]float64, name string, v float64) {
	if old, ok := best[name]; !ok || v < old {
		best[name] = v
	}
}

func perGet(b *testing.B, db *pebble.DB, from, gets int) float64 {
	start := time.Now()
	for i := 0; i < gets; i++ {
		_, closer, err := db.Get(key(from + i))
		if err == nil {
			closer.Close()
		}
	}
	return float64(time.Since(start)) / float64(gets)
}

// BenchmarkProbe measures a lookup in a filter of 100,000 keys, the hash of the key of 16 bytes included: minima of rounds that take
// turns.
func BenchmarkProbe(b *testing.B) {
	keys := make([][]byte, 20_000)
	for i := range keys {
		keys[i] = []byte(fmt.Sprintf("%016x", uint64(i)*0x9e3779b97f4a7c15))
	}
	best := map[string]float64{}
	for i := 0; i < b.N; i++ {
		for round := 0; round < 20; round++ {
			for _, c := range benched[1:] {
				w := c.policy.NewWriter(pebble.TableFilter)
				start := time.Now()
				for k := 0; k < 100_000; k++ {
					w.AddKey(key(k))
				}
				filter := w.Finish(nil)
				built := time.Since(start)
				start, passed := time.Now(), 0
				for _, k := range keys {
					if c.policy.MayContain(pebble.TableFilter, filter, k) {
						passed++
					}
				}
				if passed > len(keys)/20 {
					b.Fatal(passed)
				}
				least(best, c.name+"-ns/probe", float64(time.Since(start))/float64(len(keys)))
				least(best, c.name+"-ns/key-built", float64(built)/100_000)
			}
		}
	}
	for name, v := range best {
		b.ReportMetric(math.Round(100*v)/100, name)
	}
}
