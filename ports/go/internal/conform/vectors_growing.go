package conform

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bloomery"
)

// plain gives the members of a row the names and the forms that the table of kinds has for them. Rows of later kinds have these
// anyway (spec/conformance.md).
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
	number, known := map[string]uint64{"": 0, "equal": 0, "geometric": 1, "dynamic": 2}[policy]
	if !known {
		return fmt.Errorf("no such policy: %s", policy)
	}
	r.put("policy", number)
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
