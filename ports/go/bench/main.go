// Bench prints one table: lookups of the portable filter beside those of bits-and-blooms/bloom, at an equal rate, in one run.
//
//	go run . [-keys 10000,1000000,10000000] [-lengths 8,16,32] [-repeats 9] [-fpr 0.01]
//
// Each row asks both libraries for the same keys in the same order. Repeats alternate between the two, so that what disturbs
// the machine disturbs both; the table has the fastest repeat, the median, and the ratio of each.
package main

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"bloomery"

	"github.com/bits-and-blooms/bloom/v3"
)

func main() {
	sizes := flag.String("keys", "10000,1000000,10000000", "numbers of keys; add 100000000 for filters that no cache holds")
	lengths := flag.String("lengths", "8,16,32", "bytes of a key")
	repeats := flag.Int("repeats", 9, "of each measurement")
	fpr := flag.Float64("fpr", 0.01, "rate of both filters")
	flag.Parse()
	fmt.Println("| keys | key | asked | call | portable, ns: min | median | bits-and-blooms: min | median | ratio: min | median |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	worst := 0.0
	for _, n := range numbers(*sizes) {
		for _, length := range numbers(*lengths) {
			if r := compare(n, length, *fpr, *repeats); r > worst {
				worst = r
			}
		}
	}
	fmt.Printf("\nworst ratio of minima: %.2f (below 1: the portable filter is faster)\n", worst)
}

func numbers(list string) (out []int) {
	for _, text := range strings.Split(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			fmt.Fprintln(os.Stderr, "bench: not a number:", text)
			os.Exit(2)
		}
		out = append(out, n)
	}
	return out
}

// asked is how many keys one measurement looks up.
const asked = 1 << 17

// text writes number i as a key of so many bytes, spread over all of them.
func text(i uint64, length int) []byte {
	b := make([]byte, length)
	x := i
	for j := range b {
		if j%8 == 0 {
			x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
			x ^= x >> 31
		}
		b[j] = "0123456789abcdefghijklmnopqrstuv"[x>>(5*(j%8))&31]
	}
	return b
}

type measured struct {
	name         string
	ours, theirs func() int
}

func compare(n, length int, fpr float64, repeats int) (worst float64) {
	ours, err := bloomery.MakePortable(bloomery.PortableOptions{Keys: uint64(n), FPR: fpr})
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	defer ours.Close()
	theirs := bloom.NewWithEstimates(uint(n), fpr)
	step := n/asked + 1
	var present, absent [][]byte
	for i := 0; i < n; i++ {
		k := text(uint64(i), length)
		ours.Insert(k)
		theirs.Add(k)
		if i%step == 0 {
			present = append(present, k)
		}
	}
	for i := 0; len(absent) < asked; i++ {
		absent = append(absent, text(uint64(1<<40+i), length))
	}
	for i := 0; len(present) < asked; i++ {
		present = append(present, present[i])
	}
	shuffle(present)
	out := make([]bool, asked)
	for _, set := range []struct {
		name string
		keys [][]byte
	}{{"present", present}, {"absent", absent}} {
		strs := make([]string, len(set.keys))
		for i, k := range set.keys {
			strs[i] = string(k)
		}
		for _, m := range []measured{
			{"[]byte", func() int { return count(set.keys, ours.MayContain) }, func() int { return count(set.keys, theirs.Test) }},
			{"string", func() int { return count(strs, ours.MayContainString) }, func() int { return count(strs, theirs.TestString) }},
			{"batch", func() int { return ours.MayContainMany(set.keys, out) }, func() int { return count(set.keys, theirs.Test) }},
		} {
			a, b := interleave(m, repeats)
			minimum := a[0] / b[0]
			fmt.Printf("| %d | %d | %s | %s | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f |\n", n, length, set.name, m.name, a[0],
				a[len(a)/2], b[0], b[len(b)/2], minimum, a[len(a)/2]/b[len(b)/2])
			if minimum > worst {
				worst = minimum
			}
		}
	}
	return worst
}

func count[K any](keys []K, look func(K) bool) int {
	n := 0
	for _, k := range keys {
		if look(k) {
			n++
		}
	}
	return n
}

// sink keeps answers alive.
var sink int

// interleave measures both sides in turn and returns sorted nanoseconds per key.
func interleave(m measured, repeats int) (ours, theirs []float64) {
	sink += m.ours() + m.theirs()
	for i := 0; i < repeats; i++ {
		ours = append(ours, nanoseconds(m.ours))
		theirs = append(theirs, nanoseconds(m.theirs))
	}
	sort.Float64s(ours)
	sort.Float64s(theirs)
	return ours, theirs
}

func nanoseconds(f func() int) float64 {
	start := time.Now()
	sink += f()
	return float64(time.Since(start).Nanoseconds()) / asked
}

// shuffle mixes keys, so that neighbours in the list are none in memory's order of insertion.
func shuffle(keys [][]byte) {
	x := uint64(1)
	for i := len(keys) - 1; i > 0; i-- {
		x = x*6364136223846793005 + 1442695040888963407
		j := int(x >> 33 % uint64(i+1))
		keys[i], keys[j] = keys[j], keys[i]
	}
}
