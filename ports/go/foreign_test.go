package bloomery_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bloomery"
	"bloomery/dialect"
)

// A container around nori's bytes is the one that the vectors have.
func TestForeignIsWrittenAsTheVectorsHaveIt(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "spec", "vectors", "container_hostile.json"))
	if err != nil {
		t.Skip("spec/vectors is not beside this module")
	}
	var file struct{ Bases map[string]string }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	want, _ := hex.DecodeString(file.Bases["foreign"])
	i, err := bloomery.Inspect(want, int64(len(want)))
	if err != nil {
		t.Fatal(err)
	}
	image := want[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]
	got, err := bloomery.EncodeForeign("nori", image, dialect.Options{})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\n%x\n%x", err, got, want)
	}
	if _, err := bloomery.EncodeForeign("nori", image[1:], dialect.Options{}); !errors.Is(err, bloomery.Corrupt) {
		t.Error(err)
	}
}

// atomicBloomImage is a filter of several chunks, half full of arbitrary bits.
func atomicBloomImage(bits uint64) []byte {
	words := (bits + 63) / 64
	image := make([]byte, 24+8*words)
	binary.LittleEndian.PutUint64(image, bits)
	binary.LittleEndian.PutUint64(image[8:], 3)
	binary.LittleEndian.PutUint64(image[16:], words)
	for w := uint64(0); w < words; w++ {
		binary.LittleEndian.PutUint64(image[24+8*w:], bloomery.NewXXH3(0).Of(bloomery.Integers).HashUint64(w))
	}
	return image
}

// Chunks of bits answer "possibly present"; the chunk with the header refuses the file.
func TestForeignDamage(t *testing.T) {
	image := atomicBloomImage(100000)
	whole, err := bloomery.EncodeForeign("atomicbloom", image, dialect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	before, err := bloomery.DecodeContainer(whole, bloomery.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{128 + 4096, 128 + 9000, 128 + 12000} {
		b := append([]byte(nil), whole...)
		b[at] ^= 255
		c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
		if err != nil || c.Damaged != 1 || c.Foreign == nil {
			t.Fatal(err)
		}
		more := 0
		for i := 0; i < 5000; i++ {
			k := []byte(fmt.Sprint("x", i))
			was, is := before.Foreign.MayContain(k), c.Foreign.MayContain(k)
			if was && !is {
				t.Fatalf("%s is denied", k)
			}
			if is && !was {
				more++
			}
		}
		if more == 0 {
			t.Error("the damaged chunk answers as if it were whole")
		}
	}
	b := append([]byte(nil), whole...)
	b[128+4000] ^= 1
	_, err = bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if e, ok := err.(*bloomery.Error); !ok || e.Code != bloomery.Corrupt || e.Offset != 128 {
		t.Error(err)
	}
}

func TestForeignNotes(t *testing.T) {
	image := atomicBloomImage(64)
	good, err := bloomery.EncodeForeign("atomicbloom", image, dialect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	i, _ := bloomery.Inspect(good, int64(len(good)))
	notes := len(good) - 4 - int(i.NotesLength)
	for text, want := range map[string]bloomery.Code{
		"atomicbloom":                        0,
		"atomicbloom variant=words part=0":   0,
		"atomicbloom hashes=3 seed=7 form=0": 0,
		"":                                   bloomery.Corrupt,
		"guava":                              bloomery.Unsupported,
		"atomicbloom size=3":                 bloomery.Unsupported,
		"atomicbloom part=0 variant=words":   bloomery.Unsupported,
		"atomicbloom part=x":                 bloomery.Unsupported,
		"atomicbloom part=0 part=0":          bloomery.Unsupported,
		"atomicbloom  variant=words":         bloomery.Unsupported,
		"atomicbloom form=9":                 bloomery.Unsupported,
		"atomicbloom variant=other":          bloomery.InvalidArgument,
		"nori":                               bloomery.Corrupt,
	} {
		b := append([]byte(nil), good[:notes]...)
		b = append(b, 1, 0x80, 0, 0, byte(len(text)), 0, 0, 0)
		b = append(append(b, text...), 0, 0, 0, 0)
		b[96] = byte(8 + len(text))
		_, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
		if want == 0 && err != nil || want != 0 && !errors.Is(err, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
