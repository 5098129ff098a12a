package bloomery_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bloomery"
)

func TestNew(t *testing.T) {
	f, err := bloomery.New(1000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	same, err := bloomery.MakeBlock(bloomery.BlockOptions{Keys: 1000, FPR: 0.01})
	if err != nil || !bloomery.Equal(f, same) || f.Capacity() != 1000 {
		t.Error("New is not MakeBlock", err)
	}
	for name, c := range map[string]struct {
		options []bloomery.Option
		want    bloomery.Hasher
	}{
		"seed":          {[]bloomery.Option{bloomery.WithSeed(7)}, bloomery.NewXXH3(7)},
		"secret":        {[]bloomery.Option{bloomery.WithSecret(secret)}, bloomery.NewSipHash13(secret)},
		"hasher":        {[]bloomery.Option{bloomery.WithHasher(bloomery.NewXXH64(3))}, bloomery.NewXXH64(3)},
		"the last":      {[]bloomery.Option{bloomery.WithSeed(7), bloomery.WithSeed(8)}, bloomery.NewXXH3(8)},
		"source first":  {[]bloomery.Option{bloomery.WithSource(bloomery.Integers), bloomery.WithSeed(7)}, bloomery.NewXXH3(7).Of(bloomery.Integers)},
		"source last":   {[]bloomery.Option{bloomery.WithSeed(7), bloomery.WithSource(bloomery.Integers)}, bloomery.NewXXH3(7).Of(bloomery.Integers)},
		"of the hasher": {[]bloomery.Option{bloomery.WithHasher(bloomery.NewXXH3(1).Of(bloomery.Hashes))}, bloomery.NewXXH3(1).Of(bloomery.Hashes)},
	} {
		if f, err := bloomery.New(10, 0.01, c.options...); err != nil || f.Hasher() != c.want {
			t.Error(name, err)
		}
	}
	if f, err := bloomery.New(10, 0.01, bloomery.WithProfile(bloomery.TwoLines)); err != nil || f.Profile() != bloomery.TwoLines {
		t.Error("another profile", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		keys uint64
		fpr  float64
		o    []bloomery.Option
	}{
		{0, 0.01, nil}, {10, 0, nil}, {10, 1, nil}, {10, -0.5, nil},
		{10, 0.01, []bloomery.Option{bloomery.WithSource(bloomery.AnySource)}},
		{10, 0.01, []bloomery.Option{bloomery.WithProfile(bloomery.Split)}},
	} {
		if f, err := bloomery.New(c.keys, c.fpr, c.o...); !errors.Is(err, bloomery.InvalidArgument) || f != nil {
			t.Error(c.keys, c.fpr, err)
		}
	}
}

// Printing a filter must not print its bits.
func TestDescriptionsAreShort(t *testing.T) {
	laws(t, func(t *testing.T, m maker) {
		f := made(t, m)
		f.Insert([]byte("k"))
		for _, format := range []string{"%v", "%+v", "%s", "%#v"} {
			s := fmt.Sprintf(format, f)
			if len(s) > 160 || !strings.Contains(s, f.Kind().String()) || !strings.Contains(s, fmt.Sprint(f.Bits())) {
				t.Errorf("%s: %.200s", format, s)
			}
		}
		if f.Hasher().ID() != bloomery.SipHash13 {
			c, err := bloomery.DecodeContainer(encoded(t, f), bloomery.ReadOptions{})
			if s := fmt.Sprint(c); err != nil || len(s) > 200 || !strings.Contains(s, "0 of") {
				t.Errorf("%v %.300s", err, s)
			}
		}
	})
	b, _ := bloomery.MakeAtomicBlock(bloomery.BlockOptions{Keys: 1000, FPR: 0.01})
	if s := fmt.Sprintf("%v", b); s != "atomic block filter: line, 10240 bits, 8 hashes, xxh3, sized for 1000 keys" {
		t.Error(s)
	}
	p, _ := bloomery.MakeAtomicPortable(bloomery.PortableOptions{Keys: 1000, FPR: 0.01})
	q, _ := bloomery.MakeAtomicPartitioned(bloomery.PartitionedOptions{Keys: 1000, FPR: 0.01})
	for _, f := range []any{b, p, q} {
		if s := fmt.Sprintf("%#v", f); len(s) > 160 || !strings.HasPrefix(s, "bloomery.Atomic") {
			t.Errorf("%.200s", s)
		}
	}
}

// A secret is not printed, whatever the verb.
func TestSecretsAreNotPrinted(t *testing.T) {
	f, err := bloomery.New(10, 0.01, bloomery.WithSecret(secret))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{f, f.Hasher()} {
		for _, format := range []string{"%v", "%+v", "%s", "%#v"} {
			s := fmt.Sprintf(format, v)
			if strings.Contains(s, "0807060504030201") || strings.Contains(s, fmt.Sprint(uint64(0x0807060504030201))) ||
				!strings.Contains(s, "siphash13") {
				t.Error(format, s)
			}
		}
	}
}
