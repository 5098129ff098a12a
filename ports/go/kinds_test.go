package bloomery_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"bloomery"
)

// factsAsJSON is a row of the table as spec/kinds.json writes it.
func factsAsJSON(f bloomery.Facts) map[string]interface{} {
	row := map[string]interface{}{
		"kind": f.Kind, "name": f.Name, "hashes": f.Hashers, "seed": f.Seed, "k": []uint32{f.K.Min, f.K.Max}, "units": f.Units,
		"payload": f.Payload, "damage": f.Damage, "sentinels": f.Sentinels, "keys": f.Keys,
	}
	profiles, parameters, sizes := []int{}, []string{}, []int{}
	for _, p := range f.Profiles {
		profiles = append(profiles, int(p))
	}
	for _, p := range f.Parameters {
		parameters, sizes = append(parameters, p.Name), append(sizes, p.Size)
	}
	hashes := []int{}
	for _, h := range f.Hashers {
		hashes = append(hashes, int(h))
	}
	row["hashes"], row["profiles"], row["parameters"] = hashes, profiles, parameters
	switch {
	case f.K.ByProfile:
		row["k"] = "profile"
	case f.K.Max == 0:
		row["k"] = "none"
	}
	if len(sizes) > 0 {
		row["parameter_bytes"] = sizes
	}
	if f.Forgets {
		row["forgets"] = true
	}
	if f.Max.N != 0 {
		row["max_"+f.Max.Of] = strconv.FormatUint(f.Max.N, 16)
	}
	return row
}

// The table and spec/kinds.json have the same rows with the same facts; what the port's filters can do is among what the row names.
func TestTheTableIsThatOfTheSpecification(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "spec", "kinds.json"))
	if err != nil {
		t.Skip("spec is not beside this module")
	}
	var file struct {
		Kinds []map[string]interface{} `json:"kinds"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	unseen := map[bloomery.Kind]bool{}
	for _, k := range bloomery.Kinds() {
		unseen[k] = true
	}
	for _, want := range file.Kinds {
		kind := bloomery.Kind(want["kind"].(float64))
		facts, ok := kind.Facts()
		if !ok {
			t.Errorf("kind %d, %v, is not in the table", kind, want["name"])
			continue
		}
		delete(unseen, kind)
		text, _ := json.Marshal(factsAsJSON(facts))
		var got map[string]interface{}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		for name, v := range got { // members that the table does not have are for others
			if !reflect.DeepEqual(v, want[name]) {
				t.Errorf("%s: %s is %v, not %v; run tools/kind_tables.py", kind, name, v, want[name])
			}
		}
		if calls := fmt.Sprint(want["can"]); len(facts.Can) > 0 && fmt.Sprint(facts.Can) != calls {
			t.Errorf("%s can %v, not %s", kind, facts.Can, calls)
		}
		if parsed, ok := bloomery.ParseKind(want["name"].(string)); !ok || parsed != kind {
			t.Errorf("%v is the name of kind %d", want["name"], parsed)
		}
	}
	for kind := range unseen {
		t.Errorf("kind %d, %s, is not in the specification", kind, kind)
	}
}

// The calls of this port, one by one: a call that is lost is noticed here. The table says what the types have.
func TestWhatTheKindsCan(t *testing.T) {
	flat, blocks := "insert insert_if_absent merge intersect", "insert insert_if_absent merge fold intersect"
	can := map[bloomery.Kind]string{
		bloomery.KindPortable: flat, bloomery.KindBlock: blocks, bloomery.KindSplitBlock: blocks, bloomery.KindBloom: flat, bloomery.KindPartitioned: flat,
	}
	for _, kind := range bloomery.Kinds() {
		facts, _ := kind.Facts()
		if got := strings.Join(facts.Can, " "); got != can[kind] || strings.Join(bloomery.CallsOf(kind), " ") != got {
			t.Errorf("%s can %v, its type %v", kind, facts.Can, bloomery.CallsOf(kind))
		}
	}
}

// A call that a kind does not have is refused, with the kind and the kinds that have it.
func TestUnsupportedCalls(t *testing.T) {
	f := made(t, portable(96, 7))
	_, err := bloomery.As[bloomery.Folder](f)
	if !errors.Is(err, bloomery.Unsupported) {
		t.Fatal(err)
	}
	for _, word := range []string{"portable", "Folder", "block", "split-block"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not name %s", err, word)
		}
	}
	if strings.Contains(err.Error(), "bloom,") {
		t.Errorf("%q names a kind that has no Fold", err)
	}
	if err := as[interface{ Erase() }](f); !errors.Is(err, bloomery.Unsupported) || !strings.Contains(err.Error(), "no kind") {
		t.Error(err)
	}
	g, _ := readHere(t, bloomery.KindCuckoo, bloomery.CuckooShape(12, 10, 0), 0)
	for name, err := range map[string]error{"Merge": bloomery.Merge(g, g), "Intersect": bloomery.Intersect(g, g)} {
		if !errors.Is(err, bloomery.Unsupported) || !strings.Contains(err.Error(), "portable, block, split-block, bloom, partitioned") {
			t.Error(name, err)
		}
	}
	for name, err := range map[string]error{"Inserter": as[bloomery.Inserter](g), "Rated": as[bloomery.Rated](g), "Clearer": as[bloomery.Clearer](g)} {
		if !errors.Is(err, bloomery.Unsupported) || !strings.Contains(err.Error(), name) {
			t.Error(name, err)
		}
	}
	for _, kind := range []bloomery.Kind{
		bloomery.KindPacked, bloomery.KindPackedStatic, bloomery.KindForeign, bloomery.KindCuckoo, bloomery.KindCounting, bloomery.KindRibbon, bloomery.KindFuse, bloomery.KindXor,
		bloomery.KindScalable, bloomery.KindStable, bloomery.KindWindow, bloomery.KindQuotient, 77,
	} {
		if _, err := bloomery.Make(kind, bloomery.Shape{Units: 1, Hashes: 1}, bloomery.Hasher{}, 0); !errors.Is(err, bloomery.Unsupported) {
			t.Error(kind, err)
		}
	}
	if _, err := bloomery.Make(bloomery.KindPortable, bloomery.Shape{Units: 1, Hashes: 1}, bloomery.NewXXH64(1), 0); !errors.Is(err, bloomery.InvalidArgument) {
		t.Error(err)
	}
}

func as[C any](f bloomery.Filter) error {
	_, err := bloomery.As[C](f)
	return err
}

// A header that contradicts its kind's row is refused, whatever the kind: code and offset, in the order of spec/container.md 8.
func TestHeadersAgainstTheTable(t *testing.T) {
	for _, s := range filterSamples(t, 9) {
		facts, _ := s.kind.Facts()
		// Each edit leaves those before it in place, so that the first rule that is broken is the one to blame: from the last to
		// the first.
		b := append([]byte(nil), s.bytes...)
		expect := func(what string, offset int64) {
			t.Helper()
			_, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
			if e, ok := err.(*bloomery.Error); !ok || e.Code != bloomery.Corrupt || e.Offset != offset {
				t.Errorf("%s, %s: %v, not corrupt at %d", s.name, what, err, offset)
			}
		}
		built := s.kind == bloomery.KindRibbon || s.kind == bloomery.KindFuse || s.kind == bloomery.KindXor
		if !built { // those may have none, and not any number: TestHeadersOfKindsThatAreBuilt
			b[25] += 2 // more units than the payload has
			if s.kind == bloomery.KindQuotient {
				expect("more quotients than slots", 108)
			} else {
				expect("other units", 80)
			}
		}
		switch s.kind {
		case bloomery.KindCounting:
			b[108] = 16
			expect("an impossible width", 108)
		}
		for n := 24; n < 32; n++ {
			b[n] = 0
		}
		if !built {
			expect("no units", 24)
		}
		for n := 24; n < 32; n++ {
			b[n] = 0xff
		}
		expect("too many units", 24)
		b[20], b[21], b[22], b[23] = 0, 0, 0, 0
		expect("no hashes", 20)
		if facts.K.Max != 1<<32-1 {
			b[23] = 1
			expect("too many hashes", 20)
		}
		b[11] = 200
		expect("an unknown profile", 11)
		b[32] = 1
		if facts.Seed && b[16] == byte(bloomery.XXH3) {
			b[16] = byte(bloomery.FNVSplitMix)
		}
		expect("a seed that the hash does not take", 32)
		if len(facts.Hashers) == 1 {
			b[16] = 5 - b[16] // 2 and 3 are the two that kinds insist on
			expect("another hash", 16)
		}
		if !facts.Keys {
			b[64] = 1
			expect("a number of distinct keys", 64)
		}
		b[95] = 1
		expect("more ones than bits", 88)
		if s.kind != bloomery.KindRibbon && s.kind != bloomery.KindWindow { // which use all of them
			b[123] = 1
			expect("bytes that the kind does not use", 100)
		}
	}
}

// A kind that does not carry sentinels or a number of distinct keys has none, read or written.
func TestKindsWithoutSentinels(t *testing.T) {
	f, _ := readHere(t, bloomery.KindCuckoo, bloomery.CuckooShape(12, 10, 7), 9)
	for _, m := range []bloomery.Meta{{Keys: 1}, {Sentinels: []uint64{1}}} {
		if _, err := bloomery.EncodeContainer(f, m); !errors.Is(err, bloomery.InvalidArgument) {
			t.Error(err)
		}
	}
	whole := encoded(t, f)
	i, _ := bloomery.Inspect(whole, int64(len(whole)))
	tail := int(i.PayloadOffset+i.PayloadLength+63) / 64 * 64
	b := append(append(append([]byte(nil), whole[:tail]...), make([]byte, 8)...), whole[tail:]...)
	b[18], b[64] = 1, 1
	_, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
	if e, ok := err.(*bloomery.Error); !ok || e.Code != bloomery.Corrupt || e.Offset != 18 {
		t.Error(err)
	}
	if got, want := i.Parameters, f.Shape().Parameters; got != want || fmt.Sprintf("%x", got[:8]) != "0700000000000000" {
		t.Errorf("parameters %x, not %x", got, want)
	}
}

// A kind that is not known is refused by its number, whatever else the header has.
func TestUnknownKinds(t *testing.T) {
	b := append([]byte(nil), filterSamples(t, 9)[0].bytes...)
	b[10], b[11], b[100], b[18], b[19] = 99, 77, 1, 9, 200
	for n := 24; n < 32; n++ {
		b[n] = 0xff
	}
	_, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
	if e, ok := err.(*bloomery.Error); !ok || e.Code != bloomery.Unsupported || e.Offset != 10 {
		t.Error(err)
	}
}
