package bloomery

import "unsafe"

// view is the bytes of a string, not copied. They must not be written to.
func view(s string) []byte {
	return *(*[]byte)(unsafe.Pointer(&struct {
		string
		int
	}{s, len(s)}))
}

// bytesOf is the bytes of a key of either type, not copied. Both are laid out as pointer and length; the capacity of
// a string's bytes is its length.
func bytesOf[K string | []byte](k K) []byte {
	return view(*(*string)(unsafe.Pointer(&k)))
}
