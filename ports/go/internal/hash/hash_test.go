package hash

import "testing"

// Four keys at once have the hashes of one by one, whatever their lengths.
func TestFourAtOnce(t *testing.T) {
	text := make([]byte, 100)
	for i := range text {
		text[i] = byte(i * 37)
	}
	for n := 0; n < 97; n++ {
		k := [4][]byte{text[:n], text[1 : 1+n/2], text[2 : 2+(n*7)%90], text[3:3]}
		var got [4]uint64
		got[0], got[1], got[2], got[3] = FNVSplitMix4(k[0], k[1], k[2], k[3])
		for i := range k {
			if got[i] != FNVSplitMix(k[i]) {
				t.Fatalf("key %d, %d bytes", i, len(k[i]))
			}
		}
	}
}

// The unrolled loop is the definition.
func TestFNVIsItsDefinition(t *testing.T) {
	var key []byte
	for n := 0; n < 70; n++ {
		h := uint64(fnvOffset)
		for _, b := range key {
			h = (h ^ uint64(b)) * fnvPrime
		}
		if FNV1a64(key) != h {
			t.Fatal(n, "bytes")
		}
		key = append(key, byte(n*91))
	}
}
