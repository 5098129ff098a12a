//go:build go1.23

package bloomery_test

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bloomery"
)

// A sequence whose keys share one buffer gives the same bits as a batch.
func TestInsertSeq(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f, g := made(t, m), made(t, m)
		keys := keysOf("k", 100)
		f.InsertMany(keys)
		bloomery.InsertSeq(g, func(yield func([]byte) bool) {
			var buffer []byte
			for _, k := range keys {
				buffer = append(buffer[:0], k...)
				if !yield(buffer) {
					return
				}
			}
		})
		if !bloomery.Equal(f, g) {
			t.Error("other bits than by InsertMany")
		}
	})
}

// Keys of a sequence: those of a map, of a channel, or, here, the lines of a reader.
func ExampleInsertSeq() {
	f, _ := bloomery.New(1000, 0.01)
	bloomery.InsertSeq(f, slices.Values([]string{"alice", "bob"}))

	lines := bufio.NewScanner(strings.NewReader("carol\ndave\n"))
	bloomery.InsertSeq(f, func(yield func([]byte) bool) {
		for lines.Scan() && yield(lines.Bytes()) {
		}
	})
	fmt.Println(f.MayContainString("bob"), f.MayContainString("dave"), f.MayContainString("mallory"))
	// Output: true true false
}
