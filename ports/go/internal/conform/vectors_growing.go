package conform

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bloomery"
)

// plain gives the members of a row the names and the forms that the table of kinds has for them.
func (r shapeRow) plain(kind bloomery.Kind) error {
	switch kind {
	case bloomery.KindScalable:
		return r.plainScalable()
	case bloomery.KindStable:
		return r.number("inserts", 16)
	case bloomery.KindQuotient:
		return r.plainQuotient()
	case bloomery.KindWindow: // blocks: of one generation
		var generations, blocks uint64
		if json.Unmarshal(r["generations"], &generations) != nil || json.Unmarshal(r["blocks"], &blocks) != nil {
			return fmt.Errorf("no generations, or no blocks")
		}
		r.put("blocks", generations*blocks)
		profile := strings.Trim(string(r["profile"]), `"`)
		r.put("hashes", map[string]uint64{"half-line": 4, "line": 8, "two-lines": 16}[profile])
	}
	return nil
}

func (r shapeRow) put(name string, v uint64) { r[name] = json.RawMessage(strconv.FormatUint(v, 10)) }

// number makes a number of a member that is text.
func (r shapeRow) number(name string, base int) error {
	var text string
	if json.Unmarshal(r[name], &text) != nil || text == "" {
		return nil
	}
	v, err := strconv.ParseUint(text, base, 64)
	r.put(name, v)
	return err
}

// plainQuotient: positions are fingerprint, quotient and remainder.
func (r shapeRow) plainQuotient() error {
	if err := r.number("fingerprint", 16); err != nil || r["fingerprint"] == nil {
		return err
	}
	var positions [3]uint64
	for i, name := range []string{"fingerprint", "quotient", "remainder"} {
		if err := r.take(name, &positions[i]); err != nil {
			return err
		}
	}
	r["positions"], _ = json.Marshal(positions)
	return nil
}

// plainScalable: rates are parameters as their bits, policies as their numbers; positions are listed level by level.
func (r shapeRow) plainScalable() error {
	var rate float64
	if err := r.take("fpr", &rate); err != nil {
		return err
	}
	r.put("rate", math.Float64bits(rate))
	var policy string
	if err := r.take("policy", &policy); err != nil {
		return err
	}
	policies := map[string]bloomery.GrowthPolicy{
		"": bloomery.GrowEqually, "equal": bloomery.GrowEqually, "geometric": bloomery.GrowGeometrically, "dynamic": bloomery.GrowDynamically,
	}
	number, known := policies[policy]
	if !known {
		return fmt.Errorf("no such policy: %s", policy)
	}
	r.put("policy", uint64(number))
	var levels [][]uint64
	if r["positions"] == nil {
		return nil
	}
	if err := r.take("positions", &levels); err != nil {
		return err
	}
	var all []uint64
	for _, level := range levels {
		all = append(all, level...)
	}
	r["positions"], _ = json.Marshal(all)
	return nil
}

// takeDecrease takes what a row of a stable filter says of the cells that an insertion decreases, and compares it once the shape is
// known.
func (r shapeRow) takeDecrease() (agrees func(s bloomery.Shape) bool, err error) {
	var start, steps *uint64
	if err := r.take("start", &start); err != nil {
		return nil, err
	}
	if err := r.take("steps", &steps); err != nil {
		return nil, err
	}
	return func(s bloomery.Shape) bool {
		if start == nil || steps == nil {
			return true
		}
		from, n := bloomery.StableDecrease(s)
		return from == *start && n == *steps
	}, nil
}

// A rateText is a number, or text where its digits are counted.
type rateText struct {
	value     float64
	tolerance float64 // relative
}

func (r *rateText) UnmarshalJSON(data []byte) (err error) {
	if text := ""; json.Unmarshal(data, &text) == nil {
		r.tolerance = 1e-8
		r.value, err = strconv.ParseFloat(text, 64)
		return err
	}
	r.tolerance = 1e-12
	return json.Unmarshal(data, &r.value)
}

// A foundRow is how many of the keys are possibly present of a filter that forgets, or which.
type foundRow struct {
	which string
	many  int
}

func (f *foundRow) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &f.which) == nil {
		f.many = strings.Count(f.which, "1")
		return nil
	}
	return json.Unmarshal(data, &f.many)
}

// checkList compares all fingerprints of a quotient filter with their copies, and the slots that they take.
func (row *readRow) checkList(q *bloomery.Quotient) bool {
	i := 0
	q.RangeCounts(func(fingerprint, copies uint64) bool {
		if i >= len(row.list) || row.list[i] != [2]uint64{fingerprint, copies} {
			i = -1
			return false
		}
		i++
		return true
	})
	return i == len(row.list) && q.SlotsInUse() == row.used
}
