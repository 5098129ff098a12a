// The peer written in Go: bits-and-blooms/bloom, behind the C calls that
// ../go_peers.cpp puts into a table.
//
// Its keys are byte slices and it always hashes them (murmur3): 8 bytes per key here.
package main

// #include <stddef.h>
// #include <stdint.h>
import "C"

import (
	"runtime/cgo"
	"unsafe"

	"github.com/bits-and-blooms/bloom/v3"
)

const keySize = 8

func keysAt(keys *C.uint64_t, count C.size_t) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(keys)), keySize*int(count))
}

func filterOf(handle C.uintptr_t) *bloom.BloomFilter {
	return cgo.Handle(handle).Value().(*bloom.BloomFilter)
}

//export bloomery_go_make
func bloomery_go_make(keys C.uint64_t, fpr C.double) C.uintptr_t {
	return C.uintptr_t(cgo.NewHandle(bloom.NewWithEstimates(uint(keys), float64(fpr))))
}

//export bloomery_go_insert
func bloomery_go_insert(handle C.uintptr_t, keys *C.uint64_t, count C.size_t) {
	filter := filterOf(handle)
	for all := keysAt(keys, count); len(all) > 0; all = all[keySize:] {
		filter.Add(all[:keySize])
	}
}

//export bloomery_go_clear
func bloomery_go_clear(handle C.uintptr_t) {
	filterOf(handle).ClearAll()
}

//export bloomery_go_count
func bloomery_go_count(handle C.uintptr_t, keys *C.uint64_t, count C.size_t) C.uint64_t {
	filter := filterOf(handle)
	yes := 0
	for all := keysAt(keys, count); len(all) > 0; all = all[keySize:] {
		if filter.Test(all[:keySize]) {
			yes++
		}
	}
	return C.uint64_t(yes)
}

//export bloomery_go_bytes
func bloomery_go_bytes(handle C.uintptr_t) C.size_t {
	return C.size_t((filterOf(handle).Cap() + 7) / 8)
}

//export bloomery_go_free
func bloomery_go_free(handle C.uintptr_t) {
	cgo.Handle(handle).Delete()
}

func main() {}
