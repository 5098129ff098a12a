package bloomery

// Insertions that report whether the key was new. Both forms change the same bits; they differ in what true means:
//
//	InsertIfAbsent  true: the key was definitely not present, and is now inserted. false: it was possibly present.
//	TestAndAdd      true: the key was possibly present before the call. false: it was definitely not, and is now inserted.
//
// TestAndAdd is the name and the meaning that bits-and-blooms/bloom has. "Possibly present" includes false positives: a new key is
// reported as present at the filter's rate. Called twice in a row with one key, the second call reports it as present.
//
// None of these calls is safe beside other calls of the same filter. The atomic filters do not have them: two goroutines that
// insert one key, each setting some of its bits, could both see it as new.

// A TestAdder inserts a key and returns whether it was possibly present before.
type TestAdder interface {
	TestAndAdd(key []byte) bool
	TestAndAddString(key string) bool
}

// TestAndAdd inserts a key, and returns whether it was possibly present before.
func (f *PortableBloom) TestAndAdd(key []byte) bool { return !f.InsertIfAbsent(key) }

// TestAndAddString is TestAndAdd for a string.
func (f *PortableBloom) TestAndAddString(key string) bool { return !f.InsertIfAbsent(view(key)) }

// InsertIfAbsentString is InsertIfAbsent for a string.
func (f *PortableBloom) InsertIfAbsentString(key string) bool { return f.InsertIfAbsent(view(key)) }

// InsertIfAbsentUint64 is InsertIfAbsent for an integer.
func (f *PortableBloom) InsertIfAbsentUint64(x uint64) bool {
	return insertIfAbsent(f, f.Hasher().HashUint64(x))
}

// TestAndAdd inserts a key, and returns whether it was possibly present before.
func (f *BlockBloom) TestAndAdd(key []byte) bool { return !f.InsertIfAbsent(key) }

// TestAndAddString is TestAndAdd for a string.
func (f *BlockBloom) TestAndAddString(key string) bool { return !f.InsertIfAbsent(view(key)) }

// InsertIfAbsentString is InsertIfAbsent for a string.
func (f *BlockBloom) InsertIfAbsentString(key string) bool { return f.InsertIfAbsent(view(key)) }

// InsertIfAbsentUint64 is InsertIfAbsent for an integer.
func (f *BlockBloom) InsertIfAbsentUint64(x uint64) bool {
	return insertIfAbsent(f, f.hasher.HashUint64(x))
}

// TestAndAdd inserts a key, and returns whether it was possibly present before.
func (f *SplitBlockBloom) TestAndAdd(key []byte) bool { return !f.InsertIfAbsent(key) }

// TestAndAddString is TestAndAdd for a string.
func (f *SplitBlockBloom) TestAndAddString(key string) bool { return !f.InsertIfAbsent(view(key)) }

// InsertIfAbsentString is InsertIfAbsent for a string.
func (f *SplitBlockBloom) InsertIfAbsentString(key string) bool { return f.InsertIfAbsent(view(key)) }

// InsertIfAbsentUint64 is InsertIfAbsent for an integer.
func (f *SplitBlockBloom) InsertIfAbsentUint64(x uint64) bool {
	return insertIfAbsent(f, f.hasher.HashUint64(x))
}

// TestAndAdd inserts a key, and returns whether it was possibly present before.
func (f *Bloom) TestAndAdd(key []byte) bool { return !f.InsertIfAbsent(key) }

// TestAndAddString is TestAndAdd for a string.
func (f *Bloom) TestAndAddString(key string) bool { return !f.InsertIfAbsent(view(key)) }

// InsertIfAbsentString is InsertIfAbsent for a string.
func (f *Bloom) InsertIfAbsentString(key string) bool { return f.InsertIfAbsent(view(key)) }

// InsertIfAbsentUint64 is InsertIfAbsent for an integer.
func (f *Bloom) InsertIfAbsentUint64(x uint64) bool {
	return insertIfAbsent(f, f.hasher.HashUint64(x))
}

// TestAndAdd inserts a key, and returns whether it was possibly present before.
func (f *PartitionedBloom) TestAndAdd(key []byte) bool { return !f.InsertIfAbsent(key) }

// TestAndAddString is TestAndAdd for a string.
func (f *PartitionedBloom) TestAndAddString(key string) bool { return !f.InsertIfAbsent(view(key)) }

// InsertIfAbsentString is InsertIfAbsent for a string.
func (f *PartitionedBloom) InsertIfAbsentString(key string) bool { return f.InsertIfAbsent(view(key)) }

// InsertIfAbsentUint64 is InsertIfAbsent for an integer.
func (f *PartitionedBloom) InsertIfAbsentUint64(x uint64) bool {
	return insertIfAbsent(f, f.hasher.HashUint64(x))
}
