package leveldbfilter

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// benchKeys is the number of keys of the benchmarks' databases: BLOOMERY_BENCH_KEYS, or 200,000.
func benchKeys() int {
	if n, err := strconv.Atoi(os.Getenv("BLOOMERY_BENCH_KEYS")); err == nil && n > 0 {
		return n
	}
	return 200_000
}

// benched are the filters beside each other.
var benched = []struct {
	name   string
	filter filter.Filter
}{{"none", nil}, {"builtin", builtIn()}, {"ours", New(10)}, {"ours8", New(8)}}

// BenchmarkGets measures Gets of absent and of present keys in databases that differ in nothing but the filter, warm: the minima of
// rounds that take turns, per Get. Time per op is of no meaning here.
//
//	go test -run - -bench Gets -benchtime 1x
func BenchmarkGets(b *testing.B) {
	n, rounds, gets := benchKeys(), 400, 250 // a round is shorter than a turn of another process
	var dbs []*leveldb.DB
	var counts []*counting
	for _, c := range benched {
		o := &opt.Options{BlockCacheCapacity: 1 << 30, WriteBuffer: 16 << 20}
		count := &counting{Filter: c.filter}
		if c.filter != nil {
			o.Filter = c.filter
			loaded := *o
			loaded.Filter = count // the database is opened again without it: counting costs time
			o = &loaded
		}
		s := storage.NewMemStorage()
		db := open(b, s, o)
		load(b, db, 0, n)
		must(b, db.Close())
		o.Filter = c.filter
		db = open(b, s, o)
		defer db.Close()
		oneLevel(b, db)
		perGet(b, db, 0, n) // every block is in the cache
		dbs, counts = append(dbs, db), append(counts, count)
	}
	best := map[string]float64{}
	for i := 0; i < b.N; i++ {
		for round := 0; round < rounds; round++ {
			for at, c := range benched {
				least(best, c.name+"-absent-ns", perGet(b, dbs[at], 1<<40, gets))
				least(best, c.name+"-present-ns", perGet(b, dbs[at], round*gets%(n-gets), gets))
			}
		}
	}
	for at, c := range benched {
		b.ReportMetric(best[c.name+"-absent-ns"], c.name+"-absent-ns")
		b.ReportMetric(best[c.name+"-present-ns"], c.name+"-present-ns")
		if counts[at].keys > 0 {
			b.ReportMetric(8*float64(counts[at].bytes)/float64(counts[at].keys), c.name+"-bits/key")
		}
	}
	b.ReportMetric(best["ours-absent-ns"]/best["builtin-absent-ns"], "ours/builtin-absent")
}

// oneLevel compacts until a Get looks into one table at most, so that databases do not differ in their levels.
func oneLevel(b *testing.B, db *leveldb.DB) {
	for try := 0; try < 10; try++ {
		must(b, db.CompactRange(util.Range{}))
		var stats leveldb.DBStats
		must(b, db.Stats(&stats))
		levels := 0
		for _, tables := range stats.LevelTablesCounts {
			if tables > 0 {
				levels++
			}
		}
		if levels <= 1 {
			return
		}
	}
	b.Fatal("tables on several levels")
}

func least(best map[string]float64, name string, v float64) {
	if old, ok := best[name]; !ok || v < old {
		best[name] = v
	}
}

func perGet(b *testing.B, db *leveldb.DB, from, gets int) float64 {
	start := time.Now()
	for i := 0; i < gets; i++ {
		if _, err := db.Get(key(from+i), nil); err != nil && err != leveldb.ErrNotFound {
			b.Fatal(err)
		}
	}
	return float64(time.Since(start)) / float64(gets)
}

// BenchmarkProbe measures a lookup in a filter of 37 and of 165 keys, the hash of the key included, and what a key costs when a filter
// is made: minima of rounds that take turns.
func BenchmarkProbe(b *testing.B) {
	keys := make([][]byte, 20_000)
	for i := range keys {
		keys[i] = key(1<<40 + 17*i + 8)
	}
	best := map[string]float64{}
	for i := 0; i < b.N; i++ {
		for round := 0; round < 40; round++ {
			for _, c := range benched[1:3] {
				for _, n := range []int{37, 165} {
					name := c.name + "-" + strconv.Itoa(n)
					g := c.filter.NewGenerator()
					var f buffer
					start := time.Now()
					for set := 0; set < 20; set++ {
						f = f[:0]
						for k := 0; k < n; k++ {
							g.Add(keys[set*n+k])
						}
						g.Generate(&f)
					}
					least(best, name+"-ns/key-built", float64(time.Since(start))/float64(20*n))
					start, passed := time.Now(), 0
					for _, k := range keys {
						if c.filter.Contains(f, k) {
							passed++
						}
					}
					least(best, name+"-ns/probe", float64(time.Since(start))/float64(len(keys)))
					if passed < n || passed > len(keys)/10 {
						b.Fatal(passed)
					}
				}
			}
		}
	}
	for name, v := range best {
		b.ReportMetric(v, name)
	}
}
