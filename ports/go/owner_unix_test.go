//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package bloomery_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"bloomery"
)

func TestReplacedFileKeepsOwnerAndMode(t *testing.T) {
	f := made(t, block(bloomery.Line, 1, bloomery.Hasher{}))
	path := filepath.Join(t.TempDir(), "f.bloom")
	for _, mode := range []os.FileMode{0o600, 0o640, 0o666} {
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(path, 1234, 2345); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := bloomery.Save(path, f, bloomery.Meta{}); err != nil {
			t.Fatal(err)
		}
		now, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if now.Mode().Perm() != mode {
			t.Errorf("mode %v became %v", mode, now.Mode().Perm())
		}
		is := now.Sys().(*syscall.Stat_t)
		if os.Geteuid() == 0 && (is.Uid != 1234 || is.Gid != 2345) {
			t.Errorf("owner and group became %d and %d", is.Uid, is.Gid)
		}
	}
}
