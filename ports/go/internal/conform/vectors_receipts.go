package conform

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"bloomery"
	"bloomery/internal/hash"
)

// receiptVectors runs receipts.json (spec/hash.md section 8). This port issues no receipts; their check is computed here alone.
func receiptVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Scopes []struct {
			Kind                          uint64
			Units, Shape, Identity, Scope string
		}
		Receipts []struct{ Hasher, Text, Scope, Hash, Check, Receipt string }
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	number := func(digits string) uint64 {
		x, err := strconv.ParseUint(digits, 16, 64)
		if err != nil {
			t.expect(false, "not a number: %s", digits)
		}
		return x
	}
	for _, row := range file.Scopes {
		scope := hash.SplitMix64(row.Kind)
		for _, digits := range []string{row.Units, row.Shape, row.Identity} {
			scope = hash.SplitMix64(scope ^ number(digits))
		}
		t.expect(fmt.Sprintf("%016x", scope) == row.Scope, "scope %s: %016x", row.Scope, scope)
	}
	for _, row := range file.Receipts {
		name, seed, _ := strings.Cut(row.Hasher, "_")
		if seed == "f" {
			seed = "ffffffffffffffff"
		}
		var h bloomery.Hasher
		var a, b, id uint64
		switch name {
		case "xxh3":
			a, id = number(seed), 1
			h = bloomery.NewXXH3(a)
		case "fnv1a-splitmix":
			id = 2
			h = bloomery.NewFNVSplitMix()
		case "xxh64":
			a, id = number(seed), 3
			h = bloomery.NewXXH64(a)
		case "siphash13":
			secret := [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
			a, b, id = binary.LittleEndian.Uint64(secret[:]), binary.LittleEndian.Uint64(secret[8:]), 4
			h = bloomery.NewSipHash13(secret)
		default:
			t.expect(false, "a hasher that is not known: %s", row.Hasher)
			continue
		}
		of := key{sort: 'b', bytes: []byte(row.Text)}.hash(h)
		var message, receipt [16]byte
		binary.LittleEndian.PutUint64(message[:], of)
		binary.LittleEndian.PutUint64(message[8:], number(row.Scope))
		check := hash.SipHash13(message[:], a^0x72656d6f6f6c622e, b^0x7470696563657279^id)
		if check == 0 {
			check = 1
		}
		binary.LittleEndian.PutUint64(receipt[:], of)
		binary.LittleEndian.PutUint64(receipt[8:], check)
		t.expect(fmt.Sprintf("%016x", of) == row.Hash && fmt.Sprintf("%016x", check) == row.Check &&
			hex.EncodeToString(receipt[:]) == row.Receipt, "receipt of %q under %s: %x", row.Text, row.Hasher, receipt)
	}
	return nil
}
