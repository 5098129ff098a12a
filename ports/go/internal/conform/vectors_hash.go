package conform

import (
	"fmt"
	"strconv"
	"strings"

	"bloomery"
	"bloomery/internal/hash"
)

// hashVectors runs hash.json and hash_long.json. A case is a row: one input under every hash.
func hashVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Edge65     []map[string]interface{} `json:"edge65"`
		Texts      []map[string]interface{} `json:"texts"`
		SplitMix64 []struct{ X, Result string }
		Integers   []map[string]interface{} `json:"integers"`
		Patterns   []map[string]interface{} `json:"patterns"`
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	for _, row := range file.Edge65 {
		t.row(func(r *tally) { hashRow(r, row, key{sort: 'b', bytes: edge65(int(row["length"].(float64)))}) })
	}
	for _, row := range file.Patterns {
		t.row(func(r *tally) { hashRow(r, row, key{sort: 'b', bytes: pattern(int(row["length"].(float64)))}) })
	}
	for _, row := range file.Texts {
		t.row(func(r *tally) { hashRow(r, row, key{sort: 'b', bytes: []byte(row["text"].(string))}) })
	}
	for _, row := range file.SplitMix64 {
		x, _ := strconv.ParseUint(row.X, 16, 64)
		got := fmt.Sprintf("%016x", hash.SplitMix64(x))
		t.expect(got == row.Result, "splitmix64(%s) = %s", row.X, got)
	}
	for _, row := range file.Integers {
		x, _ := strconv.ParseUint(row["x"].(string), 16, 64)
		t.row(func(r *tally) { hashRow(r, row, key{sort: 'u', value: x}) })
	}
	return nil
}

func hashRow(t *tally, row map[string]interface{}, k key) {
	for column, v := range row {
		name, seed, _ := strings.Cut(column, "_")
		if seed == "f" {
			seed = "ffffffffffffffff"
		}
		s, err := strconv.ParseUint(seed, 16, 64)
		var got uint64
		switch name {
		case "length", "text", "x", "murmur3", "murmur64a": // the last two are of dialects that are not read here
			continue
		case "fnv1a64":
			got, err = hash.FNV1a64(k.bytes), nil
		case "fnv1a-splitmix":
			got, err = k.hash(bloomery.NewFNVSplitMix()), nil
		case "xxh3":
			got = k.hash(bloomery.NewXXH3(s))
		case "xxh64":
			got = k.hash(bloomery.NewXXH64(s))
		case "siphash13":
			got, err = k.hash(bloomery.NewSipHash13([16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})), nil
		default:
			t.expect(false, "a column that is not known: %s", column)
			continue
		}
		t.expect(err == nil && fmt.Sprintf("%016x", got) == v, "%s of %x: %016x", column, k.bytes, got)
	}
}
