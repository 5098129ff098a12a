package bloomery

// A Filter answers "perhaps" or "certainly not", and never denies a key that was inserted. All kinds that a container
// holds have these methods. Lookups may run side by side; everything that changes a filter needs it for itself.
type Filter interface {
	Kind() Kind
	Hasher() Hasher

	Insert(key []byte)
	InsertString(key string)
	InsertHash(h uint64)
	InsertMany(keys [][]byte)
	InsertManyHashes(hashes []uint64)

	MayContain(key []byte) bool
	MayContainString(key string) bool
	MayContainHash(h uint64) bool
	MayContainMany(keys [][]byte, out []bool) int
	MayContainManyHashes(hashes []uint64, out []bool) int

	Bits() uint64        // of the whole array
	Hashes() uint32      // bits that a key sets
	SizeInBytes() uint64 // of the array
	Capacity() uint64    // keys it was sized for; 0: not known
	Ones() uint64
	Fill() float64
	EstimatedKeys() float64
	RealisedFPR() float64

	Clear()
	Close() error

	// shape is what the header of a container says of the filter; contents are its bytes. They keep other packages from
	// adding kinds, whose numbers are the specification's to give.
	shape() shape
	contents() *array
	mergeFrom(Filter) error
}

// A shape is the profile, k and units of a container's header.
type shape struct {
	profile Profile
	hashes  uint32
	units   uint64
}

func (a *array) contents() *array { return a }

func countMany(look func(uint64) bool, hashes []uint64, out []bool) int {
	out = out[:len(hashes)]
	n := 0
	for i, h := range hashes {
		hit := look(h)
		out[i] = hit
		if hit {
			n++
		}
	}
	return n
}
