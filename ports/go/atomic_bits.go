package bloomery

import (
	"encoding/binary"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// sharedBits are bits that several goroutines set and test at once. Bit i is bit i mod 64 of word i / 64, which on every
// machine is bit i mod 8 of byte i / 8 once the words are written little-endian.
type sharedBits struct {
	words []uint64
	size  int // bytes of the file's array
	mem   *region
}

func newSharedBits(size uint64) (sharedBits, error) {
	count := (size + 7) / 8
	a, err := newArray(8 * count)
	if err != nil {
		return sharedBits{}, err
	}
	if a.mem == nil {
		return sharedBits{words: make([]uint64, count), size: int(size)}, nil
	}
	pages := unsafe.Slice((*uint64)(unsafe.Pointer(&a.bits[0])), count) // pages are aligned
	return sharedBits{pages, int(size), a.mem}, nil
}

// set looks before it writes: a line that already has the bit stays shared between the processors' caches.
func (s *sharedBits) set(i uint64) {
	word, mask := &s.words[i/64], uint64(1)<<(i%64)
	if atomic.LoadUint64(word)&mask == 0 {
		orWord(word, mask)
	}
}

func (s *sharedBits) test(i uint64) bool { return atomic.LoadUint64(&s.words[i/64])>>(i%64)&1 != 0 }

// snapshot copies the bits. Every bit that was set before it began is in it.
func (s *sharedBits) snapshot() (array, error) {
	a, err := newArray(uint64(s.size))
	if err != nil {
		return a, err
	}
	var last [8]byte
	for i := range s.words {
		binary.LittleEndian.PutUint64(last[:], atomic.LoadUint64(&s.words[i]))
		copy(a.bits[8*i:], last[:])
	}
	runtime.KeepAlive(s)
	return a, nil
}

// share copies the bits of an array.
func share(a *array) (sharedBits, error) {
	s, err := newSharedBits(uint64(len(a.bits)))
	if err != nil {
		return s, err
	}
	for i, v := range a.bits {
		if v != 0 {
			orWord(&s.words[i/8], uint64(v)<<(8*(i%8)))
		}
	}
	runtime.KeepAlive(a)
	return s, nil
}

// SizeInBytes returns the length of the bit array in bytes.
func (s *sharedBits) SizeInBytes() uint64 { return uint64(s.size) }

// Close gives the memory back at once. Nobody may use the filter any more.
func (s *sharedBits) Close() error {
	s.words = nil
	s.mem.release()
	s.mem = nil
	return nil
}
