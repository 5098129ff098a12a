package bloomery

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// endless gives what it has and then zeros, and counts.
type endless struct {
	begin io.Reader
	given int
}

func (e *endless) Read(p []byte) (int, error) {
	n, _ := e.begin.Read(p)
	for i := n; i < len(p); i++ {
		p[i] = 0
	}
	e.given += len(p)
	return len(p), nil
}

func TestAStreamIsReadNoFurtherThanItsHeaderSays(t *testing.T) {
	f, err := MakeBlock(BlockOptions{Blocks: 100, Profile: Line})
	if err != nil {
		t.Fatal(err)
	}
	file, err := EncodeContainer(f, Meta{})
	if err != nil {
		t.Fatal(err)
	}
	for _, begin := range [][]byte{nil, file[:8], file} {
		r := &endless{begin: bytes.NewReader(begin)}
		if _, err := ReadContainer(r, ReadOptions{}); !errors.Is(err, Corrupt) {
			t.Errorf("%d bytes and zeros: %v", len(begin), err)
		}
		if r.given > len(file)+1<<16 {
			t.Errorf("%d bytes and zeros: %d bytes were read", len(begin), r.given)
		}
	}
	if _, err := ReadContainer(bytes.NewReader(file), ReadOptions{}); err != nil {
		t.Error(err)
	}
}

func TestSavingKeepsTheModeOfAFile(t *testing.T) {
	f, err := MakePortable(PortableOptions{Bits: 96, Hashes: 7})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "private.bloom")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Save(path, f, Meta{}); err != nil {
		t.Fatal(err)
	}
	if stat, err := os.Stat(path); err != nil || stat.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", stat.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestWhatWasNotMadeIsNotWritten(t *testing.T) {
	var p PortableBloom
	if _, err := p.MarshalBinary(); !errors.Is(err, InvalidArgument) {
		t.Error(err)
	}
	if _, err := EncodeContainer(&p, Meta{}); !errors.Is(err, InvalidArgument) {
		t.Error(err)
	}
	if _, err := EncodeContainer(&BlockBloom{}, Meta{}); !errors.Is(err, InvalidArgument) {
		t.Error(err)
	}
	if p.InsertString("a"); !p.MayContainString("a") || p.RealisedFPR() != 1 {
		t.Error("it denies a key")
	}
}
