// Package fault has the one error type of the module. It is a package of its own so that the dialects and the filters
// can share it; users see it as bloomery.Error and bloomery.Code.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
)

// A Code says what kind of thing went wrong. It is itself an error, for errors.Is(err, code).
type Code uint8

// The codes that every implementation uses; their numbers are of no meaning outside this process.
const (
	InvalidArgument Code = iota + 1
	TooLarge
	OutOfMemory
	Unattainable
	Corrupt
	Unsupported
	Incompatible
	IO
	Full
	NotPresent
	TooManyCopies
)

var names = [...]string{"", "invalid_argument", "too_large", "out_of_memory", "unattainable", "corrupt", "unsupported",
	"incompatible", "io", "full", "not_present", "too_many_copies"}

// String returns the name that the specification uses, such as "corrupt".
func (c Code) String() string {
	if int(c) < len(names) && c != 0 {
		return names[c]
	}
	return fmt.Sprintf("code(%d)", uint8(c))
}

// Error makes a Code an error.
func (c Code) Error() string { return c.String() }

// NoOffset is the Offset of an Error that blames no byte.
const NoOffset = -1

// An Error says what was refused and why.
type Error struct {
	Code   Code
	Offset int64 // the byte to blame, or NoOffset
	What   string
	Cause  error  // of an io error: the operating system's
	Path   string // the file, of Open and Save
}

// Error returns the path, the code, the reason and the offset, those that there are:
//
//	users.bloom: corrupt: not a container (byte 0)
//	users.bloom: io: the file could not be opened: no such file or directory
func (e *Error) Error() string {
	s := e.Code.String() + ": " + e.What
	if e.Path != "" {
		s = e.Path + ": " + s
	}
	if e.Cause != nil {
		s += ": " + e.reason()
	}
	if e.Offset >= 0 {
		s += fmt.Sprintf(" (byte %d)", e.Offset)
	}
	return s
}

// reason is the cause in words; a path that the message begins with does not come again.
func (e *Error) reason() string {
	var p *fs.PathError
	if errors.As(e.Cause, &p) && p.Path == e.Path {
		return p.Err.Error()
	}
	return e.Cause.Error()
}

// Is reports whether target is the code of this error.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.Code
}

// Unwrap returns the error of the operating system, if there is one.
func (e *Error) Unwrap() error { return e.Cause }

// New makes an error that blames no byte.
func New(c Code, what string) *Error { return &Error{Code: c, Offset: NoOffset, What: what} }

// At makes an error that blames a byte.
func At(c Code, offset int, what string) *Error {
	return &Error{Code: c, Offset: int64(offset), What: what}
}

// Wrap makes an io error of the operating system's.
func Wrap(what string, cause error) *Error {
	return &Error{Code: IO, Offset: NoOffset, What: what, Cause: cause}
}
