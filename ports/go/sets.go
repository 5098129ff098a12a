package bloomery

import (
	"bytes"
	"runtime"

	"bloomery/internal/fault"
)

// Merge makes dst the union of two filters of the same kind. Kinds without union refuse (Unsupported).
func Merge(dst, src Filter) error {
	f, err := As[Merger](dst)
	if err != nil {
		return err
	}
	return f.Merge(src)
}

// Intersect leaves in dst what src has too. Kinds without intersection refuse (Unsupported).
func Intersect(dst, src Filter) error {
	f, err := As[Intersecter](dst)
	if err != nil {
		return err
	}
	return f.Intersect(src)
}

// sameKind is another filter as one of the same kind, or an error.
func sameKind[F Filter](other Filter) (F, error) {
	f, ok := other.(F)
	if !ok {
		return f, fault.New(Incompatible, "filters of different kinds do not combine")
	}
	return f, nil
}

// Equal reports whether two filters have the same kind, shape, hasher and bits. Bits after the last do not count. Where units are not
// all that the array has, all its bytes count.
func Equal(a, b Filter) bool {
	if a.Kind() != b.Kind() || a.Shape() != b.Shape() || a.Hasher() != b.Hasher() {
		return false
	}
	x, y := a.contents().bits, b.contents().bits
	bits := a.Bits()
	if rowOf(a.Kind()).unitBits == nil {
		bits = 8 * a.SizeInBytes()
	}
	whole := bits / 8
	same := bytes.Equal(x[:whole], y[:whole])
	if r := bits % 8; same && r != 0 {
		same = (x[whole]^y[whole])&(1<<r-1) == 0
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
	return same
}
