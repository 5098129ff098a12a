//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package bloomery

import "os"

// takeOwner has only the mode to give here.
func takeOwner(t *os.File, old os.FileInfo) { _ = t.Chmod(old.Mode().Perm()) }
