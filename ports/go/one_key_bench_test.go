package bloomery

import (
	"fmt"
	"strings"
	"testing"
)

// What one call with one key costs: go test -run '^$' -bench OneKey -benchtime 10000000x -count 5
//
// Filters of a million keys at 1 %. The keys are a power of two of them, in an order that no filter knows, and lie in one array: no
// key has to be fetched from memory. Hash rows are the same call without a hash. Peers are in bench/, a module of its own.

const benchKeys = 1 << 16

type benchSet struct {
	numbers []uint64
	texts   []string // of 16 bytes
	bytes   [][]byte
}

func benchSetFrom(first uint64) benchSet {
	var s benchSet
	var all strings.Builder
	for i := uint64(0); i < benchKeys; i++ {
		x := (first + i + 1) * 0x9e3779b97f4a7c15
		x ^= x >> 29
		s.numbers = append(s.numbers, x)
		fmt.Fprintf(&all, "%016x", x)
	}
	text, bytes := all.String(), []byte(all.String())
	for i := 0; i < benchKeys; i++ {
		s.texts = append(s.texts, text[16*i:16*i+16])
		s.bytes = append(s.bytes, bytes[16*i:16*i+16])
	}
	return s
}

var benchSink int

func countTrue[K any](b *testing.B, keys []K, ask func(K) bool) {
	n := 0
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if ask(keys[i%benchKeys]) {
			n++
		}
	}
	benchSink += n
}

func each[K any](b *testing.B, keys []K, do func(K)) {
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		do(keys[i%benchKeys])
	}
}

func BenchmarkOneKey(b *testing.B) {
	there, absent := benchSetFrom(0), benchSetFrom(1<<40)
	block := func(s Source) *BlockBloom {
		f, err := MakeBlock(BlockOptions{Keys: benchKeys, FPR: 0.01, Hasher: NewXXH3(7).Of(s)})
		if err != nil {
			b.Fatal(err)
		}
		return f
	}
	ids, names := block(Integers), block(Bytes)
	defer ids.Close()
	defer names.Close()
	b.Run("uint64/insert", func(b *testing.B) {
		b.ResetTimer()
		for i := 0; i < b.N; i++ {
			ids.InsertUint64(there.numbers[i%benchKeys])
		}
	})
	for i, x := range there.numbers {
		ids.InsertUint64(x)
		names.InsertString(there.texts[i])
	}
	b.Run("uint64/present", func(b *testing.B) {
		n := 0
		for i := 0; i < b.N; i++ {
			if ids.MayContainUint64(there.numbers[i%benchKeys]) {
				n++
			}
		}
		benchSink += n
	})
	b.Run("uint64/absent", func(b *testing.B) {
		n := 0
		for i := 0; i < b.N; i++ {
			if ids.MayContainUint64(absent.numbers[i%benchKeys]) {
				n++
			}
		}
		benchSink += n
	})
	b.Run("string16/insert", func(b *testing.B) { each(b, there.texts, names.InsertString) })
	b.Run("string16/present", func(b *testing.B) {
		n := 0
		for i := 0; i < b.N; i++ {
			if names.MayContainString(there.texts[i%benchKeys]) {
				n++
			}
		}
		benchSink += n
	})
	b.Run("string16/absent", func(b *testing.B) { countTrue(b, absent.texts, names.MayContainString) })
	b.Run("bytes16/absent", func(b *testing.B) { countTrue(b, absent.bytes, names.MayContain) })
	b.Run("hash/insert", func(b *testing.B) { each(b, there.numbers, names.InsertHash) })
	b.Run("hash/absent", func(b *testing.B) { countTrue(b, absent.numbers, names.MayContainHash) })
	var any Filter = ids
	b.Run("uint64/absent/interface", func(b *testing.B) { countTrue(b, absent.numbers, any.MayContainUint64) })
	out := make([]bool, 1024)
	b.Run("string16/absent/batch", func(b *testing.B) {
		for i := 0; i < b.N; i += 1024 {
			benchSink += names.MayContainManyStrings(absent.texts[i%benchKeys:i%benchKeys+1024], out)
		}
	})
}
