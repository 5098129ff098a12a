package engine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand"
	"testing"

	"bloomery"
)

func clone(b []byte) []byte { return append([]byte(nil), b...) }

func key(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }

func filterOf(t *testing.T, n int, bits float64) []byte {
	t.Helper()
	w := NewWriter(bits)
	for i := 0; i < n; i++ {
		w.Add(key(i))
	}
	return w.Append(nil)
}

// Every key is found, the size is the predicted one, and the rate is that of the model, whatever the bits per key.
func TestKeysAreFoundAtTheRate(t *testing.T) {
	cases := 0
	for _, bits := range []float64{-1, 1, 3, 8, 8.5, 10, 12.5, 18, 20, 1000} {
		for _, n := range []int{0, 1, 2, 50, 1000, 20000} {
			filter := filterOf(t, n, bits)
			if len(filter) != Size(n, bits) {
				t.Errorf("%d keys, %v bits: %d bytes, not %d", n, bits, len(filter), Size(n, bits))
			}
			f, err := Open(filter)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < n; i++ {
				if !MayContain(filter, key(i)) {
					t.Fatalf("%d keys, %v bits: key %d is denied", n, bits, i)
				}
			}
			cases += n
			passed, tried := 0, 20000
			for i := 0; i < tried; i++ {
				if MayContain(filter, key(1<<40+i)) {
					passed++
				}
			}
			// Six standard deviations of the count, and one key.
			want := f.RealisedFPR() * float64(tried)
			if d := float64(passed) - want; d*d > 36*want+1 {
				t.Errorf("%d keys, %v bits: %d false positives, not about %.1f", n, bits, passed, want)
			}
		}
	}
	t.Logf("cases: engine_keys %d", cases)
}

// At 10 bits per key a table of 20,000 keys has at most 1.1 % false positives (the model's 1.05 %).
func TestRateAtTenBits(t *testing.T) {
	f, err := Open(filterOf(t, 20000, 10))
	if err != nil {
		t.Fatal(err)
	}
	if r := f.RealisedFPR(); r > 0.011 || r < 0.009 {
		t.Errorf("%.4f", r)
	}
	if f.Profile() != bloomery.Line {
		t.Error(f.Profile())
	}
}

// A writer is reused, and keys that follow each other count once.
func TestWriterForgets(t *testing.T) {
	w := NewWriter(10)
	w.Add(key(1))
	w.Add(key(1))
	first := w.Append([]byte("before"))
	if string(first[:6]) != "before" || !bytes.Equal(first[6:], filterOf2(t, key(1))) {
		t.Error("another filter behind other bytes")
	}
	w.Add(key(2))
	if second := w.Append(nil); !bytes.Equal(second, filterOf2(t, key(2))) {
		t.Error("the second filter holds more than its key")
	}
}

func filterOf2(t *testing.T, k []byte) []byte {
	w := NewWriter(10)
	w.Add(k)
	return w.Append(nil)
}

// Bytes that are no filter answer "possibly present", and Open refuses them: random ones, cut ones, longer ones, and every value of
// every byte of the trailer behind the checksum, which only Open checks.
func TestHostileBytesArePossiblyPresent(t *testing.T) {
	good := filterOf(t, 500, 10)
	absent := key(1 << 50)
	for i := 1 << 50; MayContain(good, absent); i++ {
		absent = key(i)
	}
	cases := 0
	try := func(b []byte) {
		t.Helper()
		cases++
		if !MayContain(b, absent) {
			t.Errorf("denied by these %d bytes: %x", len(b), b)
		}
		if _, err := Open(b); !errors.Is(err, bloomery.Corrupt) {
			t.Errorf("opened: %v", err)
		}
	}
	r := rand.New(rand.NewSource(1))
	for i := 0; i < 20000; i++ {
		b := make([]byte, r.Intn(300))
		r.Read(b)
		try(b)
	}
	for n := 0; n < len(good); n++ {
		try(good[:n])
		try(good[len(good)-n:])
	}
	try(append([]byte{0}, good...))
	try(append(clone(good), 0))
	for at := len(good) - 9; at < len(good); at++ {
		for v := 0; v < 256; v++ {
			b := clone(good)
			if b[at] == byte(v) || at == len(good)-4 && v == int(bloomery.TwoLines) {
				continue // the other profile with blocks of this size: only the checksum shows it
			}
			b[at] = byte(v)
			try(b)
		}
	}
	t.Logf("cases: engine_hostile %d", cases)
}

// Every flipped bit is refused by Open.
func TestFlippedBitsAreRefused(t *testing.T) {
	good := filterOf(t, 40, 10)
	for bit := 0; bit < 8*len(good); bit++ {
		b := clone(good)
		b[bit/8] ^= 1 << (bit % 8)
		if _, err := Open(b); err == nil {
			t.Errorf("bit %d", bit)
		}
	}
}

func TestLookupsDoNotAllocate(t *testing.T) {
	filter, k := filterOf(t, 500, 10), key(7)
	if n := testing.AllocsPerRun(100, func() { MayContain(filter, k) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMayContain(b *testing.B) {
	w := NewWriter(10)
	for i := 0; i < 100000; i++ {
		w.Add(key(i))
	}
	filter := w.Append(nil)
	k := key(0)
	for i := 0; i < b.N; i++ {
		binary.BigEndian.PutUint64(k, uint64(i)<<20)
		MayContain(filter, k)
	}
}

// The bytes that the port to Rust makes too (spec/table_filter.md): keys 0.. as eight bytes, big-endian; bits per key; length;
// CRC-32C of the bytes.
func TestBytesAreThoseOfEveryLanguage(t *testing.T) {
	for _, c := range []struct {
		keys   int
		bits   float64
		length int
		crc    uint32
	}{
		{0, 10, 77, 0xd970fb01},
		{1, 4, 45, 0x924d3a98},
		{50, 10, 77, 0x3b7f95d2},
		{1000, 8.25, 1069, 0x67acc221},
		{1000, 20, 2573, 0xef25fc87},
		{12345, 10, 15501, 0x3d38aa35},
	} {
		filter := filterOf(t, c.keys, c.bits)
		if sum := crc32.Checksum(filter, castagnoli); len(filter) != c.length || sum != c.crc {
			t.Errorf("{%d, %v, %d, 0x%08x},", c.keys, c.bits, len(filter), sum)
		}
	}
}
