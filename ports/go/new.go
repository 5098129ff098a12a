package bloomery

import "bloomery/internal/fault"

// New makes an empty BlockBloom for so many keys at a false-positive rate: the kind to start with. The other kinds, and sizes in
// blocks, have a Make function each.
//
//	f, err := bloomery.New(1_000_000, 0.01)
//	ids, err := bloomery.New(1_000_000, 0.01, bloomery.WithSource(bloomery.Integers))
//
// More keys than that are accepted; the rate rises (RealisedFPR). 0 keys, and a rate outside (0, 1), are refused (InvalidArgument).
func New(keys uint64, fpr float64, options ...Option) (*BlockBloom, error) {
	c := newConfig{BlockOptions: BlockOptions{Keys: keys, FPR: fpr}}
	if keys == 0 || !(fpr > 0 && fpr < 1) {
		return nil, fault.New(InvalidArgument, "a size needs keys and a rate between 0 and 1")
	}
	for _, o := range options {
		o(&c)
	}
	if c.source != nil {
		if err := c.source.known(); err != nil {
			return nil, err
		}
		c.Hasher = c.Hasher.Of(*c.source)
	}
	return MakeBlock(c.BlockOptions)
}

// An Option of New. If two set the same thing, the last one counts.
type Option func(*newConfig)

type newConfig struct {
	BlockOptions
	source *Source // nil: that of the hasher
}

// WithHasher sets the hasher. The default is XXH3 with seed 0.
func WithHasher(h Hasher) Option { return func(c *newConfig) { c.Hasher = h } }

// WithSeed sets the hasher to XXH3 with a seed. Filters merge only if their seeds are equal.
func WithSeed(seed uint64) Option { return WithHasher(NewXXH3(seed)) }

// WithSecret sets the hasher to SipHash-1-3 under a secret, for keys that an attacker may choose.
func WithSecret(secret [16]byte) Option { return WithHasher(NewSipHash13(secret)) }

// WithSource sets what keys are, whatever the hasher is. The default is Bytes.
func WithSource(s Source) Option { return func(c *newConfig) { c.source = &s } }

// WithProfile sets the shape of the blocks. The default follows from the rate.
func WithProfile(p Profile) Option { return func(c *newConfig) { c.Profile = p } }
