package bloomery_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"bloomery"
)

func TestUnchanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.bloom")
	f := made(t, block(bloomery.Line, 100, bloomery.Hasher{}))
	f.InsertMany(keysOf("k", 100))
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	opened := func() *bloomery.Container {
		t.Helper()
		if err := bloomery.Save(path, f, bloomery.Meta{}); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
		c, err := bloomery.Open(path, bloomery.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	writeInPlace := func() error {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if _, err = file.WriteAt([]byte{0}, 500); err != nil {
			return err
		}
		return file.Close()
	}
	changes := map[string]func() error{
		"written in place": writeInPlace,
		"longer":           func() error { return os.Truncate(path, 1<<20) },
		"replaced":         func() error { return bloomery.Save(path, f, bloomery.Meta{}) },
		"removed":          func() error { return os.Remove(path) },
	}
	if runtime.GOOS == "linux" { // where the ctime is known, which no program can set
		changes["written in place, and its mtime set back"] = func() error {
			time.Sleep(30 * time.Millisecond) // file systems count time in ticks of up to 10 ms
			if err := writeInPlace(); err != nil {
				return err
			}
			return os.Chtimes(path, past, past)
		}
	}
	for name, change := range changes {
		c := opened()
		c.Filter.(*bloomery.BlockBloom).InsertString("stays in this process")
		if !c.Unchanged() {
			t.Error(name, "changed before anything happened")
		}
		if err := change(); err != nil {
			t.Fatal(name, err)
		}
		if c.Unchanged() {
			t.Error(name, "and not noticed")
		}
	}
	c, err := bloomery.DecodeContainer(encoded(t, f), bloomery.ReadOptions{})
	if err != nil || !c.Unchanged() {
		t.Error("bytes in memory have no file that could change", err)
	}
}

// An error about a file has its path once, the reason, and what errors.Is and errors.As look for.
func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	missing, wrong := filepath.Join(dir, "missing.bloom"), filepath.Join(dir, "wrong.bloom")
	if err := os.WriteFile(wrong, make([]byte, 200), 0o600); err != nil {
		t.Fatal(err)
	}
	_, none := bloomery.Open(missing, bloomery.ReadOptions{})
	_, not := bloomery.Open(wrong, bloomery.ReadOptions{})
	f := made(t, block(bloomery.Line, 1, bloomery.Hasher{}))
	nowhere := filepath.Join(dir, "no", "x.bloom")
	unsaved := bloomery.Save(nowhere, f, bloomery.Meta{})
	notRate := bloomery.Save(missing, f, bloomery.Meta{AskedFPR: 2})
	for _, c := range []struct {
		err  error
		path string
		code bloomery.Code
		want string // the end of the message
	}{
		{none, missing, bloomery.IO, "missing.bloom: io: the file could not be opened: no such file or directory"},
		{not, wrong, bloomery.Corrupt, "wrong.bloom: corrupt: not a container (byte 0)"},
		{unsaved, nowhere, bloomery.IO, ": no such file or directory"},
		{notRate, missing, bloomery.InvalidArgument, "missing.bloom: invalid_argument: the rate is not between 0 and 1"},
	} {
		var e *bloomery.Error
		if !errors.As(c.err, &e) || e.Path != c.path || !errors.Is(c.err, c.code) {
			t.Errorf("%+v", c.err)
			continue
		}
		if !strings.HasPrefix(e.Error(), c.path+": ") || !strings.HasSuffix(e.Error(), c.want) {
			t.Error(e)
		}
	}
	var p *fs.PathError
	if !errors.Is(none, fs.ErrNotExist) || !errors.As(none, &p) || strings.Count(none.Error(), missing) != 1 {
		t.Error(none)
	}
}
