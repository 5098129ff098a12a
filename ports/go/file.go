package bloomery

import (
	"io"
	"math"
	"os"
	"path/filepath"

	"bloomery/internal/fault"
)

// Save writes a container to a file so that at every moment, even through a crash, the path holds either what it held
// before or all of the new file: the bytes go to a temporary file beside it, to the disk, and are renamed.
func Save(path string, f Filter, meta Meta) error {
	return saveAtomically(path, func(w io.Writer) error {
		_, err := WriteContainer(w, f, meta)
		return err
	})
}

func saveAtomically(path string, write func(io.Writer) error) (err error) {
	t, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fault.Wrap("no file can be made there", err)
	}
	defer func() {
		if err != nil {
			_ = t.Close()
			_ = os.Remove(t.Name())
		}
	}()
	if err = write(t); err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return t.Chmod(0o644) },
		t.Sync,
		t.Close,
		func() error { return os.Rename(t.Name(), path) },
		func() error { return syncDirectory(filepath.Dir(path)) },
	} {
		if err = step(); err != nil {
			return fault.Wrap("the file could not be saved", err)
		}
	}
	return nil
}

// Open maps a container: the bits lie in the page cache, outside the garbage collector's heap, and are shared with other
// processes that map the file. Every chunk is checked first; damaged ones are taken as set, in this process only. Insertions
// stay in this process too. Whoever changes the file MUST replace it, as Save does: cut short in place, it ends the
// processes that mapped it.
func Open(path string, o ReadOptions) (*Container, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.Wrap("the file could not be opened", err)
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return nil, fault.Wrap("the file could not be opened", err)
	}
	if !stat.Mode().IsRegular() || stat.Size() < headerBytes || stat.Size() > math.MaxInt/2 {
		return ReadContainer(f, o)
	}
	mapped, err := mapFile(f, int(stat.Size()))
	if err != nil || mapped == nil {
		return ReadContainer(f, o)
	}
	return decodeOwned(array{bits: mapped, mem: adopt(mapped)}, o)
}
