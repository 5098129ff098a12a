package bloomery_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"bloomery"
)

func TestSavedIsOpened(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "keys.bloom")
	for _, n := range []uint64{1, 100, 30000} {
		f := made(t, block(bloomery.Line, n, bloomery.Hasher{}))
		keys := keysOf("k", 500)
		f.InsertMany(keys)
		if err := bloomery.Save(path, f, bloomery.Meta{Keys: 500}); err != nil {
			t.Fatal(err)
		}
		saved, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(saved, mustEncode(t, f, bloomery.Meta{Keys: 500})) {
			t.Fatal("other bytes on the disk", err)
		}
		c, err := bloomery.Open(path, bloomery.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !bloomery.Equal(c.Filter, f) || c.Info.Keys != 500 {
			t.Error("another filter is opened")
		}
		c.Filter.(*bloomery.BlockBloom).InsertString("only in this process")
		if after, _ := os.ReadFile(path); !bytes.Equal(after, saved) {
			t.Error("an insertion changed the file")
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) != 1 {
		t.Error("something is left beside the file:", names)
	}
	if hidden, _ := filepath.Glob(filepath.Join(dir, ".*")); len(hidden) != 0 {
		t.Error("something hidden is left beside the file:", hidden)
	}
}

func mustEncode(t *testing.T, f bloomery.Filter, m bloomery.Meta) []byte {
	t.Helper()
	b, err := bloomery.EncodeContainer(f, m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDamagedFileIsOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hurt.bloom")
	f := made(t, block(bloomery.Line, 30000, bloomery.Hasher{}))
	keys := keysOf("k", 500)
	f.InsertMany(keys)
	b := mustEncode(t, f, bloomery.Meta{})
	b[1000000] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := bloomery.Open(path, bloomery.ReadOptions{})
	if err != nil || c.Damaged != 1 {
		t.Fatal(err)
	}
	for _, k := range keys {
		if !c.Filter.MayContain(k) {
			t.Fatal("a key is denied")
		}
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(after, b) {
		t.Error("reading changed the file")
	}
}

func TestFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	_, err := bloomery.Open(filepath.Join(dir, "none"), bloomery.ReadOptions{})
	if !errors.Is(err, bloomery.IO) || !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	for _, n := range []int{0, 1, 127, 128, 5000} {
		path := filepath.Join(dir, "short")
		if err := os.WriteFile(path, make([]byte, n), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := bloomery.Open(path, bloomery.ReadOptions{}); !errors.Is(err, bloomery.Corrupt) {
			t.Error(n, err)
		}
	}
	f := made(t, portable(10, 1))
	if err := bloomery.Save(filepath.Join(dir, "no", "such", "folder"), f, bloomery.Meta{}); !errors.Is(err, bloomery.IO) {
		t.Error(err)
	}
	path := filepath.Join(dir, "kept")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := bloomery.Save(path, f, bloomery.Meta{AskedFPR: 2}); err == nil {
		t.Error("saved with a rate of 2")
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Error("a refusal changed the file")
	}
	if hidden, _ := filepath.Glob(filepath.Join(dir, ".*")); len(hidden) != 0 {
		t.Error("a refusal left something behind:", hidden)
	}
}

// Large filters lie outside the heap.
func TestLargeFiltersAreNotOnTheHeap(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := 0; i < 20; i++ {
		f := made(t, portable(8<<26, 3))
		f.InsertString("k")
		if !f.MayContainString("k") {
			t.Fatal("denied")
		}
		_ = f.Close()
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; runtime.GOOS == "linux" && grown > 1<<20 {
		t.Errorf("%d bytes on the heap for filters of 64 MiB", grown)
	}
}

// Memory comes back with Close, and without it when the collector finds out.
func TestMemoryComesBack(t *testing.T) {
	addressSpace := func() (pages int) {
		b, err := os.ReadFile("/proc/self/statm")
		if _, scan := fmt.Sscan(string(b), &pages); err != nil || scan != nil {
			t.Skip("the system does not tell how much memory is mapped")
		}
		return pages
	}
	const each, count = 1 << 28, 20
	before := addressSpace()
	for i := 0; i < count; i++ {
		f := made(t, portable(8*each, 3))
		if i%2 == 0 {
			_ = f.Close()
		}
	}
	for try := 0; try < 100 && addressSpace()-before > each/4096; try++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if grown := addressSpace() - before; grown > each/4096 {
		t.Errorf("%d pages are not given back", grown)
	}
}
