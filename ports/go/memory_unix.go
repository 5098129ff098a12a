//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package bloomery

import (
	"os"
	"syscall"
)

// mapAnonymous returns n zero bytes from the system.
func mapAnonymous(n int) ([]byte, error) {
	return syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

// mapFile maps n bytes of a file. They may be written to, and such writes stay in this process: the file is never
// changed.
func mapFile(f *os.File, n int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
}

func unmap(b []byte) { _ = syscall.Munmap(b) }

// syncDirectory makes a rename in a directory durable.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
