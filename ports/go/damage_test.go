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
	bloomery.WithFingerprintKind(t)
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
		if damaged[kind] == 0 || refused[kind] == 0 {
			t.Errorf("%s: nothing was refused, or nothing read", kind)
		}
	}
}

// The same for files that are mapped: every bit of the payload.
func TestEveryFlippedBitOfAMappedFile(t *testing.T) {
	bloomery.WithFingerprintKind(t)
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

// fingerprints makes a filter of several chunks, and keys that are in it.
func fingerprints(t *testing.T, slots uint64) (*bloomery.Fingerprint, []uint64) {
	t.Helper()
	bloomery.WithFingerprintKind(t)
	f, err := bloomery.Make(bloomery.KindFingerprint, bloomery.FingerprintShape(slots, 5), bloomery.Hasher{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	hashes := make([]uint64, slots/2)
	f.Hasher().HashMany(keysOf("k", len(hashes)), hashes)
	return f.(*bloomery.Fingerprint), fillWith(t, f, hashes)
}

// Under the rule "perhaps" a lookup that reads a damaged chunk answers true, another as before; the rate says so; what would change
// the chunk is refused, and writing too.
func TestDamagedFingerprints(t *testing.T) {
	f, hashes := fingerprints(t, 8*2048)
	b := encoded(t, f)
	i, _ := bloomery.Inspect(b, int64(len(b)))
	if i.Chunks() != 8 {
		t.Fatal(i.Chunks())
	}
	for _, chunk := range []uint64{0, 3, 7} {
		for at := uint64(0); at < 4096; at += 7 {
			b[i.PayloadOffset+4096*chunk+at] ^= 0xa5
		}
	}
	path := filepath.Join(t.TempDir(), "hurt.bloom")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() (*bloomery.Container, error){
		"owned":  func() (*bloomery.Container, error) { return bloomery.DecodeContainer(b, bloomery.ReadOptions{}) },
		"mapped": func() (*bloomery.Container, error) { return bloomery.Open(path, bloomery.ReadOptions{}) },
	} {
		c, err := read()
		if err != nil || c.Damaged != 3 {
			t.Fatal(name, err)
		}
		for _, h := range hashes {
			if !c.Filter.MayContainHash(h) {
				t.Fatalf("%s: %016x is denied", name, h)
			}
		}
		const asked = 100000
		hits := 0
		for n := uint64(0); n < asked; n++ {
			if c.Filter.MayContainHash(bloomery.NewXXH3(9).Of(bloomery.Integers).HashUint64(n)) {
				hits++
			}
		}
		rate := c.Filter.RealisedFPR()
		if want := 1 - 25.0/64; rate < want || rate > want+0.001 {
			t.Errorf("%s: the rate %v does not count lookups of damaged chunks", name, rate)
		}
		if mean := rate * asked; float64(hits) < mean-6*sqrt(mean) || float64(hits) > mean+6*sqrt(mean) {
			t.Errorf("%s: %d of %d pass, %v were expected", name, hits, asked, mean)
		}
		if _, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{}); !errors.Is(err, bloomery.Corrupt) {
			t.Errorf("%s: written as if it were whole: %v", name, err)
		}
		changes(t, name, c.Filter)
		_ = c.Close()
	}
}

// changes inserts and erases keys of a filter three of whose eight chunks are damaged.
func changes(t *testing.T, name string, f bloomery.Filter) {
	in, err := bloomery.As[bloomery.TryInserter](f)
	if err != nil {
		t.Fatal(err)
	}
	out, err := bloomery.As[bloomery.Eraser](f)
	if err != nil {
		t.Fatal(err)
	}
	inserted, refused := 0, 0
	for n := uint64(0); n < 1000; n++ {
		h, ones := bloomery.NewXXH3(4).Of(bloomery.Integers).HashUint64(n), f.Ones()
		switch err := in.TryInsertHash(h); {
		case err == nil:
			inserted++
			if err := out.EraseHash(h); err != nil || f.Ones() != ones {
				t.Fatalf("%s: %016x was inserted and is not erased: %v", name, h, err)
			}
		case errors.Is(err, bloomery.Corrupt):
			refused++
			if !f.MayContainHash(h) {
				t.Fatalf("%s: %016x is refused for damage, and denied", name, h)
			}
			if err := out.EraseHash(h); !errors.Is(err, bloomery.Corrupt) {
				t.Fatalf("%s: %016x is erased from a damaged chunk: %v", name, h, err)
			}
		}
		if f.Ones() != ones {
			t.Fatalf("%s: a refusal changed the filter", name)
		}
	}
	if inserted < 100 || refused < 400 {
		t.Errorf("%s: %d inserted, %d refused", name, inserted, refused)
	}
}

// A key that is refused has changed nothing, and says why.
func TestRefusedKeys(t *testing.T) {
	f, _ := fingerprints(t, 4)
	f.Clear()
	if f.Ones() != 0 {
		t.Fatal("not cleared")
	}
	key := []byte("k")
	if err := f.Erase(key); !errors.Is(err, bloomery.NotPresent) || f.Ones() != 0 {
		t.Error(err)
	}
	var codes []bloomery.Code
	for n := 0; n < 3; n++ {
		before := f.Ones()
		err := f.TryInsert(key)
		if err != nil && f.Ones() != before {
			t.Error("a refusal changed the filter")
		}
		var e *bloomery.Error
		if errors.As(err, &e) {
			codes = append(codes, e.Code)
		}
	}
	if len(codes) == 0 || codes[0] != bloomery.TooManyCopies {
		t.Error(codes)
	}
	hashes := make([]uint64, 100)
	bloomery.NewXXH3(1).HashMany(keysOf("x", 100), hashes)
	n, err := f.TryInsertManyHashes(hashes)
	if !errors.Is(err, bloomery.Full) || n >= 4 {
		t.Error(n, err)
	}
	for code, name := range map[bloomery.Code]string{
		bloomery.Full: "full", bloomery.NotPresent: "not_present", bloomery.TooManyCopies: "too_many_copies",
	} {
		if code.String() != name {
			t.Error(code, "is not", name)
		}
	}
}
