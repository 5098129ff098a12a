package bloomery

import (
	"bytes"
	"runtime"

	"bloomery/internal/fault"
)

// Merge makes dst the union of two filters of the same kind, as their own Merge does.
func Merge(dst, src Filter) error {
	switch d := dst.(type) {
	case *PortableBloom:
		if s, ok := src.(*PortableBloom); ok {
			return d.Merge(s)
		}
	case *BlockBloom:
		if s, ok := src.(*BlockBloom); ok {
			return d.Merge(s)
		}
	case *SplitBlockBloom:
		if s, ok := src.(*SplitBlockBloom); ok {
			return d.Merge(s)
		}
	case *Bloom:
		if s, ok := src.(*Bloom); ok {
			return d.Merge(s)
		}
	}
	return fault.New(Incompatible, "filters of different kinds do not merge")
}

// Equal tells whether two filters have the same kind, shape, hasher and bits. Bits after the last do not count.
func Equal(a, b Filter) bool {
	if a.Kind() != b.Kind() || a.shape() != b.shape() || a.Hasher() != b.Hasher() {
		return false
	}
	x, y := a.contents().bits, b.contents().bits
	whole := a.Bits() / 8
	same := bytes.Equal(x[:whole], y[:whole])
	if r := a.Bits() % 8; same && r != 0 {
		same = (x[whole]^y[whole])&(1<<r-1) == 0
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
	return same
}
