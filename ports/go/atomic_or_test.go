package bloomery

import (
	"sync"
	"testing"
)

// Goroutines that walk over the same words, each setting bits of its own, lose none.
func TestNoBitIsLost(t *testing.T) {
	const writers = 4
	s, err := newSharedBits(1 << 16)
	if err != nil {
		t.Fatal(err)
	}
	for round := 0; round < 20; round++ {
		for i := range s.words {
			s.words[i] = 0
		}
		var start, done sync.WaitGroup
		start.Add(1)
		for w := uint64(0); w < writers; w++ {
			done.Add(1)
			go func(w uint64) {
				defer done.Done()
				start.Wait()
				for i := w; i < 1<<19; i += writers {
					s.set(i)
				}
			}(w)
		}
		start.Done()
		done.Wait()
		for i, v := range s.words {
			if v != ^uint64(0) {
				t.Fatalf("round %d: word %d is %x", round, i, v)
			}
		}
	}
}
