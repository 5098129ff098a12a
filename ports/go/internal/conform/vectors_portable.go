package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"bloomery"
)

type portableFile struct {
	comment
	SizedFor struct {
		Keys uint64  `json:"keys"`
		FPR  float64 `json:"fpr"`
	} `json:"sized_for"`
	Inserted int      `json:"inserted"`
	Bits     uint64   `json:"bits"`
	Hashes   uint32   `json:"hashes"`
	Ones     uint64   `json:"ones"`
	Hex      hexBytes `json:"hex"`
}

// portableFileVector runs one whole file: made from its keys, and read.
func portableFileVector(data []byte, t *tally) error {
	var c portableFile
	if err := strict(data, &c); err != nil {
		return err
	}
	prefix := "k"
	switch {
	case bytes.Contains(data, []byte("edge65")):
		prefix = "edge65"
	case bytes.Contains(data, []byte("key0")):
		prefix = "key"
	}
	f, err := bloomery.MakePortable(bloomery.PortableOptions{Keys: c.SizedFor.Keys, FPR: c.SizedFor.FPR})
	if err != nil {
		return err
	}
	for i := 0; i < c.Inserted; i++ {
		k := []byte(fmt.Sprintf("%s%d", prefix, i))
		if prefix == "edge65" {
			k = edge65(i)
		}
		f.Insert(k)
	}
	got, _ := f.MarshalBinary()
	read, err := bloomery.DecodePortable(c.Hex)
	t.expect(bytes.Equal(got, c.Hex) && f.Bits() == c.Bits && f.Hashes() == c.Hashes && f.Ones() == c.Ones &&
		err == nil && bloomery.Equal(read, f), "made %x, read: %v", got, err)
	return nil
}

func verdictVectors(data []byte, dir string, t *tally) error {
	var file struct {
		comment
		Filter  string `json:"filter"`
		Asked   int    `json:"asked"`
		Maybe   int    `json:"maybe"`
		Numbers []int  `json:"numbers"`
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	other, err := os.ReadFile(filepath.Join(dir, filepath.Base(file.Filter)))
	if err != nil {
		return err
	}
	var whole portableFile
	if err := json.Unmarshal(other, &whole); err != nil {
		return err
	}
	f, err := bloomery.DecodePortable(whole.Hex)
	if err != nil {
		return err
	}
	var numbers []int
	for i := 0; i < file.Asked; i++ {
		if f.MayContainString(fmt.Sprintf("x%d", i)) {
			numbers = append(numbers, i)
		}
	}
	denied := 0
	for i := 0; i < whole.Inserted; i++ {
		if !f.MayContainString(fmt.Sprintf("k%d", i)) {
			denied++
		}
	}
	t.expect(fmt.Sprint(numbers) == fmt.Sprint(file.Numbers) && len(numbers) == file.Maybe && denied == 0,
		"%d denied, possibly present: %v", denied, numbers)
	return nil
}

func sizingVectors(data []byte, t *tally) error {
	type row struct {
		Keys       uint64   `json:"keys"`
		FPR        *float64 `json:"fpr"`
		BitsPerKey *float64 `json:"bits_per_key"`
		Bytes      *uint64  `json:"bytes"`
		Bits       uint64   `json:"bits"`
		Hashes     uint32   `json:"hashes"`
		Error      string   `json:"error"`
	}
	var file struct {
		comment
		ByRate       []row `json:"by_rate"`
		ByBitsPerKey []row `json:"by_bits_per_key"`
		ByMemory     []row `json:"by_memory"`
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	for _, rows := range [][]row{file.ByRate, file.ByBitsPerKey, file.ByMemory} {
		for _, c := range rows {
			var m uint64
			var k uint32
			var err error
			switch {
			case c.FPR != nil:
				m, k, err = bloomery.SizePortableByRate(c.Keys, *c.FPR)
			case c.BitsPerKey != nil:
				m, k, err = bloomery.SizePortableByBitsPerKey(c.Keys, *c.BitsPerKey)
			default:
				m, k, err = bloomery.SizePortableByMemory(c.Keys, *c.Bytes)
			}
			code := ""
			if e, ok := err.(*bloomery.Error); ok {
				code = e.Code.String()
			}
			t.expect(m == c.Bits && k == c.Hashes && code == c.Error, "%+v: %d %d %v", c, m, k, err)
		}
	}
	return nil
}

// near is the agreement that spec/model.md asks for.
func near(got, want float64) bool { return got == want || math.Abs(got-want) <= 1e-6*math.Abs(want) }

func modelVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Expected []struct {
			Bits, Keys uint64
			Hashes     uint32
			FPR        float64
		} `json:"expected"`
		Promises []struct {
			Keys        uint64
			Asked, True float64
			Verdict     string
		} `json:"promises"`
		Realised []struct {
			Bits     uint64
			Hashes   uint32
			Inserted int
			Ones     uint64
			FPR      float64
			Keys     *float64 `json:"estimated_keys"`
		} `json:"realised"`
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	for _, c := range file.Expected {
		got := bloomery.ExpectedPortableFPR(c.Bits, c.Hashes, c.Keys)
		t.expect(near(got, c.FPR), "expected %+v: %v", c, got)
	}
	for _, c := range file.Promises {
		p, err := bloomery.PromisePortable(c.Keys, c.Asked)
		t.expect(err == nil && near(p.FPR, c.True) && p.Verdict.String() == c.Verdict, "promise %+v: %+v %v", c, p, err)
	}
	for _, c := range file.Realised {
		f, err := bloomery.MakePortable(bloomery.PortableOptions{Bits: c.Bits, Hashes: c.Hashes})
		if err != nil {
			return err
		}
		for _, k := range texts("k", c.Inserted) {
			f.Insert(k.bytes)
		}
		want := math.Inf(1)
		if c.Keys != nil {
			want = *c.Keys
		}
		rate, keys := f.RealisedFPR(), f.EstimatedKeys()
		t.expect(f.Ones() == c.Ones && near(rate, c.FPR) && near(keys, want), "realised %+v: %v %v", c, rate, keys)
	}
	return nil
}

func portableHostileVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Refused []struct {
			Defect, Error string
			Offset        int64
			Hex           hexBytes
		}
		Accepted []struct {
			Oddity  string
			Bits    uint64
			Hashes  uint32
			Ones    uint64
			Padding bool `json:"padding_is_clear"`
			Hex     hexBytes
		}
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	for _, c := range file.Refused {
		_, err := bloomery.DecodePortable(c.Hex)
		streamed := new(bloomery.PortableBloom)
		_, err2 := streamed.ReadFrom(bytes.NewReader(c.Hex))
		t.row(func(r *tally) {
			for _, err := range []error{err, err2} {
				e, ok := err.(*bloomery.Error)
				r.expect(ok && e.Code.String() == c.Error && e.Offset == c.Offset, "%s: %v", c.Defect, err)
			}
		})
	}
	for _, c := range file.Accepted {
		f, err := bloomery.DecodePortable(c.Hex)
		if err != nil {
			t.expect(false, "%s: %v", c.Oddity, err)
			continue
		}
		again, _ := f.MarshalBinary()
		t.expect(f.Bits() == c.Bits && f.Hashes() == c.Hashes && f.Ones() == c.Ones && f.PaddingIsClear() == c.Padding &&
			bytes.Equal(again, c.Hex), "%s: %d ones, %x", c.Oddity, f.Ones(), again)
	}
	return nil
}
