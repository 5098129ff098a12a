package dialect

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"bloomery/internal/fault"
)

// An image is a file of the vectors that is accepted, or not.
type image struct {
	Dialect  string
	Image    string
	Read     map[string]interface{}
	Accepted string
	Answers  string
}

func images(t testing.TB) (all []image) {
	for _, name := range []string{"dialects.json", "dialect_files.json", "dialect_hostile.json"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "..", "spec", "vectors", name))
		if err != nil {
			t.Skip("spec/vectors is not beside this module")
		}
		var file struct{ Cases []image }
		if err := json.Unmarshal(b, &file); err != nil {
			t.Fatal(err)
		}
		for _, c := range file.Cases {
			if Known(c.Dialect) {
				all = append(all, c)
			}
		}
	}
	return all
}

func (i image) bytes() []byte {
	b, _ := hex.DecodeString(i.Image)
	return b
}

func (i image) options() (o Options) {
	o.Variant, _ = i.Read["variant"].(string)
	if text, ok := i.Read["part"].(string); ok {
		part, _ := strconv.ParseUint(text, 10, 64)
		o.Part = &part
	}
	if i.Read["form"] == "integer" {
		o.Form = Integer
	}
	return o
}

// Whatever happens to an image, it is read and queried, or refused with a place: nothing panics.
func TestEveryFlipAndTruncation(t *testing.T) {
	for _, i := range images(t) {
		b := i.bytes()
		for n := range b {
			readAndQuery(t, i.Dialect, b[:n:n], i.options())
		}
		if len(b) > 1000 {
			continue
		}
		for bit := 0; bit < 8*len(b); bit++ {
			b[bit/8] ^= 1 << (bit % 8)
			readAndQuery(t, i.Dialect, b, i.options())
			b[bit/8] ^= 1 << (bit % 8)
		}
	}
}

func readAndQuery(t testing.TB, name string, b []byte, o Options) {
	f, err := Read(name, b, o)
	if err != nil {
		var e *fault.Error
		if !errors.As(err, &e) || e.Offset > int64(len(b)) {
			t.Fatalf("%s: a refusal without a place: %v", name, err)
		}
		return
	}
	f.MayContain(nil)
	f.MayContain([]byte("k0"))
	if f.Parts() < 0 || f.Dialect() != name || f.Variant() == "" {
		t.Fatal("what was read has no name")
	}
	f.Bits()
}

// Damaged cells answer "possibly present"; damage in what gives a filter its form is refused.
func TestDamageNeverDenies(t *testing.T) {
	damaged := 0
	for _, i := range images(t) {
		if i.Accepted == "" || len(i.Answers) < 10 {
			continue
		}
		for at, size := 0, len(i.bytes()); at < size; at += 1 + size/500 {
			b, o := i.bytes(), i.options()
			before, err := Read(i.Dialect, i.bytes(), o)
			if err != nil {
				t.Fatal(err)
			}
			b[at] ^= 0x55
			o.Damaged = []Span{{uint64(at), uint64(at) + 1}}
			f, err := Read(i.Dialect, b, o)
			if err != nil {
				continue
			}
			damaged++
			for k := 0; k < 40; k++ {
				key := []byte("k" + strconv.Itoa(k))
				if before.MayContain(key) && !f.MayContain(key) {
					t.Fatalf("%s, byte %d damaged: %s is denied", i.Dialect, at, key)
				}
			}
		}
	}
	if damaged < 100 {
		t.Error("only", damaged, "damaged images were read")
	}
}

func TestUnknown(t *testing.T) {
	zero := uint64(1)
	for _, c := range []struct {
		name string
		o    Options
		code fault.Code
	}{
		{"guava", Options{}, fault.Unsupported}, {"", Options{}, fault.Unsupported},
		{"nori", Options{}, fault.Unsupported}, {"atomicbloom", Options{}, fault.Unsupported}, {"parquet", Options{Variant: "none"}, fault.InvalidArgument},
		{"parquet", Options{Form: Text}, fault.InvalidArgument}, {"parquet", Options{Form: 9}, fault.InvalidArgument},
		{"parquet", Options{Variant: "bitset", Part: &zero}, fault.InvalidArgument},
	} {
		if _, err := Read(c.name, make([]byte, 64), c.o); !errors.Is(err, c.code) {
			t.Errorf("%s %+v: %v", c.name, c.o, err)
		}
	}
}

// FuzzDecodeParquet reads any bytes as each variant, with and without a part.
func FuzzDecodeParquet(f *testing.F) {
	variants := []string{"", "header", "file", "bitset"}
	for _, i := range images(f) {
		for v := range variants {
			f.Add(i.bytes(), byte(v))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, how byte) {
		o := Options{Variant: variants[int(how&7)%len(variants)]}
		if how&8 != 0 {
			part := uint64(how >> 4)
			o.Part = &part
		}
		readAndQuery(t, "parquet", b, o)
		if how&16 != 0 && len(b) > 0 {
			o.Damaged = []Span{{uint64(len(b) / 2), uint64(len(b))}}
			readAndQuery(t, "parquet", append([]byte(nil), b...), o)
		}
	})
}
