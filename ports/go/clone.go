package bloomery

import "runtime"

// Clone copies a filter: the two share no memory, and what one inserts the other does not have. It fails only where memory does.
// A filter that came out of an opened file is copied from memory, insertions included; the file may be closed afterwards.

// Clone returns a copy that shares no memory with f.
func (f *PortableBloom) Clone() (*PortableBloom, error) {
	a, err := f.array.clone()
	if err != nil {
		return nil, err
	}
	g := *f
	g.array = a
	return &g, nil
}

// Clone returns a copy that shares no memory with f.
func (f *BlockBloom) Clone() (*BlockBloom, error) {
	a, err := f.array.clone()
	if err != nil {
		return nil, err
	}
	g := *f
	g.array = a
	return &g, nil
}

// Clone returns a copy that shares no memory with f.
func (f *SplitBlockBloom) Clone() (*SplitBlockBloom, error) {
	a, err := f.array.clone()
	if err != nil {
		return nil, err
	}
	g := *f
	g.array = a
	return &g, nil
}

// Clone returns a copy that shares no memory with f.
func (f *Bloom) Clone() (*Bloom, error) {
	a, err := f.array.clone()
	if err != nil {
		return nil, err
	}
	g := *f
	g.array = a
	return &g, nil
}

// Clone returns a copy that shares no memory with f.
func (f *PartitionedBloom) Clone() (*PartitionedBloom, error) {
	a, err := f.array.clone()
	if err != nil {
		return nil, err
	}
	g := *f
	g.array = a
	return &g, nil
}

// clone copies the bytes, and what is known of damage: damage maps are not changed once they are made.
func (a *array) clone() (array, error) {
	c, err := copyOf(a.bits)
	if err != nil {
		return array{}, err
	}
	c.damaged, c.damage, c.noted = a.damaged, a.damage, a.noted
	runtime.KeepAlive(a)
	return c, nil
}
