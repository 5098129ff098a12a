//go:build !go1.23

package bloomery

import "sync/atomic"

// orWord sets bits of a word that others may write to. It is lock-free: it tries again only when another writer got
// through, and at most 64 of them can change the word.
func orWord(word *uint64, mask uint64) {
	for {
		old := atomic.LoadUint64(word)
		if old&mask == mask || atomic.CompareAndSwapUint64(word, old, old|mask) {
			return
		}
	}
}
