package bloomery_test

import (
	"bytes"
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

// A container around Parquet's bytes is the one that the vectors have.
func TestForeignIsWrittenAsTheVectorsHaveIt(t *testing.T) {
	want := foreignBase(t, "large parquet file")
	i, err := bloomery.Inspect(want, int64(len(want)))
	if err != nil {
		t.Fatal(err)
	}
	image := want[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]
	got, err := bloomery.EncodeForeign("parquet", image, dialect.Options{})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\n%x\n%x", err, got, want)
	}
	if _, err := bloomery.EncodeForeign("parquet", image[1:], dialect.Options{}); !errors.Is(err, bloomery.Corrupt) {
		t.Error(err)
	}
	if _, err := bloomery.EncodeForeign("nori", image, dialect.Options{}); !errors.Is(err, bloomery.Unsupported) {
		t.Error(err)
	}
}

// foreignBase is a container of the vectors.
func foreignBase(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "spec", "vectors", "container_hostile.json"))
	if err != nil {
		t.Skip("spec/vectors is not beside this module")
	}
	var file struct{ Bases map[string]string }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	base, err := hex.DecodeString(file.Bases[name])
	if err != nil || len(base) == 0 {
		t.Fatal(name, err)
	}
	return base
}

// bitsetImage is a bitset of so many blocks, half full of arbitrary bits.
func bitsetImage(blocks int) []byte {
	image := make([]byte, 32*blocks)
	for n := range image {
		image[n] = byte(splitmix(uint64(n)))
	}
	return image
}

var bitset = dialect.Options{Variant: "bitset"}

// Damaged chunks of bits answer "possibly present".
func TestForeignDamage(t *testing.T) {
	whole, err := bloomery.EncodeForeign("parquet", bitsetImage(400), bitset)
	if err != nil {
		t.Fatal(err)
	}
	before, err := bloomery.DecodeContainer(whole, bloomery.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{128, 128 + 4096, 128 + 9000, 128 + 12700} {
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
}

// The chunk with the header refuses the file.
func TestForeignDamageOfTheHeader(t *testing.T) {
	image, _ := hex.DecodeString("15401c1c00001c1c00001c1c0000001262404a03200c72b084e001d282441015d202400640a48548481e20c1609020")
	b, err := bloomery.EncodeForeign("parquet", image, dialect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b[130] ^= 1
	_, err = bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if e, ok := err.(*bloomery.Error); !ok || e.Code != bloomery.Corrupt || e.Offset != 128 {
		t.Error(err)
	}
}

func TestForeignNotes(t *testing.T) {
	good, err := bloomery.EncodeForeign("parquet", bitsetImage(2), bitset)
	if err != nil {
		t.Fatal(err)
	}
	i, _ := bloomery.Inspect(good, int64(len(good)))
	notes := len(good) - 4 - int(i.NotesLength)
	for text, want := range map[string]bloomery.Code{
		"parquet variant=bitset":                 0,
		"parquet variant=bitset part=0":          0,
		"parquet variant=bitset hashes=8 seed=7": 0,
		"parquet variant=bitset form=2":          0,
		"":                                       bloomery.Corrupt,
		"guava":                                  bloomery.Unsupported,
		"nori":                                   bloomery.Unsupported,
		"atomicbloom":                            bloomery.Unsupported,
		"parquet size=3":                         bloomery.Unsupported,
		"parquet part=0 variant=bitset":          bloomery.Unsupported,
		"parquet part=x":                         bloomery.Unsupported,
		"parquet variant=bitset part=0 part=0":   bloomery.Unsupported,
		"parquet  variant=bitset":                bloomery.Unsupported,
		"parquet form=9":                         bloomery.Unsupported,
		"parquet variant=other":                  bloomery.InvalidArgument,
		"parquet variant=bitset part=1":          bloomery.InvalidArgument,
		"parquet variant=bitset hashes=3":        bloomery.InvalidArgument,
		"parquet":                                bloomery.Corrupt,
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
