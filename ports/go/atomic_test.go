package bloomery_test

import (
	"sync"
	"testing"

	"bloomery"
)

// shared is what both filters that goroutines share have in common.
type shared interface {
	Insert(key []byte)
	InsertString(key string)
	MayContain(key []byte) bool
	MayContainString(key string) bool
}

// together lets several goroutines insert, each asking for its own keys and, at the end, for all.
func together(t *testing.T, f shared, snapshot func() bloomery.Filter) [][]byte {
	const writers = 4
	each := 400 * long
	keys := keysOf("k", writers*each)
	var wg sync.WaitGroup
	for w := 0; w < writers; w++ {
		wg.Add(1)
		go func(mine [][]byte) {
			defer wg.Done()
			for i, k := range mine {
				if i%2 == 0 {
					f.Insert(k)
				} else {
					f.InsertString(string(k))
				}
				if !f.MayContain(k) || !f.MayContainString(string(mine[i/2])) {
					t.Errorf("%q is denied while others insert", k)
					return
				}
				if i == each/2 {
					for s, k := snapshot(), mine[:i]; len(k) > 0; k = k[1:] {
						if !s.MayContain(k[0]) {
							t.Errorf("%q is not in a snapshot that was taken later", k[0])
						}
					}
				}
			}
		}(keys[w*each : (w+1)*each])
	}
	wg.Wait()
	return keys
}

func TestSharedPortable(t *testing.T) {
	for _, m := range []uint64{1, 63, 64, 65, 9586, 100003, 1<<23 + 5} {
		plain := made(t, portable(m, 7)).(*bloomery.PortableBloom)
		f, err := bloomery.MakeAtomicPortable(bloomery.PortableOptions{Bits: m, Hashes: 7})
		if err != nil || f.Bits() != m || f.Hashes() != 7 || f.SizeInBytes() != plain.SizeInBytes() {
			t.Fatal(err)
		}
		snapshot := func() bloomery.Filter {
			s, err := f.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		plain.InsertMany(together(t, f, snapshot))
		if !bloomery.Equal(plain, snapshot()) {
			t.Errorf("%d bits: not those of the plain filter", m)
		}
		again, err := bloomery.SharePortable(plain)
		if err != nil || !again.MayContain(keysOf("k", 1)[0]) {
			t.Error(err)
		}
		if s, _ := again.Snapshot(); !bloomery.Equal(plain, s) {
			t.Errorf("%d bits: sharing changes them", m)
		}
		_ = f.Close()
	}
}

func TestSharedBlock(t *testing.T) {
	for _, p := range []bloomery.Profile{bloomery.HalfLine, bloomery.Line, bloomery.TwoLines, bloomery.Lanes16} {
		for _, n := range []uint64{1, 33, 20000} {
			plain := made(t, block(p, n, bloomery.NewXXH3(3))).(*bloomery.BlockBloom)
			f, err := bloomery.MakeAtomicBlock(bloomery.BlockOptions{Profile: p, Blocks: n, Hasher: bloomery.NewXXH3(3)})
			if err != nil {
				t.Fatal(err)
			}
			snapshot := func() bloomery.Filter {
				s, err := f.Snapshot()
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			plain.InsertMany(together(t, f, snapshot))
			if !bloomery.Equal(plain, snapshot()) {
				t.Errorf("%s, %d blocks: not the bits of the plain filter", p, n)
			}
			if s, err := bloomery.ShareBlock(plain); err != nil || !s.MayContain(keysOf("k", 1)[0]) {
				t.Error(err)
			}
		}
	}
}

func TestSharedPartitioned(t *testing.T) {
	for _, slice := range []uint64{1, 13, 64, 1373, 1<<20 + 5} {
		plain := made(t, partitioned(slice, 7, bloomery.NewXXH3(3))).(*bloomery.PartitionedBloom)
		f, err := bloomery.MakeAtomicPartitioned(bloomery.PartitionedOptions{Slice: slice, Hashes: 7, Hasher: bloomery.NewXXH3(3)})
		if err != nil {
			t.Fatal(err)
		}
		snapshot := func() bloomery.Filter {
			s, err := f.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		plain.InsertMany(together(t, f, snapshot))
		if !bloomery.Equal(plain, snapshot()) {
			t.Errorf("slices of %d bits: not the bits of the plain filter", slice)
		}
		if s, err := bloomery.SharePartitioned(plain); err != nil || !s.MayContain(keysOf("k", 1)[0]) {
			t.Error(err)
		}
	}
}
