package bloomery

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"runtime"

	"bloomery/dialect"
	"bloomery/internal/fault"
)

// ReadOptions are what a container does not say to its reader.
type ReadOptions struct {
	Secret *[16]byte // of SipHash
	Expect Kind      // refuse others (Incompatible); 0: take any

	// Source is of the keys that will be looked up. A file that says otherwise is refused (Incompatible), one without a record is taken
	// to have this one. AnySource follows the file: look at the filter's Hasher().Source() before you hash for it.
	Source Source
}

// A Container is a file that was read: exactly one of Filter, Packed and Foreign is set.
type Container struct {
	Info      Info
	Filter    Filter
	Packed    *Packed
	Foreign   dialect.Filter
	Sentinels []uint64
	Notes     []Note
	Damaged   uint64 // chunks whose checksum differs; a lookup that needs them answers "possibly present"

	path    string // of Open
	status  fileStatus
	memory  array
	source  sourceNote
	dialect foreignNote // of foreign bytes
}

// Close gives the memory back at once, instead of when the collector gets to it.
func (c *Container) Close() error {
	if c.Filter != nil {
		return c.Filter.Close()
	}
	return c.memory.Close()
}

// DecodeContainer reads a container from memory; the payload is copied. What is refused, in which order and at which byte,
// is spec/container.md 8. Damaged chunks are not refused: they answer "possibly present".
func DecodeContainer(data []byte, o ReadOptions) (*Container, error) {
	if _, err := parseHeader(data, uint64(len(data))); err != nil {
		return nil, err
	}
	a, err := copyOf(data)
	if err != nil {
		return nil, err
	}
	return decodeOwned(a, o)
}

// ReadContainer reads a container to the end of a stream. Memory grows with the bytes that arrive.
func ReadContainer(r io.Reader, o ReadOptions) (*Container, error) {
	head := make([]byte, headerBytes)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fault.Wrap("the container could not be read", err)
	}
	head = head[:n]
	a, err := readGrowing(io.MultiReader(bytes.NewReader(head), r), enough(head))
	if err != nil {
		return nil, err
	}
	return decodeOwned(a, o)
}

// enough is how many bytes of a stream that begins so have to be read to decode or to refuse it: what the header promises
// and one more, or the header alone where that is wrong already.
func enough(head []byte) uint64 {
	if len(head) < headerBytes || string(head[:8]) != containerMagic {
		return uint64(len(head))
	}
	le := binary.LittleEndian
	if Checksum(head[:124]) != le.Uint32(head[124:]) {
		return headerBytes
	}
	i := Info{Sentinels: int(head[18]), PayloadOffset: le.Uint64(head[72:]), PayloadLength: le.Uint64(head[80:]),
		NotesLength: le.Uint32(head[96:])}
	if i.PayloadOffset > pageOffset || i.PayloadLength > 1<<61 {
		return headerBytes
	}
	return i.Length() + 1
}

// decodeOwned makes a container of a whole file, whose memory it takes over and may write to.
func decodeOwned(file array, o ReadOptions) (*Container, error) {
	c, err := decode(file, o)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return c, nil
}

func decode(file array, o ReadOptions) (*Container, error) {
	b := file.bits
	i, err := parseHeader(b, uint64(len(b)))
	if err != nil {
		return nil, err
	}
	gap, tail := b[headerBytes:i.PayloadOffset], b[i.tail():]
	if !allZero(gap) {
		return nil, fault.At(Corrupt, headerBytes, "the gap is not zero")
	}
	sum := crc32.Update(Checksum(gap), castagnoli, tail[:len(tail)-4])
	if sum != binary.LittleEndian.Uint32(tail[len(tail)-4:]) {
		return nil, fault.At(Corrupt, int(i.tail()), "the tail's checksum differs")
	}
	c := &Container{Info: i, memory: file}
	if c.Notes, c.source, err = parseNotes(b[i.notes():len(b)-4], i.notes(), i.Kind); err != nil {
		return nil, err
	}
	if o.Expect != 0 && o.Expect != i.Kind {
		return nil, fault.At(Incompatible, 10, "a filter of the kind "+i.Kind.String()+", not "+o.Expect.String())
	}
	hasher, err := c.hasher(o)
	if err != nil {
		return nil, err
	}
	for at := i.tail(); at < i.checksums(); at += 8 {
		c.Sentinels = append(c.Sentinels, binary.LittleEndian.Uint64(b[at:]))
	}
	if read := rowOf(i.Kind).readNotes; read != nil {
		if err := read(c); err != nil {
			return nil, err
		}
	}
	damage := findDamage(b, &i)
	padding := i.PayloadOffset + i.PayloadLength
	if lastIntact := i.Chunks() == 0 || !damage.has(i.Chunks()-1); lastIntact && !allZero(b[padding:i.tail()]) {
		return nil, fault.At(Corrupt, int(padding), "padding is not zero")
	}
	if damage != nil {
		c.Damaged = damage.count
	}
	return c, c.open(hasher, damage)
}

// open makes what the payload holds, under the kind's damage rule, and looks up the sentinels.
func (c *Container) open(hasher Hasher, damage *damageMap) error {
	i, row := &c.Info, rowOf(c.Info.Kind)
	payload := c.memory
	payload.bits = payload.bits[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]
	payload.damaged = damage != nil
	payload.asked = i.AskedFPR
	switch row.Damage {
	case DamageOnes:
		for _, s := range damage.spans() {
			fill(payload.bits[s.From:s.To], 0xff)
		}
	case DamagePossiblyPresent:
		payload.damage = damage
	}
	if row.load != nil {
		return row.load(c, payload, hasher, damage)
	}
	if damage == nil && row.isSound != nil && !row.isSound(i, payload.bits) {
		return fault.At(Corrupt, int(i.PayloadOffset), "not the bytes that fingerprints make")
	}
	var err error
	if payload.receipts, err = c.readReceipts(); err != nil {
		return err
	}
	c.Filter = row.open(i, payload, hasher)
	if n := firstMissing(c.Filter, c.Sentinels); n < len(c.Sentinels) {
		return fault.At(Corrupt, int(i.tail())+8*n, "a sentinel is not found: these are not the bits that the keys made")
	}
	return nil
}

// hasher makes the hasher that the reader's keys need, or refuses.
func (c *Container) hasher(o ReadOptions) (Hasher, error) {
	if o.Source != AnySource {
		if err := o.Source.known(); err != nil {
			return Hasher{}, err
		}
	}
	h, err := c.hash(o.Secret)
	if err != nil {
		return h, err
	}
	s, err := c.source.asked(o.Source)
	if err != nil {
		return h, err
	}
	return h.Of(s), nil
}

// hash makes the hash and compares its check with the file's.
func (c *Container) hash(secret *[16]byte) (Hasher, error) {
	i := &c.Info
	keyed := i.Hash == SipHash13
	if keyed != (secret != nil) {
		what := "a secret was given, and the hash takes none"
		if keyed {
			what = "the hash is keyed, and no secret was given"
		}
		return Hasher{}, fault.At(Incompatible, 16, what)
	}
	h := hasherOf(i.Hash, i.Seed, secret)
	switch {
	case h.Check() == i.Check:
		return h, nil
	case keyed:
		return h, fault.At(Incompatible, 40, "made under another secret")
	}
	return h, fault.At(Corrupt, 40, "the hash check differs")
}

// findDamage is the chunks whose checksum differs; nil if there are none.
func findDamage(b []byte, i *Info) (damage *damageMap) {
	payload := b[i.PayloadOffset:i.tail()]
	sums := b[i.checksums():]
	for n := uint64(0); n < i.Chunks(); n++ {
		end := (n + 1) * chunkBytes
		if end > uint64(len(payload)) {
			end = uint64(len(payload))
		}
		if Checksum(payload[n*chunkBytes:end]) != binary.LittleEndian.Uint32(sums[4*n:]) {
			if damage == nil {
				damage = newDamageMap(i.PayloadLength, i.Chunks())
			}
			damage.add(n)
		}
	}
	return damage
}

// Verify compares what reading does not: the set bits of an undamaged filter, those after its last included, with the number
// that its header has. Call it before anything is inserted.
func (c *Container) Verify() error {
	if c.Filter == nil || c.Damaged > 0 {
		return nil
	}
	ones := onesIn(c.Filter.contents().bits)
	runtime.KeepAlive(c)
	if ones != c.Info.Ones {
		return fault.At(Corrupt, 88, "another number of ones than when it was written")
	}
	return nil
}
