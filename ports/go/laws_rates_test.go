package bloomery_test

import (
	"errors"
	"testing"

	"bloomery"
)

// The rate that a filter says it has is the one that is found by asking.
func TestRealisedRateIsMeasured(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f := made(t, m)
		asked := 40000 * long
		hits := 0
		h := f.Hasher().Of(bloomery.Integers)
		for i := uint64(0); i <= f.Bits()/20; i++ {
			f.InsertHash(h.HashUint64(i))
		}
		for i := uint64(0); i < uint64(asked); i++ {
			if f.MayContainHash(h.HashUint64(1<<40 + i)) {
				hits++
			}
		}
		p := f.RealisedFPR()
		mean := p * float64(asked)
		deviation := 6*sqrt(mean*(1-p)) + 4
		if d := float64(hits) - mean; d > deviation || d < -deviation {
			t.Errorf("%d of %d pass, %v were expected", hits, asked, mean)
		}
	})
}

// In a sparse filter keys that cannot be told from a stored one are nearly all that pass.
func TestRatesOfSparseFilters(t *testing.T) {
	const n, blocks = 1000, 1 << 14
	for _, m := range []maker{
		block(bloomery.HalfLine, blocks, bloomery.Hasher{}),
		block(bloomery.Line, blocks, bloomery.Hasher{}),
		block(bloomery.TwoLines, blocks, bloomery.Hasher{}),
		{"split", func() (bloomery.Filter, error) {
			return bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Blocks: blocks})
		}},
		{"bloom", func() (bloomery.Filter, error) {
			return bloomery.MakeBloom(bloomery.BloomOptions{Bits: 1 << 22, Hashes: 20})
		}},
		{"partitioned", func() (bloomery.Filter, error) {
			return bloomery.MakePartitioned(bloomery.PartitionedOptions{Slice: 1 << 18, Hashes: 20})
		}},
	} {
		f := made(t, m)
		f.InsertMany(keysOf("k", n))
		realised, expected := f.RealisedFPR(), f.ExpectedFPR(n)
		if realised < 0.7*expected || realised > 1.3*expected {
			t.Errorf("%s: %v, %v was expected", m.name, realised, expected)
		}
		least := 0.99 * n / (blocks * float64(1<<32)) // of one line
		if m.name == "bloom" || m.name == "partitioned" {
			least = 0.99 * n / float64(1<<63)
		} else if f.Hashes() == 16 {
			least = 4 * least * least
		}
		if realised < least || expected < least {
			t.Errorf("%s: %v and %v are below %v", m.name, realised, expected, least)
		}
	}
}

func TestFoldedIsMadeSmaller(t *testing.T) {
	for _, p := range []bloomery.Profile{bloomery.HalfLine, bloomery.Line, bloomery.TwoLines, bloomery.Lanes16} {
		for _, groups := range []uint64{1, 2, 3, 4, 6, 12} {
			large := made(t, block(p, 12, bloomery.Hasher{})).(*bloomery.BlockBloom)
			small := made(t, block(p, 12/groups, bloomery.Hasher{})).(*bloomery.BlockBloom)
			merged := made(t, block(p, 12/groups, bloomery.Hasher{})).(*bloomery.BlockBloom)
			large.InsertMany(keysOf("k", 30))
			small.InsertMany(keysOf("k", 30))
			if err := merged.Merge(large); err != nil {
				t.Fatal(err)
			}
			if err := large.Fold(groups); err != nil {
				t.Fatal(err)
			}
			if !bloomery.Equal(large, small) || !bloomery.Equal(merged, small) {
				t.Errorf("%s folded by %d is another filter", p, groups)
			}
		}
	}
}

// Filters sized by a rate keep it.
func TestSizedByRateKeepsIt(t *testing.T) {
	const n = 20000
	for _, p := range []float64{0.05, 0.01, 0.001} {
		for _, m := range []maker{
			{"portable", func() (bloomery.Filter, error) {
				return bloomery.MakePortable(bloomery.PortableOptions{Keys: n, FPR: p})
			}},
			{"block", func() (bloomery.Filter, error) { return bloomery.MakeBlock(bloomery.BlockOptions{Keys: n, FPR: p}) }},
			{"two-lines", func() (bloomery.Filter, error) {
				return bloomery.MakeBlock(bloomery.BlockOptions{Keys: n, FPR: p, Profile: bloomery.TwoLines})
			}},
			{"lanes16", func() (bloomery.Filter, error) {
				return bloomery.MakeBlock(bloomery.BlockOptions{Keys: n, FPR: p, Profile: bloomery.Lanes16})
			}},
			{"split", func() (bloomery.Filter, error) {
				return bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Keys: n, FPR: p})
			}},
			{"bloom", func() (bloomery.Filter, error) { return bloomery.MakeBloom(bloomery.BloomOptions{Keys: n, FPR: p}) }},
			{"partitioned", func() (bloomery.Filter, error) {
				return bloomery.MakePartitioned(bloomery.PartitionedOptions{Keys: n, FPR: p})
			}},
		} {
			f := made(t, m)
			for i := uint64(0); i < n; i++ {
				f.InsertHash(f.Hasher().Of(bloomery.Integers).HashUint64(i))
			}
			if r := f.RealisedFPR(); r > 1.15*p || r < 0.7*p {
				t.Errorf("%s for %v: %v", m.name, p, r)
			}
			if e := f.EstimatedKeys(); e < 0.97*n || e > 1.03*n {
				t.Errorf("%s: %v keys", m.name, e)
			}
			if f.Capacity() != n {
				t.Errorf("%s: capacity %d", m.name, f.Capacity())
			}
		}
	}
}

// Sizes that no filter has are refused, and soon.
func TestTooLarge(t *testing.T) {
	const n = 1 << 60
	for name, make := range map[string]func() (bloomery.Filter, error){
		"portable": func() (bloomery.Filter, error) {
			return bloomery.MakePortable(bloomery.PortableOptions{Keys: n, FPR: 0.01})
		},
		"block": func() (bloomery.Filter, error) {
			return bloomery.MakeBlock(bloomery.BlockOptions{Keys: n, FPR: 0.01})
		},
		"blocks": func() (bloomery.Filter, error) {
			return bloomery.MakeBlock(bloomery.BlockOptions{Profile: bloomery.Line, Blocks: 1<<42 + 1})
		},
		"split-block": func() (bloomery.Filter, error) {
			return bloomery.MakeSplitBlock(bloomery.SplitBlockOptions{Keys: n, FPR: 0.01})
		},
		"bloom": func() (bloomery.Filter, error) {
			return bloomery.MakeBloom(bloomery.BloomOptions{Keys: n, FPR: 0.01})
		},
		"partitioned": func() (bloomery.Filter, error) {
			return bloomery.MakePartitioned(bloomery.PartitionedOptions{Keys: n, FPR: 0.01})
		},
		"slices": func() (bloomery.Filter, error) {
			return bloomery.MakePartitioned(bloomery.PartitionedOptions{Slice: 1<<48/3 + 1, Hashes: 3})
		},
		"65 slices": func() (bloomery.Filter, error) {
			return bloomery.MakePartitioned(bloomery.PartitionedOptions{Slice: 1, Hashes: 65})
		},
	} {
		if _, err := make(); !errors.Is(err, bloomery.TooLarge) {
			t.Error(name, err)
		}
	}
}
