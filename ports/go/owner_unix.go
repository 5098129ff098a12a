//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package bloomery

import (
	"os"
	"syscall"
)

// takeOwner gives a new file the owner, the group and the mode of the one that it will replace. Only root may give files
// away: for others it stays their own, and where the group cannot be kept it may do no more than everybody. Errors are not the
// caller's: the file stays as restricted as it was made.
func takeOwner(t *os.File, old os.FileInfo) {
	was, known := old.Sys().(*syscall.Stat_t)
	if !known {
		return
	}
	if t.Chown(int(was.Uid), int(was.Gid)) != nil {
		_ = t.Chown(-1, int(was.Gid))
	}
	info, err := t.Stat()
	if err != nil {
		return
	}
	mode := old.Mode().Perm()
	if is, known := info.Sys().(*syscall.Stat_t); !known || is.Gid != was.Gid {
		mode &= 0o707 | mode&0o007<<3
	}
	_ = t.Chmod(mode)
}
