package bloomery

import "runtime"

// batch is how many keys are hashed before the first of them is looked up: enough that their cache misses overlap, few
// enough that their hashes stay in the nearest cache.
const batch = 64

// InsertMany inserts all keys.
func (f *PortableBloom) InsertMany(keys [][]byte) { insertMany(f.InsertHash, f.Hasher(), keys) }

// InsertManyStrings inserts all keys.
func (f *PortableBloom) InsertManyStrings(keys []string) {
	insertMany(f.InsertHash, f.Hasher(), keys)
}

// InsertManyHashes inserts keys by their 64 bits.
func (f *PortableBloom) InsertManyHashes(hashes []uint64) {
	for _, h := range hashes {
		f.InsertHash(h)
	}
}

// MayContainMany answers for every key, in out, which must be as long; it returns how many may be there. The keys are
// hashed four at a time and then looked up, so that neither the hashes nor the memory wait for each other.
func (f *PortableBloom) MayContainMany(keys [][]byte, out []bool) int {
	return portableMany(f, keys, out)
}

// MayContainManyStrings is MayContainMany for strings.
func (f *PortableBloom) MayContainManyStrings(keys []string, out []bool) int {
	return portableMany(f, keys, out)
}

// portableMany is lookMany for one kind: with the call known, the hashes stay on the stack.
func portableMany[K string | []byte](f *PortableBloom, keys []K, out []bool) int {
	out = out[:len(keys)]
	var hashes [batch]uint64
	found := 0
	for len(keys) > 0 {
		n := len(keys)
		if n > batch {
			n = batch
		}
		hashMany(f.Hasher(), keys[:n], hashes[:n])
		found += f.MayContainManyHashes(hashes[:n], out[:n])
		keys, out = keys[n:], out[n:]
	}
	return found
}

// MayContainManyHashes is MayContainMany by the 64 bits of keys.
func (f *PortableBloom) MayContainManyHashes(hashes []uint64, out []bool) int {
	out = out[:len(hashes)]
	n := 0
	for i, h := range hashes {
		hit := f.MayContainHash(h)
		out[i] = hit
		if hit {
			n++
		}
	}
	runtime.KeepAlive(f)
	return n
}

func insertMany[K string | []byte](insert func(uint64), h Hasher, keys []K) {
	var hashes [batch]uint64
	for len(keys) > 0 {
		n := len(keys)
		if n > batch {
			n = batch
		}
		hashMany(h, keys[:n], hashes[:n])
		for _, v := range hashes[:n] {
			insert(v)
		}
		keys = keys[n:]
	}
}

func lookMany[K string | []byte](look func([]uint64, []bool) int, h Hasher, keys []K, out []bool) int {
	out = out[:len(keys)]
	hashes := make([]uint64, batch)
	found := 0
	for len(keys) > 0 {
		n := len(keys)
		if n > batch {
			n = batch
		}
		hashMany(h, keys[:n], hashes[:n])
		found += look(hashes[:n], out[:n])
		keys, out = keys[n:], out[n:]
	}
	return found
}
