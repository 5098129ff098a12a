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
			if slots := float64(8*(len(filter)-tinyTail)) / float64(columns); slots > 1.12*float64(n)+16 {
				t.Errorf("%d keys: %v slots", n, slots)
			}
		}
	}
	t.Logf("cases: engine_tiny_keys %d", cases)
}

// 37 keys and 165 keys: the sizes that LevelDB's tables give a filter.
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

// Bytes that no writer made are "possibly present", whatever their form, and lookups in any bytes do not panic.
func TestTinyHostileBytes(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	cases := 0
	try := func(b []byte, i int) {
		cases++
		if !MayContainTiny(b, key(i)) || TinyRate(b) != 1 {
			t.Fatalf("%x: a false negative", b)
		}
	}
	for i := 0; i < 200_000; i++ {
		b := make([]byte, r.Intn(60))
		r.Read(b)
		try(b, i)
	}
	for mark := 0; mark < 256; mark++ {
		for n := 0; n < 40; n++ {
			try(append(make([]byte, n), byte(mark)), 1)
		}
	}
	whole := tinyOf(t, 37, 8)
	for bit := 0; bit < 8*len(whole); bit++ {
		whole[bit/8] ^= 1 << uint(bit%8)
		for i := 0; i < 37; i++ {
			try(whole, i)
		}
		whole[bit/8] ^= 1 << uint(bit%8)
	}
	for n := range whole {
		try(whole[:n], 1)
	}
	t.Logf("cases: engine_tiny_hostile %d", cases)
}

func TestTinyColumnsWithin(t *testing.T) {
	for _, c := range [][3]int{{0, 100, 0}, {10, 5, 0}, {37, 48, 9}, {165, 208, 9}, {1, 1000, MaxColumns}} {
		if got := TinyColumnsWithin(c[0], c[1]); got != c[2] {
			t.Errorf("%d keys in %d bytes: %d columns, not %d", c[0], c[1], got, c[2])
		}
	}
}

// The vectors of spec/tiny_filter.md.
func TestTinyVectors(t *testing.T) {
	for _, c := range []struct {
		keys, columns int
		filter        string
	}{
		{1, 9, "7901108b32a8e9"},
		{8, 3, "cb14700920867be3"},
		{9, 9, "b3ddd14ecfafd4f3a0750192656098e9"},
		{37, 9, "cfbc996b7151014ad49931f7d444cb4d1d34cc1ddf24f926f4134415b2a6b4c67d96b9b0b0362e586e19e8133ac3e9"},
		{70, 2, "db10f4dbf49458480a571a5e7058fb0e2f20685f20d1e2"},
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
		{1, 9, 7, 0x15e5320f},
		{8, 9, 14, 0x35e7374e},
		{37, 9, 47, 0x9316b607},
		{165, 9, 194, 0xafa5733b},
		{3000, 27, 10505, 0xeab3cd9e},
		{100000, 6, 81233, 0xca8cc3ae},
	} {
		filter := tinyOf(t, c.keys, c.columns)
		if sum := crc32.Checksum(filter, castagnoli); len(filter) != c.length || sum != c.crc {
			t.Errorf("{%d, %d, %d, 0x%08x},", c.keys, c.columns, len(filter), sum)
		}
	}
}
