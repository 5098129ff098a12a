package engine

import (
	"encoding/hex"
	"hash/crc32"
	"math"
	"math/rand"
	"strconv"
	"testing"
)

func tinyOf(t *testing.T, n, columns int) []byte {
	t.Helper()
	w := NewTinyWriter(columns)
	for i := 0; i < n; i++ {
		w.Add(key(i))
	}
	filter, keys := w.Bytes()
	if keys != n || filter == nil {
		t.Fatalf("%d keys, %d columns: none", n, columns)
	}
	return filter
}

// Every key is found, the rate is 2^-columns, and a filter of n keys takes few more slots.
func TestTinyKeysAreFoundAtTheRate(t *testing.T) {
	cases := 0
	for _, columns := range []int{1, 2, 6, 9, 27} {
		for n := 1; n <= 3000; n += 1 + n/7 {
			filter := tinyOf(t, n, columns)
			for i := 0; i < n; i++ {
				if !MayContainTiny(filter, key(i)) {
					t.Fatalf("%d keys, %d columns: key %d is denied", n, columns, i)
				}
			}
			cases += n
			if slots := float64(8*(len(filter)-1)) / float64(columns); slots > 1.12*float64(n)+16 {
				t.Errorf("%d keys: %v slots", n, slots)
			}
		}
	}
	t.Logf("cases: engine_tiny_keys %d", cases)
}

// At 10 bits per key, header included, 37 keys and 165 keys: the sizes that LevelDB's tables give a filter.
func TestTinyRates(t *testing.T) {
	for _, n := range []int{37, 165} {
		passed, tried := 0, 0
		for set := 0; set < 100; set++ {
			w := NewTinyWriter(9)
			for i := 0; i < n; i++ {
				w.Add(key(set<<20 + i))
			}
			filter, _ := w.Bytes()
			for i := 0; i < 2000; i++ {
				tried++
				if MayContainTiny(filter, key(1<<40+i)) {
					passed++
				}
			}
		}
		rate := float64(passed) / float64(tried)
		t.Logf("%d keys: %.3f %%", n, 100*rate)
		if want := TinyRate(tinyOf(t, n, 9)); math.Abs(rate-want) > 6*math.Sqrt(want/float64(tried)) {
			t.Errorf("%d keys: rate %v, not %v", n, rate, want)
		}
	}
}

// Bytes that no writer makes are "possibly present", and lookups in any bytes do not panic.
func TestTinyHostileBytes(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	read := 0
	for i := 0; i < 200_000; i++ {
		b := make([]byte, r.Intn(60))
		r.Read(b)
		denied := !MayContainTiny(b, key(i))
		if tinyShapeOf(b).columns == 0 && denied {
			t.Fatalf("%x: a false negative", b)
		}
		if denied {
			read++
		}
	}
	for mark := 0; mark < 256; mark++ {
		for n := 0; n < 40; n++ {
			b := append(make([]byte, n), byte(mark))
			if inside := mark >= firstMark && mark < firstMark+tinySeeds*MaxColumns; !inside && !MayContainTiny(b, key(1)) {
				t.Fatalf("%x: a false negative", b)
			}
		}
	}
	t.Logf("cases: engine_tiny_hostile 210240, %d of them have the form of a filter and deny", read)
}

// The vectors of spec/tiny_filter.md.
func TestTinyVectors(t *testing.T) {
	for _, c := range []struct {
		keys, columns int
		filter        string
	}{
		{1, 9, "01000001010101000160"},
		{8, 3, "cb147031"},
		{9, 9, "40401c0132017f017c411c4142404e00334060"},
		{37, 9, "cfbc996b118b0a50a20e66cc3d3511969b3a6818dcf14d920f13fa09a20ac89ad21a17cf32171616362e586e1960"},
		{70, 2, "57d39ab58493aa3b1ca9942723c2d178693e28"},
	} {
		w := NewTinyWriter(c.columns)
		for i := c.keys - 1; i >= 0; i-- { // the order does not matter
			w.Add([]byte("k" + strconv.Itoa(i)))
		}
		if filter, _ := w.Bytes(); hex.EncodeToString(filter) != c.filter {
			t.Errorf("%d keys, %d columns: %x", c.keys, c.columns, filter)
		}
	}
}

// The bytes that the C++ library makes too: keys 0.. as eight bytes, big-endian; columns; length; CRC-32C of the bytes.
func TestTinyBytesAreThoseOfEveryLanguage(t *testing.T) {
	for _, c := range []struct {
		keys, columns, length int
		crc                   uint32
	}{
		{1, 9, 10, 0x1e269989},
		{8, 9, 10, 0x13b9c6f3},
		{37, 9, 46, 0x72050994},
		{165, 9, 190, 0xaf9c82bd},
		{3000, 27, 10450, 0x90c0c59e},
		{100000, 6, 79693, 0x10c7c997},
	} {
		filter := tinyOf(t, c.keys, c.columns)
		if sum := crc32.Checksum(filter, castagnoli); len(filter) != c.length || sum != c.crc {
			t.Errorf("{%d, %d, %d, 0x%08x},", c.keys, c.columns, len(filter), sum)
		}
	}
}
