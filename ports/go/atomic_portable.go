package bloomery

import "runtime"

// An AtomicPortable is a PortableBloom that any number of goroutines may insert into and query at once, without locks. A key
// whose insertion has returned is found by every lookup that begins later; one that is being inserted may be. Its bits are,
// once everybody is done, those of a PortableBloom of the same keys.
type AtomicPortable struct {
	sharedBits
	rule PortableBloom // without bits: where a key's lie
}

// MakeAtomicPortable makes an empty filter, as MakePortable does.
func MakeAtomicPortable(o PortableOptions) (*AtomicPortable, error) {
	f, err := MakePortable(o)
	if err != nil {
		return nil, err
	}
	return SharePortable(f)
}

// SharePortable copies a filter into one that goroutines can share.
func SharePortable(f *PortableBloom) (*AtomicPortable, error) {
	s, err := share(&f.array)
	if err != nil {
		return nil, err
	}
	runtime.KeepAlive(f)
	a := &AtomicPortable{sharedBits: s, rule: *f}
	a.rule.array = array{damaged: f.damaged, noted: f.noted}
	return a, nil
}

// InsertHash inserts a key by its 64 bits under fnv1a-splitmix.
func (f *AtomicPortable) InsertHash(h uint64) {
	x, step := f.rule.start(h)
	for i := f.rule.steps; i > 0; i-- {
		f.set(x)
		if x += step; x >= f.rule.m {
			x -= f.rule.m
		}
	}
	runtime.KeepAlive(f)
}

// MayContainHash answers false only if the key with these 64 bits was definitely not inserted.
func (f *AtomicPortable) MayContainHash(h uint64) bool {
	x, step := f.rule.start(h)
	hit := true
	for i := f.rule.steps; i > 0 && hit; i-- {
		hit = f.test(x)
		if x += step; x >= f.rule.m {
			x -= f.rule.m
		}
	}
	runtime.KeepAlive(f)
	return hit
}

// Insert inserts a key.
func (f *AtomicPortable) Insert(key []byte) { f.InsertHash(f.rule.hash(key)) }

// InsertString inserts a key.
func (f *AtomicPortable) InsertString(key string) { f.InsertHash(f.rule.hash(view(key))) }

// MayContain answers false only if the key was definitely not inserted.
func (f *AtomicPortable) MayContain(key []byte) bool { return f.MayContainHash(f.rule.hash(key)) }

// MayContainString is MayContain for a string. It does not allocate.
func (f *AtomicPortable) MayContainString(key string) bool {
	return f.MayContainHash(f.rule.hash(view(key)))
}

// Bits returns m, the number of bits.
func (f *AtomicPortable) Bits() uint64 { return f.rule.m }

// Hashes returns k, the number of bits of a key.
func (f *AtomicPortable) Hashes() uint32 { return f.rule.k }

// Snapshot copies the filter into one that can be written, measured and merged, while others go on inserting. It has every
// key whose insertion had returned when it began.
func (f *AtomicPortable) Snapshot() (*PortableBloom, error) {
	a, err := f.snapshot()
	if err != nil {
		return nil, err
	}
	a.damaged, a.noted = f.rule.damaged, f.rule.noted
	s := f.rule
	s.array = a
	return &s, nil
}
