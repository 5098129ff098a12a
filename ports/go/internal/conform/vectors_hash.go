package conform

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"bloomery"
	"bloomery/internal/hash"
)

// hashVectors runs hash.json. Columns of the MurmurHash family are skipped: they belong to dialects that are not read here.
func hashVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Edge65     []map[string]interface{} `json:"edge65"`
		Texts      []map[string]interface{} `json:"texts"`
		SplitMix64 []struct{ X, Result string }
		Integers   []map[string]interface{} `json:"integers"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return err
	}
	for _, row := range file.Edge65 {
		hashRow(t, row, key{sort: 'b', bytes: edge65(int(row["length"].(float64)))})
	}
	for _, row := range file.Texts {
		hashRow(t, row, key{sort: 'b', bytes: []byte(row["text"].(string))})
	}
	for _, row := range file.SplitMix64 {
		x, _ := strconv.ParseUint(row.X, 16, 64)
		got := fmt.Sprintf("%016x", hash.SplitMix64(x))
		t.expect(got == row.Result, "splitmix64(%s) = %s", row.X, got)
	}
	for _, row := range file.Integers {
		x, _ := strconv.ParseUint(row["x"].(string), 16, 64)
		hashRow(t, row, key{sort: 'u', value: x})
	}
	return nil
}

func hashRow(t *tally, row map[string]interface{}, k key) {
	for column, v := range row {
		name, seed, _ := strings.Cut(column, "_")
		var got uint64
		switch name {
		case "length", "text", "x":
			continue
		case "fnv1a64":
			got = hash.FNV1a64(k.bytes)
		case "fnv1a-splitmix":
			got = k.hash(bloomery.NewFNVSplitMix())
		case "xxh3", "xxh64":
			s, err := strconv.ParseUint(seed, 16, 64)
			t.expectSeed(err)
			if name == "xxh3" {
				got = k.hash(bloomery.NewXXH3(s))
			} else {
				got = k.hash(bloomery.NewXXH64(s))
			}
		case "siphash13":
			var secret [16]byte
			for i := range secret {
				secret[i] = byte(i)
			}
			got = k.hash(bloomery.NewSipHash13(secret))
		case "murmur3", "murmur64a":
			t.skipped++
			continue
		default:
			t.expect(false, "a column that is not known: %s", column)
			continue
		}
		t.expect(fmt.Sprintf("%016x", got) == v, "%s of %x: %016x", column, k.bytes, got)
	}
}

func (t *tally) expectSeed(err error) {
	if err != nil {
		t.expect(false, "not a seed: %v", err)
	}
}
