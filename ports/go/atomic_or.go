//go:build go1.23

package bloomery

import "sync/atomic"

// orWord sets bits of a word that others may write to: one instruction where the processor has it, so wait-free there.
func orWord(word *uint64, mask uint64) { atomic.OrUint64(word, mask) }
