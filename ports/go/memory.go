package bloomery

import (
	"math"
	"runtime"

	"bloomery/internal/fault"
)

// offHeap is the size from which the bits of a filter lie outside the garbage collector's heap, where the system
// allows it: they hold no pointers, and a large filter on the heap would stretch the pauses between collections.
const offHeap = 1 << 20

// A region is memory that the garbage collector does not own.
type region struct{ mapped []byte }

// adopt makes the collector give the region back if its owner forgets to Close.
func adopt(mapped []byte) *region {
	r := &region{mapped}
	runtime.SetFinalizer(r, (*region).release)
	return r
}

func (r *region) release() {
	if r != nil && r.mapped != nil {
		unmap(r.mapped)
		r.mapped = nil
		runtime.SetFinalizer(r, nil)
	}
}

// An array is the bytes of a filter and, if they are not on the heap, the region they lie in. Code that uses bits keeps
// the array's owner alive until it is done (runtime.KeepAlive): a finalizer may take the region away otherwise.
type array struct {
	bits    []byte
	mem     *region
	damaged bool       // a chunk was damaged when the filter was read: not to be written as if whole
	damage  *damageMap // the damaged chunks, where DamagePossiblyPresent is the rule; else nil
	noted
}

// What is known of a filter beside its bytes, and goes into its files.
type noted struct {
	asked    float64 // the rate that it was made for; 0: not known
	receipts []byte  // the record of its numbered receipts, of kinds that erase; nil: none
}

// newArray returns n zero bytes, or an error that says there is no memory for them.
func newArray(n uint64) (array, error) {
	if n > math.MaxInt/2 || n > 1<<50 {
		return array{}, fault.New(OutOfMemory, "no address space for so many bits")
	}
	if n >= offHeap {
		mapped, err := mapAnonymous(int(n))
		if err != nil {
			return array{}, &Error{Code: OutOfMemory, Offset: NoOffset, What: "no memory for the bits", Cause: err}
		}
		if mapped != nil {
			return array{bits: mapped, mem: adopt(mapped)}, nil
		}
	}
	return array{bits: make([]byte, n)}, nil
}

// SizeInBytes returns the length of the bit array in bytes.
func (a *array) SizeInBytes() uint64 { return uint64(len(a.bits)) }

// Close gives the memory back at once, instead of when the collector gets to it. The filter must not be used after.
func (a *array) Close() error {
	a.bits = nil
	a.mem.release()
	a.mem = nil
	return nil
}

// copyOf returns a new array with the same bytes.
func copyOf(src []byte) (array, error) {
	a, err := newArray(uint64(len(src)))
	copy(a.bits, src)
	return a, err
}

// zero clears all bits, and with them the damage.
func (a *array) zero() {
	fill(a.bits, 0)
	a.damaged, a.damage = false, nil
}
