package dialect

import (
	"encoding/binary"
	"math"
)

// The types of Thrift's compact protocol that Parquet's structures use.
const (
	thriftStop   = 0
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
	thriftUUID   = 13

	thriftDepth = 32 // the outermost structure has depth 1, and what nests one more than what it lies in
)

// A thrift walks through bytes. Once something does not fit it is bad, for good, and everything it returns is zero.
type thrift struct {
	b   []byte
	at  int
	bad bool
}

func (t *thrift) fail() { t.bad, t.at = true, len(t.b) }

func (t *thrift) byte() byte {
	if t.bad || t.at >= len(t.b) {
		t.fail()
		return 0
	}
	t.at++
	return t.b[t.at-1]
}

func (t *thrift) varint() uint64 {
	if t.bad {
		return 0
	}
	v, n := binary.Uvarint(t.b[t.at:])
	if n <= 0 {
		t.fail()
		return 0
	}
	t.at += n
	return v
}

func (t *thrift) integer() int64 {
	v := t.varint()
	return int64(v>>1) ^ -int64(v&1)
}

// bytes walks over so many.
func (t *thrift) bytes(n uint64) {
	if t.bad || n > uint64(len(t.b)-t.at) {
		t.fail()
		return
	}
	t.at += int(n)
}

// field returns the next field of a structure whose last one was id; its type is thriftStop at the end.
func (t *thrift) field(id *int64) byte {
	head := t.byte()
	if t.bad || head&15 == thriftStop {
		if head != 0 {
			t.fail()
		}
		return thriftStop
	}
	if delta := int64(head >> 4); delta != 0 {
		*id += delta
	} else {
		*id = t.integer()
	}
	if *id < math.MinInt16 || *id > math.MaxInt16 { // an id has 16 bits
		t.fail()
		return thriftStop
	}
	return head & 15
}

// elements reads the header of a list whose elements must be of a kind. The number of a list of others is 0, and they are
// walked over; depth is that of the list.
func (t *thrift) elements(kind byte, depth int) uint64 {
	n, of := t.list()
	if of == kind {
		return n
	}
	for ; n > 0 && !t.bad; n-- {
		t.skip(of, false, depth)
	}
	return 0
}

// list returns the number and type of the elements that follow. Each takes at least a byte.
func (t *thrift) list() (n uint64, kind byte) {
	head := t.byte()
	n, kind = uint64(head>>4), head&15
	if n == 15 {
		n = t.varint()
	}
	if t.bad || n > uint64(len(t.b)-t.at) {
		t.fail()
		return 0, kind
	}
	return n, kind
}

// skip walks over a value that lies at a depth. In a structure a truth value has no separate byte.
func (t *thrift) skip(kind byte, inField bool, depth int) {
	nests := kind == thriftList || kind == thriftSet || kind == thriftMap || kind == thriftStruct
	if nests && depth >= thriftDepth {
		t.fail()
	}
	if t.bad {
		return
	}
	switch kind {
	case thriftTrue, thriftFalse:
		if !inField {
			t.byte()
		}
	case thriftByte:
		t.byte()
	case thriftI16, thriftI32, thriftI64:
		t.varint()
	case thriftDouble:
		t.bytes(8)
	case thriftUUID:
		t.bytes(16)
	case thriftBinary:
		t.bytes(t.varint())
	case thriftList, thriftSet:
		n, of := t.list()
		for ; n > 0 && !t.bad; n-- {
			t.skip(of, false, depth+1)
		}
	case thriftMap:
		n := t.varint()
		if n == 0 {
			return
		}
		of := t.byte()
		for ; n > 0 && !t.bad; n-- {
			t.skip(of>>4, false, depth+1)
			t.skip(of&15, false, depth+1)
		}
	case thriftStruct:
		id := int64(0)
		for f := t.field(&id); f != thriftStop; f = t.field(&id) {
			t.skip(f, true, depth+1)
		}
	default:
		t.fail()
	}
}
