package bloomery

import (
	"bytes"
	"io"
)

// Filters as encoding.BinaryMarshaler, encoding.BinaryUnmarshaler, io.WriterTo and io.ReaderFrom, for encoding/gob, caches and RPC.
// The bytes are a container without meta, so every language reads them and all checks of DecodeContainer hold. A PortableBloom
// writes its bare file instead (portable_file.go). Use EncodeContainer and Save where the rate, sentinels or notes are to be
// recorded, and DecodeContainer where damage has to be counted.
//
// A reader that is the zero value takes any filter of its kind, with the seed and the source that the bytes record. Keys under a
// secret need a reader that was made with it: f, _ := New(1, 0.01, WithSecret(s)); f.UnmarshalBinary(b). Bytes that are refused leave the
// reader as it was.

// marshal is the container of a filter.
func marshal(b []byte, f Filter) ([]byte, error) {
	w := bytes.NewBuffer(b)
	w.Grow(int(f.SizeInBytes()) + int(f.SizeInBytes())/1024 + 2*pageOffset)
	if _, err := WriteContainer(w, f, Meta{}); err != nil {
		return nil, err
	}
	return w.Bytes(), nil
}

// readerOf is how a filter reads another of its kind.
func readerOf(f Filter) ReadOptions {
	o := ReadOptions{Expect: f.Kind(), Source: AnySource}
	if h := f.Hasher(); h.id == SipHash13 {
		secret := h.secret()
		o.Secret = &secret
	}
	return o
}

// read reads to the end of a stream, and counts.
func read(r io.Reader, o ReadOptions) (*Container, int64, error) {
	counted := &countingReader{r: r}
	c, err := ReadContainer(counted, o)
	return c, counted.n, err
}

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// AppendBinary appends the container of the filter to b.
func (f *BlockBloom) AppendBinary(b []byte) ([]byte, error) { return marshal(b, f) }

// MarshalBinary returns the container of the filter.
func (f *BlockBloom) MarshalBinary() ([]byte, error) { return marshal(nil, f) }

// WriteTo writes the container of the filter.
func (f *BlockBloom) WriteTo(w io.Writer) (int64, error) { return WriteContainer(w, f, Meta{}) }

// UnmarshalBinary makes f the filter of a container.
func (f *BlockBloom) UnmarshalBinary(data []byte) error {
	c, err := DecodeContainer(data, readerOf(f))
	if err == nil {
		f.become(c.Filter.(*BlockBloom))
	}
	return err
}

// ReadFrom makes f the filter of a container that it reads to the end of the stream.
func (f *BlockBloom) ReadFrom(r io.Reader) (int64, error) {
	c, n, err := read(r, readerOf(f))
	if err == nil {
		f.become(c.Filter.(*BlockBloom))
	}
	return n, err
}

func (f *BlockBloom) become(other *BlockBloom) {
	old := f.array
	*f = *other
	_ = old.Close()
}

// AppendBinary appends the container of the filter to b.
func (f *SplitBlockBloom) AppendBinary(b []byte) ([]byte, error) { return marshal(b, f) }

// MarshalBinary returns the container of the filter.
func (f *SplitBlockBloom) MarshalBinary() ([]byte, error) { return marshal(nil, f) }

// WriteTo writes the container of the filter.
func (f *SplitBlockBloom) WriteTo(w io.Writer) (int64, error) { return WriteContainer(w, f, Meta{}) }

// UnmarshalBinary makes f the filter of a container.
func (f *SplitBlockBloom) UnmarshalBinary(data []byte) error {
	c, err := DecodeContainer(data, readerOf(f))
	if err == nil {
		f.become(c.Filter.(*SplitBlockBloom))
	}
	return err
}

// ReadFrom makes f the filter of a container that it reads to the end of the stream.
func (f *SplitBlockBloom) ReadFrom(r io.Reader) (int64, error) {
	c, n, err := read(r, readerOf(f))
	if err == nil {
		f.become(c.Filter.(*SplitBlockBloom))
	}
	return n, err
}

func (f *SplitBlockBloom) become(other *SplitBlockBloom) {
	old := f.array
	*f = *other
	_ = old.Close()
}

// AppendBinary appends the container of the filter to b.
func (f *Bloom) AppendBinary(b []byte) ([]byte, error) { return marshal(b, f) }

// MarshalBinary returns the container of the filter.
func (f *Bloom) MarshalBinary() ([]byte, error) { return marshal(nil, f) }

// WriteTo writes the container of the filter.
func (f *Bloom) WriteTo(w io.Writer) (int64, error) { return WriteContainer(w, f, Meta{}) }

// UnmarshalBinary makes f the filter of a container.
func (f *Bloom) UnmarshalBinary(data []byte) error {
	c, err := DecodeContainer(data, readerOf(f))
	if err == nil {
		f.become(c.Filter.(*Bloom))
	}
	return err
}

// ReadFrom makes f the filter of a container that it reads to the end of the stream.
func (f *Bloom) ReadFrom(r io.Reader) (int64, error) {
	c, n, err := read(r, readerOf(f))
	if err == nil {
		f.become(c.Filter.(*Bloom))
	}
	return n, err
}

func (f *Bloom) become(other *Bloom) {
	old := f.array
	*f = *other
	_ = old.Close()
}

// AppendBinary appends the container of the filter to b.
func (f *PartitionedBloom) AppendBinary(b []byte) ([]byte, error) { return marshal(b, f) }

// MarshalBinary returns the container of the filter.
func (f *PartitionedBloom) MarshalBinary() ([]byte, error) { return marshal(nil, f) }

// WriteTo writes the container of the filter.
func (f *PartitionedBloom) WriteTo(w io.Writer) (int64, error) { return WriteContainer(w, f, Meta{}) }

// UnmarshalBinary makes f the filter of a container.
func (f *PartitionedBloom) UnmarshalBinary(data []byte) error {
	c, err := DecodeContainer(data, readerOf(f))
	if err == nil {
		f.become(c.Filter.(*PartitionedBloom))
	}
	return err
}

// ReadFrom makes f the filter of a container that it reads to the end of the stream.
func (f *PartitionedBloom) ReadFrom(r io.Reader) (int64, error) {
	c, n, err := read(r, readerOf(f))
	if err == nil {
		f.become(c.Filter.(*PartitionedBloom))
	}
	return n, err
}

func (f *PartitionedBloom) become(other *PartitionedBloom) {
	old := f.array
	*f = *other
	_ = old.Close()
}
