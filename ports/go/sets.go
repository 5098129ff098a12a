package bloomery

import (
	"bytes"
	"runtime"

	"bloomery/internal/fault"
)

// Merge makes dst the union of two filters of the same kind, as their own Merge does.
func Merge(dst, src Filter) error { return dst.mergeFrom(src) }

// sameKind is another filter as one of the same kind, or an error.
func sameKind[F Filter](other Filter) (F, error) {
	f, ok := other.(F)
	if !ok {
		return f, fault.New(Incompatible, "filters of different kinds do not merge")
	}
	return f, nil
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
