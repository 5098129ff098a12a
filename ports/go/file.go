package bloomery

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"

	"bloomery/internal/fault"
)

// Save writes a container to a file so that at every moment, even through a crash, the path holds either what it held
// before or all of the new file: the bytes go to a temporary file beside it, to the disk, and are renamed. The file records the rate
// that the filter was made for, or that its file had, unless the meta has another.
func Save(path string, f Filter, meta Meta) error {
	if meta.AskedFPR == 0 {
		meta.AskedFPR = MetaOf(f).AskedFPR
	}
	return inFile(path, saveAtomically(path, func(w io.Writer) error {
		_, err := WriteContainer(w, f, meta)
		return err
	}))
}

// temporaryBeside makes a new file beside another. It has the owner and mode of the file that it will replace, or what the
// process gives to new ones.
func temporaryBeside(path string) (*os.File, error) {
	mode := os.FileMode(0o666)
	old, err := os.Stat(path)
	replaces := err == nil
	if replaces {
		mode = 0o600 // nobody else reads it meanwhile
	}
	for try := 0; ; try++ {
		name := fmt.Sprintf(".%s.%d-%d.tmp", filepath.Base(path), os.Getpid(), atomic.AddUint64(&temporaries, 1))
		t, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, os.ErrExist) && try < 1000 {
			continue
		}
		if err != nil {
			return nil, err
		}
		if replaces {
			takeOwner(t, old)
		}
		return t, nil
	}
}

var temporaries uint64

func saveAtomically(path string, write func(io.Writer) error) (err error) {
	t, err := temporaryBeside(path)
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
// stay in this process too. Replace the file, as Save does, never change it in place: truncating a mapped file ends the
// processes that mapped it. Container.Unchanged reports whether the path still holds this file. Errors have the path (Error.Path).
func Open(path string, o ReadOptions) (*Container, error) {
	c, err := open(path, o)
	return c, inFile(path, err)
}

func open(path string, o ReadOptions) (*Container, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.Wrap("the file could not be opened", err)
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return nil, fault.Wrap("the file could not be opened", err)
	}
	c, err := decodeFile(f, stat, o)
	if err == nil && stat.Mode().IsRegular() {
		c.path, c.status = path, statusOf(stat)
	}
	return c, err
}

// decodeFile maps a file where that is possible, and reads it elsewhere.
func decodeFile(f *os.File, stat os.FileInfo, o ReadOptions) (*Container, error) {
	if !stat.Mode().IsRegular() || stat.Size() < headerBytes || stat.Size() > math.MaxInt/2 {
		return ReadContainer(f, o)
	}
	mapped, err := mapFile(f, int(stat.Size()))
	if err != nil || mapped == nil {
		return ReadContainer(f, o)
	}
	return decodeOwned(array{bits: mapped, mem: adopt(mapped)}, o)
}

// inFile is an error with the path of the file that it is about.
func inFile(path string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	named := *e
	named.Path = path
	return &named
}
