package bloomery

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"

	"bloomery/internal/fault"
)

// portableHeader is k and m; the bits follow (spec/dialects.md 1).
const portableHeader = 12

// whole refuses a filter that was read with damaged chunks, or whose keys are not bytes: a bare file has no place to record that.
func (f *PortableBloom) whole() error {
	if f.m == 0 {
		return fault.New(InvalidArgument, "a filter that was not made has nothing to write")
	}
	if f.damaged {
		return fault.New(Corrupt, "parts of the filter are damaged; it is not written as if it were whole")
	}
	if s := f.hasher.source; s != Bytes {
		return fault.New(Unsupported, "portable bytes cannot say that keys are "+s.String()+"; write a container")
	}
	return nil
}

// AppendBinary appends the file of the filter to b.
func (f *PortableBloom) AppendBinary(b []byte) ([]byte, error) {
	if err := f.whole(); err != nil {
		return nil, err
	}
	b = binary.LittleEndian.AppendUint32(b, f.k)
	b = binary.LittleEndian.AppendUint64(b, f.m)
	b = append(b, f.bits...)
	runtime.KeepAlive(f)
	return b, nil
}

// MarshalBinary returns the file of the filter: k, m and the bits.
func (f *PortableBloom) MarshalBinary() ([]byte, error) {
	return f.AppendBinary(make([]byte, 0, portableHeader+len(f.bits)))
}

// WriteTo writes the file of the filter.
func (f *PortableBloom) WriteTo(w io.Writer) (int64, error) {
	if err := f.whole(); err != nil {
		return 0, err
	}
	var head [portableHeader]byte
	binary.LittleEndian.PutUint32(head[:], f.k)
	binary.LittleEndian.PutUint64(head[4:], f.m)
	n, err := w.Write(head[:])
	if err == nil {
		var more int
		more, err = w.Write(f.bits)
		n += more
	}
	runtime.KeepAlive(f)
	if err != nil {
		return int64(n), fault.Wrap("the filter could not be written", err)
	}
	return int64(n), nil
}

// portableShape checks a header against the bytes that are there; length is that of the whole file.
func portableShape(head []byte, length uint64) (m uint64, k uint32, err error) {
	if len(head) < portableHeader {
		return 0, 0, fault.At(Corrupt, len(head), "shorter than the header of a portable filter")
	}
	k, m = binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint64(head[4:])
	switch body := length - portableHeader; {
	case k == 0:
		err = fault.At(Corrupt, 0, "no hashes")
	case m == 0:
		err = fault.At(Corrupt, 4, "no bits")
	case body < bytesFor(m):
		err = fault.At(Corrupt, int(length), "fewer bytes than the bits take")
	case body > bytesFor(m):
		err = fault.At(Corrupt, portableHeader+int(bytesFor(m)), "bytes after the bits")
	}
	return m, k, err
}

// UnmarshalBinary makes f the filter of a file of byte keys, which it copies. What is refused, and at which byte, is
// spec/dialects.md 1.1; f is unchanged then.
func (f *PortableBloom) UnmarshalBinary(data []byte) error {
	m, k, err := portableShape(data, uint64(len(data)))
	if err != nil {
		return err
	}
	a, err := copyOf(data[portableHeader:])
	if err != nil {
		return err
	}
	f.become(portableOf(a, m, k))
	return nil
}

// DecodePortable returns the filter of a file, whose keys are bytes.
func DecodePortable(data []byte) (*PortableBloom, error) { return DecodePortableOf(data, Bytes) }

// DecodePortableOf returns the filter of a file whose keys are what the caller says: the file does not.
func DecodePortableOf(data []byte, s Source) (*PortableBloom, error) {
	if err := s.known(); err != nil {
		return nil, err
	}
	f := new(PortableBloom)
	if err := f.UnmarshalBinary(data); err != nil {
		return nil, err
	}
	f.hasher = f.hasher.Of(s)
	return f, nil
}

// ReadFrom makes f the filter of a file of byte keys that it reads to its end. Memory grows with the bytes that arrive, never on
// the word of the header.
func (f *PortableBloom) ReadFrom(r io.Reader) (int64, error) {
	var head [portableHeader]byte
	n, err := io.ReadFull(r, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return int64(n), fault.Wrap("the filter could not be read", err)
	}
	// With a body as long as an int can be, only k and m themselves can be wrong.
	m, k, err := portableShape(head[:n], math.MaxUint64)
	if e, ok := err.(*Error); ok && e.Offset < portableHeader {
		return int64(n), err
	}
	a, err := readGrowing(r, bytesFor(m))
	read := int64(n) + int64(len(a.bits))
	if err == nil && uint64(len(a.bits)) < bytesFor(m) {
		err = fault.At(Corrupt, int(read), "fewer bytes than the bits take")
	}
	if err == nil {
		var one [1]byte
		switch _, last := io.ReadFull(r, one[:]); {
		case last == nil:
			read++
			err = fault.At(Corrupt, int(read)-1, "bytes after the bits")
		case last != io.EOF:
			err = fault.Wrap("the filter could not be read", last)
		}
	}
	if err != nil {
		_ = a.Close()
		return read, err
	}
	f.become(portableOf(a, m, k))
	return read, nil
}

// readGrowing reads up to n bytes. The array doubles as they arrive.
func readGrowing(r io.Reader, n uint64) (array, error) {
	const first = 64 << 10
	var a array
	have := 0
	for size := uint64(first); uint64(have) < n; size *= 2 {
		if size > n {
			size = n
		}
		larger, err := newArray(size)
		if err != nil {
			_ = a.Close()
			return array{}, err
		}
		copy(larger.bits, a.bits[:have])
		_ = a.Close()
		a = larger
		got, err := io.ReadFull(r, a.bits[have:])
		have += got
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			_ = a.Close()
			return array{}, fault.Wrap("the filter could not be read", err)
		}
	}
	a.bits = a.bits[:have]
	return a, nil
}

// become takes over another filter's memory and gives its own back.
func (f *PortableBloom) become(other *PortableBloom) {
	old := f.array
	*f = *other
	_ = old.Close()
}
