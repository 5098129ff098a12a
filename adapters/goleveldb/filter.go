// Package leveldbfilter is a filter for goleveldb, LevelDB in Go: tiny filters of bloomery in place of its Bloom filter. At 10 bits per
// key a filter is no larger than the built-in's, and its rate is 0.2 %, where that has 0.9 to 1.1 %; building takes 100 to 200 ns per
// key. README.md has the example.
//
// A LevelDB table has a filter for every 2 KiB of data, of 20 to 165 keys as a rule.
package leveldbfilter

import (
	"math"

	"github.com/syndtr/goleveldb/leveldb/filter"

	"bloomery/engine"
)

// The names of policies in tables. A table's filters are ignored by every policy of another name.
const (
	BuiltIn = "leveldb.BuiltinBloomFilter"  // goleveldb's
	LevelDB = "leveldb.BuiltinBloomFilter2" // that of LevelDB 1.23 in C++
	Own     = "bloomery.TinyFilter"
)

// maxHashes is the last byte up to which LevelDB's built-in filters take a filter as their own. The last byte of a tiny filter is
// above, which they answer with "possibly present".
const maxHashes = 30

// Filters of no keys, and of keys that no filter can be made of: eight zero bits of which one is tested, and a byte that is no
// number of hashes.
var (
	nothing    = []byte{0, 1}
	everything = []byte{0, 255}
)

type policy struct {
	name       string
	bitsPerKey int
	builtIn    filter.Filter
}

// New is a filter of so many bits per key, 1 to 28; what is outside counts as the nearer bound. A filter has at most the bytes of
// goleveldb's own from some 40 keys up; the rate is 2^-(bitsPerKey-1) from some 30 keys per filter up, and up to four times that below.
//
// It has the name of goleveldb's own, reads the filters of that, and marks its own so that goleveldb's answers "possibly present": a
// database changes both ways without a rebuild.
func New(bitsPerKey int) filter.Filter { return Named(bitsPerKey, BuiltIn) }

// Named is New under another name: LevelDB for the tables of the C++ library, whose built-in filters have the bits of goleveldb's;
// Own, which ignores the filters of others. A filter in Options.AltFilters reads the tables of its name and makes none.
func Named(bitsPerKey int, name string) filter.Filter {
	if bitsPerKey < 1 {
		bitsPerKey = 1
	}
	if bitsPerKey > engine.MaxColumns+1 {
		bitsPerKey = engine.MaxColumns + 1
	}
	return &policy{name, bitsPerKey, filter.NewBloomFilter(bitsPerKey)}
}

// columns of a filter of so many keys, and the bytes that it is to have at most: those of the built-in. A few columns less than
// bitsPerKey would cost more in reads than it saves in memory.
func (p *policy) columns(keys int) (columns, bytes int) {
	bytes = (keys*p.bitsPerKey + 7) / 8
	if bytes < 8 {
		bytes = 8
	}
	bytes++
	columns = engine.TinyColumnsWithin(keys, bytes)
	if fewest := p.bitsPerKey - 3; columns <= fewest {
		return fewest, math.MaxInt32
	}
	return columns, bytes
}

func (p *policy) Name() string { return p.name }

// Contains answers false only if the key was definitely not added: true where the bytes are neither an intact tiny filter nor, under
// the names that it shares, one of the built-in.
func (p *policy) Contains(f, key []byte) bool {
	if len(f) < 2 {
		return true
	}
	if f[len(f)-1] <= maxHashes && p.name != Own {
		return p.builtIn.Contains(f, key)
	}
	return engine.MayContainTiny(f, key)
}

func (p *policy) NewGenerator() filter.FilterGenerator {
	return &generator{engine.NewTinyWriterFor(p.columns)}
}

type generator struct{ keys *engine.TinyWriter }

func (g *generator) Add(key []byte) { g.keys.Add(key) }

func (g *generator) Generate(b filter.Buffer) {
	bytes, keys := g.keys.Bytes()
	switch {
	case keys == 0:
		bytes = nothing
	case bytes == nil:
		bytes = everything
	}
	copy(b.Alloc(len(bytes)), bytes)
}
