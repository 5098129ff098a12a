package leveldbfilter

import (
	"encoding/binary"
	"errors"
	"math/rand"
	"os"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// builtIn is goleveldb's Bloom filter.
func builtIn() filter.Filter { return filter.NewBloomFilter(10) }

// counting counts what a filter answers: goleveldb has no statistics of filters.
type counting struct {
	filter.Filter
	denied, passed, filters, bytes, keys int
}

func (c *counting) Contains(f, key []byte) bool {
	answer := c.Filter.Contains(f, key)
	if answer {
		c.passed++
	} else {
		c.denied++
	}
	return answer
}

// NewGenerator counts the filters that are made, their bytes and keys.
func (c *counting) NewGenerator() filter.FilterGenerator {
	return &countingGenerator{c.Filter.NewGenerator(), c}
}

type countingGenerator struct {
	filter.FilterGenerator
	c *counting
}

func (g *countingGenerator) Add(key []byte) {
	g.c.keys++
	g.FilterGenerator.Add(key)
}

func (g *countingGenerator) Generate(b filter.Buffer) {
	g.c.filters++
	g.FilterGenerator.Generate(&measured{b, g.c})
}

type measured struct {
	filter.Buffer
	c *counting
}

func (m *measured) Alloc(n int) []byte {
	m.c.bytes += n
	return m.Buffer.Alloc(n)
}

// options are those of a database whose tables are small, so that there are many, on several levels.
func options(f filter.Filter, known ...filter.Filter) *opt.Options {
	return &opt.Options{
		Filter: f, AltFilters: known, WriteBuffer: 64 << 10, CompactionTableSize: 16 << 10, CompactionTotalSize: 64 << 10,
		CompactionL0Trigger: 2, BlockCacheCapacity: 64 << 20,
	}
}

func open(t testing.TB, s storage.Storage, o *opt.Options) *leveldb.DB {
	t.Helper()
	db, err := leveldb.Open(s, o)
	must(t, err)
	return db
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type reader interface {
	Get(key []byte, ro *opt.ReadOptions) ([]byte, error)
}

// found is whether a key is in the database, or in one of its snapshots, and its value.
func found(t testing.TB, r reader, key []byte) (string, bool) {
	t.Helper()
	value, err := r.Get(key, nil)
	if errors.Is(err, leveldb.ErrNotFound) {
		return "", false
	}
	must(t, err)
	return string(value), true
}

// key is the i-th key: of several lengths, with bytes of every value.
func key(i int) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(i)*0x9e3779b97f4a7c15)
	return append(b, make([]byte, i%17)...)
}

// load writes keys from..to-1 with values of 100 bytes that cannot be compressed, into tables.
func load(t testing.TB, db *leveldb.DB, from, to int) {
	t.Helper()
	value := make([]byte, 100)
	r := rand.New(rand.NewSource(int64(from)))
	for i := from; i < to; i++ {
		r.Read(value)
		must(t, db.Put(key(i), value, nil))
	}
	must(t, db.CompactRange(util.Range{}))
}

// full is whether tests take the sizes of make test-full.
func full() bool { return os.Getenv("BLOOMERY_TEST_FULL") == "1" }
