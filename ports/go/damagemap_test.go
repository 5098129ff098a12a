package bloomery

import "testing"

func TestDamageMap(t *testing.T) {
	var intact *damageMap
	if intact.touches(0, 1<<20) || intact.has(3) || intact.spans() != nil {
		t.Error("no damage, and yet some")
	}
	d := newDamageMap(70*chunkBytes+10, 71)
	d.add(2)
	d.add(64)
	d.add(70)
	for _, c := range []struct {
		at, n uint64
		want  bool
	}{
		{0, 2 * chunkBytes, false}, {0, 2*chunkBytes + 1, true}, {2 * chunkBytes, 0, false}, {2 * chunkBytes, 1, true},
		{3*chunkBytes - 1, 1, true}, {3 * chunkBytes, 8, false}, {3*chunkBytes - 1, 2, true}, {chunkBytes, 5 * chunkBytes, true},
		{64*chunkBytes - 2, 2, false}, {64*chunkBytes - 2, 4, true}, {70*chunkBytes + 9, 1, true}, {69 * chunkBytes, chunkBytes, false},
	} {
		if got := d.touches(c.at, c.n); got != c.want {
			t.Errorf("%d bytes from %d: %v", c.n, c.at, got)
		}
	}
	spans := d.spans()
	if len(spans) != 3 || spans[0].From != 2*chunkBytes || spans[2].To != 70*chunkBytes+10 || d.count != 3 {
		t.Error(spans)
	}
}
