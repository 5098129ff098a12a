package bloomery_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"bloomery"
)

// outcome of a damaged container: refused with a place, or read, with the damage reported and no key denied.
func (s sample) survives(t testing.TB, what string, bit int, c *bloomery.Container, err error) (refused bool) {
	t.Helper()
	if err != nil {
		var e *bloomery.Error
		if !errors.As(err, &e) || e.Offset > int64(len(s.bytes)) || e.Offset < 0 && e.Code != bloomery.InvalidArgument {
			t.Fatalf("%s, %s bit %d: a refusal without a place: %v", s.name, what, bit, err)
		}
		return true
	}
	if c.Damaged == 0 {
		t.Fatalf("%s, %s bit %d: read as if it were whole", s.name, what, bit)
	}
	if key := s.denied(c); key != "" {
		t.Fatalf("%s, %s bit %d: %q is denied", s.name, what, bit, key)
	}
	return false
}

// Every bit of a small container of every kind: none makes a filter deny a key, all are reported.
func TestEveryFlippedBit(t *testing.T) {
	refused, damaged := map[bloomery.Kind]int{}, map[bloomery.Kind]int{}
	for _, s := range samples(t) {
		b := s.bytes
		if c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{}); err != nil || c.Damaged != 0 || s.denied(c) != "" {
			t.Fatal(s.name, err)
		}
		for bit := 0; bit < 8*len(b); bit++ {
			b[bit/8] ^= 1 << (bit % 8)
			c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
			if s.survives(t, "in memory,", bit, c, err) {
				refused[s.kind]++
			} else {
				damaged[s.kind]++
			}
			b[bit/8] ^= 1 << (bit % 8)
		}
	}
	for _, kind := range bloomery.Kinds() {
		t.Logf("%s: %d flips refused, %d reported as damage, 0 keys denied", kind, refused[kind], damaged[kind])
		hasOwnTest := kind > bloomery.KindQuotient && kind < bloomery.KindForeign // smallShapes has none
		if !hasOwnTest && (damaged[kind] == 0 || refused[kind] == 0) {
			t.Errorf("%s: nothing was refused, or nothing read", kind)
		}
	}
}

// The same for files that are mapped: every bit of the payload.
func TestEveryFlippedBitOfAMappedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flipped.bloom")
	for _, s := range append(filterSamples(t, 9), packedSamples(t)...) {
		i, err := bloomery.Inspect(s.bytes, int64(len(s.bytes)))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, s.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		for at := i.PayloadOffset; at < i.PayloadOffset+i.PayloadLength; at++ {
			for n := 0; n < 8; n++ {
				if _, err := f.WriteAt([]byte{s.bytes[at] ^ 1<<n}, int64(at)); err != nil {
					t.Fatal(err)
				}
				c, err := bloomery.Open(path, bloomery.ReadOptions{})
				if err != nil {
					t.Fatalf("%s, byte %d: damage in the payload is refused: %v", s.name, at, err)
				}
				s.survives(t, "mapped,", 8*int(at)+n, c, nil)
				_ = c.Close()
			}
			if _, err := f.WriteAt(s.bytes[at:at+1], int64(at)); err != nil {
				t.Fatal(err)
			}
		}
		_ = f.Close()
	}
}
