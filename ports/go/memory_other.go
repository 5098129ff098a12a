//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package bloomery

import "os"

// mapAnonymous has nothing to offer here; the bits lie on the heap.
func mapAnonymous(int) ([]byte, error) { return nil, nil }

// mapFile has nothing to offer here; the file is read instead.
func mapFile(*os.File, int) ([]byte, error) { return nil, nil }

func unmap([]byte) {}

// syncDirectory does nothing where directories cannot be opened.
func syncDirectory(string) error { return nil }
