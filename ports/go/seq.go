//go:build go1.23

package bloomery

import "iter"

// InsertSeq inserts all keys of a sequence, one at a time: a key may share its memory with the next one, as those of a scanner do.
//
//	bloomery.InsertSeq(f, maps.Keys(users))
func InsertSeq[K string | []byte](f interface {
	Filter
	Inserter
}, keys iter.Seq[K]) {
	h := f.Hasher()
	keys(func(key K) bool {
		f.InsertHash(h.Hash(bytesOf(key)))
		return true
	})
}
