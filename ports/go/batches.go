package bloomery

// Batches of strings and of integers, for the kinds that have no loops of their own for them (portable_batch.go).

// InsertManyUint64 inserts all integers.
func (f *PortableBloom) InsertManyUint64(keys []uint64) {
	insertIntegers(f.InsertManyHashes, f.Hasher(), keys)
}

// MayContainManyUint64 is MayContainMany for integers.
func (f *PortableBloom) MayContainManyUint64(keys []uint64, out []bool) int {
	return lookIntegers(f.MayContainManyHashes, f.Hasher(), keys, out)
}

// InsertManyStrings inserts all keys.
func (f *BlockBloom) InsertManyStrings(keys []string) { insertMany(f.InsertHash, f.hasher, keys) }

// MayContainManyStrings is MayContainMany for strings.
func (f *BlockBloom) MayContainManyStrings(keys []string, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// InsertManyUint64 inserts all integers.
func (f *BlockBloom) InsertManyUint64(keys []uint64) {
	insertIntegers(f.InsertManyHashes, f.hasher, keys)
}

// MayContainManyUint64 is MayContainMany for integers.
func (f *BlockBloom) MayContainManyUint64(keys []uint64, out []bool) int {
	return lookIntegers(f.MayContainManyHashes, f.hasher, keys, out)
}

// InsertManyStrings inserts all keys.
func (f *SplitBlockBloom) InsertManyStrings(keys []string) { insertMany(f.InsertHash, f.hasher, keys) }

// MayContainManyStrings is MayContainMany for strings.
func (f *SplitBlockBloom) MayContainManyStrings(keys []string, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// InsertManyUint64 inserts all integers.
func (f *SplitBlockBloom) InsertManyUint64(keys []uint64) {
	insertIntegers(f.InsertManyHashes, f.hasher, keys)
}

// MayContainManyUint64 is MayContainMany for integers.
func (f *SplitBlockBloom) MayContainManyUint64(keys []uint64, out []bool) int {
	return lookIntegers(f.MayContainManyHashes, f.hasher, keys, out)
}

// InsertManyStrings inserts all keys.
func (f *Bloom) InsertManyStrings(keys []string) { insertMany(f.InsertHash, f.hasher, keys) }

// MayContainManyStrings is MayContainMany for strings.
func (f *Bloom) MayContainManyStrings(keys []string, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// InsertManyUint64 inserts all integers.
func (f *Bloom) InsertManyUint64(keys []uint64) { insertIntegers(f.InsertManyHashes, f.hasher, keys) }

// MayContainManyUint64 is MayContainMany for integers.
func (f *Bloom) MayContainManyUint64(keys []uint64, out []bool) int {
	return lookIntegers(f.MayContainManyHashes, f.hasher, keys, out)
}

// InsertManyStrings inserts all keys.
func (f *PartitionedBloom) InsertManyStrings(keys []string) { insertMany(f.InsertHash, f.hasher, keys) }

// MayContainManyStrings is MayContainMany for strings.
func (f *PartitionedBloom) MayContainManyStrings(keys []string, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// InsertManyUint64 inserts all integers.
func (f *PartitionedBloom) InsertManyUint64(keys []uint64) {
	insertIntegers(f.InsertManyHashes, f.hasher, keys)
}

// MayContainManyUint64 is MayContainMany for integers.
func (f *PartitionedBloom) MayContainManyUint64(keys []uint64, out []bool) int {
	return lookIntegers(f.MayContainManyHashes, f.hasher, keys, out)
}

func insertIntegers(insert func([]uint64), h Hasher, keys []uint64) {
	hashes := make([]uint64, batch)
	for len(keys) > 0 {
		n := hashIntegers(h, keys, hashes)
		insert(hashes[:n])
		keys = keys[n:]
	}
}

func lookIntegers(look func([]uint64, []bool) int, h Hasher, keys []uint64, out []bool) int {
	out = out[:len(keys)]
	hashes := make([]uint64, batch)
	found := 0
	for len(keys) > 0 {
		n := hashIntegers(h, keys, hashes)
		found += look(hashes[:n], out[:n])
		keys, out = keys[n:], out[n:]
	}
	return found
}

// hashIntegers hashes as many of the first integers as there is room for, and returns how many they are.
func hashIntegers(h Hasher, keys, hashes []uint64) int {
	if len(keys) > len(hashes) {
		keys = keys[:len(hashes)]
	}
	hashes = hashes[:len(keys)]
	for i, x := range keys {
		hashes[i] = h.HashUint64(x)
	}
	return len(keys)
}
