package bloomery_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"

	"bloomery"
	"bloomery/dialect"
)

// Make, insert, look up.
func Example() {
	f, err := bloomery.New(1_000_000, 0.01) // a million keys, 1 % false positives
	if err != nil {
		log.Fatal(err)
	}
	f.InsertString("alice")
	fmt.Println(f.MayContainString("alice")) // true: possibly present
	fmt.Println(f.MayContainString("bob"))   // false: definitely not present
	fmt.Println(f.TestAndAddString("alice")) // true: it was possibly present before
	fmt.Println(f)
	// Output:
	// true
	// false
	// true
	// block filter: line, 10099712 bits, 8 hashes, xxh3, sized for 1000000 keys
}

// Options set the seed, the secret, the source of keys or the profile.
func ExampleNew() {
	ids, err := bloomery.New(1000, 0.01, bloomery.WithSource(bloomery.Integers), bloomery.WithSeed(7))
	if err != nil {
		log.Fatal(err)
	}
	ids.InsertManyUint64([]uint64{42, 43})
	fmt.Println(ids.MayContainUint64(42), ids.MayContainUint64(44))
	fmt.Println(ids)

	_, err = bloomery.New(0, 0.01)
	fmt.Println(err)
	// Output:
	// true false
	// block filter: line, 10240 bits, 8 hashes, xxh3 seed 0x7 of integers, sized for 1000 keys
	// invalid_argument: a size needs keys and a rate between 0 and 1
}

// The lines of a stream, each the first time that it is seen.
func ExampleBlockBloom_TestAndAdd() {
	seen, err := bloomery.New(1_000_000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	scanner := bufio.NewScanner(strings.NewReader("a\nb\na\nc\nb\n"))
	for scanner.Scan() {
		if !seen.TestAndAdd(scanner.Bytes()) {
			fmt.Println(scanner.Text()) // definitely new; about 0.1 % of the new lines are missed
		}
	}
	// Output:
	// a
	// b
	// c
}

// A copy shares no memory with the original.
func ExampleBlockBloom_Clone() {
	f, _ := bloomery.New(1000, 0.01)
	f.InsertString("alice")
	g, err := f.Clone()
	if err != nil {
		log.Fatal(err)
	}
	g.InsertString("bob")
	fmt.Println(f.MayContainString("bob"), g.MayContainString("alice"), g.MayContainString("bob"))
	// Output: false true true
}

// An error names the file, the reason and the byte to blame; errors.Is knows the code and the system's error.
func ExampleOpen() {
	_, err := bloomery.Open("missing.bloom", bloomery.ReadOptions{})
	fmt.Println(err)
	fmt.Println(errors.Is(err, bloomery.IO), errors.Is(err, fs.ErrNotExist))
	// Output:
	// missing.bloom: io: the file could not be opened: no such file or directory
	// true true
}

// The bytes of a portable filter are the same in every language.
func ExamplePortableBloom_WriteTo() {
	f, _ := bloomery.MakePortable(bloomery.PortableOptions{Keys: 10, FPR: 0.01})
	for i := 0; i < 10; i++ {
		f.InsertString(fmt.Sprintf("k%d", i))
	}
	var b bytes.Buffer
	if _, err := f.WriteTo(&b); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", b.Bytes())

	g := new(bloomery.PortableBloom)
	if _, err := g.ReadFrom(&b); err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Bits(), "bits,", g.Hashes(), "hashes,", g.MayContainString("k3"))
	// Output:
	// 070000006000000000000000dd93738e46625dd24738197f
	// 96 bits, 7 hashes, true
}

// The format cannot keep every rate; what it cannot keep is refused, with the rate that it would have.
func ExamplePromisePortable() {
	for _, fpr := range []float64{0.01, 0.0001, 1e-9} {
		p, _ := bloomery.PromisePortable(1000, fpr)
		fmt.Printf("%g: %s, %.3g\n", fpr, p.Verdict, p.FPR)
	}
	_, err := bloomery.MakePortable(bloomery.PortableOptions{Keys: 1000, FPR: 1e-9})
	fmt.Println(errors.Is(err, bloomery.Unattainable))
	// Output:
	// 0.01: kept, 0.0102
	// 0.0001: warned, 0.000142
	// 1e-09: refused, 1.49e-05
	// true
}

// A rate is read from the bits: it is that of this filter, however it came to be.
func ExamplePortableBloom_RealisedFPR() {
	f, _ := bloomery.MakePortable(bloomery.PortableOptions{Keys: 1000, FPR: 0.01})
	for _, n := range []int{500, 1000, 3000} {
		for i := 0; i < n; i++ {
			f.InsertString(fmt.Sprintf("k%d", i))
		}
		fmt.Printf("%d keys: %.5f\n", n, f.RealisedFPR())
	}
	// Output:
	// 500 keys: 0.00031
	// 1000 keys: 0.00952
	// 3000 keys: 0.42901
}

// Many lookups at once are faster: hashes and memory do not wait for each other.
func ExamplePortableBloom_MayContainManyStrings() {
	f, _ := bloomery.MakePortable(bloomery.PortableOptions{Keys: 1000, FPR: 0.01})
	f.InsertManyStrings([]string{"alice", "bob"})
	answers := make([]bool, 3)
	n := f.MayContainManyStrings([]string{"alice", "bob", "carol"}, answers)
	fmt.Println(n, answers)
	// Output: 2 [true true false]
}

// A container has checksums. It is saved atomically and opened by mapping.
func ExampleSave() {
	dir, err := os.MkdirTemp("", "bloomery")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "users.bloom")

	f, _ := bloomery.MakeBlock(bloomery.BlockOptions{Keys: 1000, FPR: 0.01})
	f.InsertString("alice")
	if err := bloomery.Save(path, f, bloomery.Meta{Keys: 1, AskedFPR: 0.01}); err != nil {
		log.Fatal(err)
	}
	c, err := bloomery.Open(path, bloomery.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Println(c.Info.Kind, c.Filter.MayContainString("alice"), "damaged chunks:", c.Damaged)
	// Output: block true damaged chunks: 0
}

// A filter whose kind is known at run time only is asked for calls that not all kinds have.
func ExampleAs() {
	f, _ := bloomery.MakeBloom(bloomery.BloomOptions{Keys: 1000, FPR: 0.001})
	b, _ := bloomery.EncodeContainer(f, bloomery.Meta{})
	c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	in, err := bloomery.As[bloomery.AbsentInserter](c.Filter)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(in.InsertIfAbsent([]byte("alice")), in.InsertIfAbsent([]byte("alice")))
	_, err = bloomery.As[bloomery.Folder](c.Filter)
	fmt.Println(err)
	// Output:
	// true false
	// unsupported: the kind bloom does not support bloomery.Folder; kinds that do: block, split-block
}

// Goroutines insert and ask at once, without locks.
func ExampleAtomicPortable() {
	f, _ := bloomery.MakeAtomicPortable(bloomery.PortableOptions{Keys: 1000, FPR: 0.01})
	done := make(chan bool)
	for _, name := range []string{"alice", "bob"} {
		go func(name string) {
			f.InsertString(name)
			done <- f.MayContainString(name)
		}(name)
	}
	fmt.Println(<-done && <-done)
	s, _ := f.Snapshot()
	fmt.Println(s.Ones())
	// Output:
	// true
	// 14
}

// Another system's filter, in its own bytes: here the bitset of a filter of Apache Parquet.
func Example_dialect() {
	image, _ := hex.DecodeString("1262404a03200c72b084e001d282441015d202400640a48548481e20c1609020")
	f, err := dialect.Read("parquet", image, dialect.Options{Variant: "bitset"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Dialect(), f.Variant(), f.MayContain([]byte("k3")), f.MayContain([]byte("x3")))

	_, err = bloomery.DecodeContainer(image, bloomery.ReadOptions{})
	fmt.Println(err)
	// Output:
	// parquet bitset true false
	// corrupt: shorter than the header of a container (byte 32)
}

// Keys that are integers, and a reader that took them for something else.
func ExampleHasher_Of() {
	ids := bloomery.NewXXH3(0).Of(bloomery.Integers)
	f, err := bloomery.MakeBlock(bloomery.BlockOptions{Keys: 1000, FPR: 0.01, Hasher: ids})
	if err != nil {
		log.Fatal(err)
	}
	f.InsertUint64(42)
	file, err := bloomery.EncodeContainer(f, bloomery.Meta{})
	if err != nil {
		log.Fatal(err)
	}
	c, err := bloomery.DecodeContainer(file, bloomery.ReadOptions{Source: bloomery.Integers})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Filter.MayContainUint64(42), c.Filter.MayContainUint64(43))

	_, err = bloomery.DecodeContainer(file, bloomery.ReadOptions{})
	fmt.Println(err)
	// Output:
	// true false
	// incompatible: its keys are integers, and bytes were to be asked (byte 1412)
}
