package bloomery

// Filters of integers are made with a hasher of them (Hasher.Of, or the option Source where the hash is fixed); the calls below
// panic on others. A signed integer is converted: uint64(-1) is ffffffffffffffff. 42 is the same key whatever type held it.

// InsertUint64 inserts an integer.
func (f *PortableBloom) InsertUint64(x uint64) { f.InsertHash(f.Hasher().HashUint64(x)) }

// MayContainUint64 answers false only if the integer was definitely not inserted.
func (f *PortableBloom) MayContainUint64(x uint64) bool {
	return f.MayContainHash(f.Hasher().HashUint64(x))
}

// InsertUint64 inserts an integer.
func (f *BlockBloom) InsertUint64(x uint64) {
	v, ok := f.hasher.mixed(x)
	if !ok {
		v = f.hasher.HashUint64(x)
	}
	f.InsertHash(v)
}

// MayContainUint64 answers false only if the integer was definitely not inserted.
func (f *BlockBloom) MayContainUint64(x uint64) bool {
	v, ok := f.hasher.mixed(x)
	if !ok {
		v = f.hasher.HashUint64(x)
	}
	return f.MayContainHash(v)
}

// InsertUint64 inserts an integer.
func (f *SplitBlockBloom) InsertUint64(x uint64) { f.InsertHash(f.hasher.HashUint64(x)) }

// MayContainUint64 answers false only if the integer was definitely not inserted.
func (f *SplitBlockBloom) MayContainUint64(x uint64) bool {
	return f.MayContainHash(f.hasher.HashUint64(x))
}

// InsertUint64 inserts an integer.
func (f *Bloom) InsertUint64(x uint64) {
	v, ok := f.hasher.mixed(x)
	if !ok {
		v = f.hasher.HashUint64(x)
	}
	f.InsertHash(v)
}

// MayContainUint64 answers false only if the integer was definitely not inserted.
func (f *Bloom) MayContainUint64(x uint64) bool {
	v, ok := f.hasher.mixed(x)
	if !ok {
		v = f.hasher.HashUint64(x)
	}
	return f.MayContainHash(v)
}

// InsertUint64 inserts an integer.
func (f *PartitionedBloom) InsertUint64(x uint64) {
	v, ok := f.hasher.mixed(x)
	if !ok {
		v = f.hasher.HashUint64(x)
	}
	f.InsertHash(v)
}

// MayContainUint64 answers false only if the integer was definitely not inserted.
func (f *PartitionedBloom) MayContainUint64(x uint64) bool {
	v, ok := f.hasher.mixed(x)
	if !ok {
		v = f.hasher.HashUint64(x)
	}
	return f.MayContainHash(v)
}

// InsertUint64 inserts an integer.
func (f *AtomicPortable) InsertUint64(x uint64) { f.InsertHash(f.rule.Hasher().HashUint64(x)) }

// MayContainUint64 answers false only if the integer was definitely not inserted.
func (f *AtomicPortable) MayContainUint64(x uint64) bool {
	return f.MayContainHash(f.rule.Hasher().HashUint64(x))
}

// InsertUint64 inserts an integer.
func (f *AtomicBlock) InsertUint64(x uint64) { f.InsertHash(f.rule.hasher.HashUint64(x)) }

// MayContainUint64 answers false only if the integer was definitely not inserted.
func (f *AtomicBlock) MayContainUint64(x uint64) bool {
	return f.MayContainHash(f.rule.hasher.HashUint64(x))
}

// InsertUint64 inserts an integer.
func (f *AtomicPartitioned) InsertUint64(x uint64) { f.InsertHash(f.rule.hasher.HashUint64(x)) }

// MayContainUint64 answers false only if the integer was definitely not inserted.
func (f *AtomicPartitioned) MayContainUint64(x uint64) bool {
	return f.MayContainHash(f.rule.hasher.HashUint64(x))
}

// MayContainUint64 is MayContain for an integer.
func (p *Packed) MayContainUint64(member, x uint64) bool {
	return p.MayContainHash(member, p.hasher.HashUint64(x))
}
