package conform

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
)

// edit is bytes, flip, put, cut and add. What it makes is a new array: variables never share one.
func (m *machine) edit(l line) (string, error) {
	name, arg := l.args[0], l.args[1]
	var b []byte
	if l.verb != "bytes" {
		old, err := m.bytes(name)
		if err != nil {
			return "", err
		}
		b = append([]byte{}, old...)
	}
	last := l.args[len(l.args)-1]
	var data []byte
	var number uint64
	var err error
	if l.verb == "bytes" || l.verb == "add" || l.verb == "put" {
		if data, err = unhex(last); err != nil {
			return "", err
		}
	}
	if l.verb == "flip" || l.verb == "put" || l.verb == "cut" {
		if number, err = strconv.ParseUint(arg, 10, 64); err != nil {
			return "", errScript{"not a number: " + arg}
		}
	}
	size := uint64(len(b))
	outside := errScript{l.verb + ": outside the bytes"}
	switch l.verb {
	case "bytes", "add":
		b = append(b, data...)
	case "flip":
		if number/8 >= size {
			return "", outside
		}
		b[number/8] ^= 1 << (number % 8)
	case "put":
		if number > size || uint64(len(data)) > size-number {
			return "", outside
		}
		copy(b[number:], data)
	case "cut":
		if number > size {
			return "", outside
		}
		b = b[:number]
	}
	m.vars[name] = b
	return summary(b), nil
}

func (m *machine) show(l line) (string, error) {
	b, err := m.bytes(l.args[0])
	return hex.EncodeToString(b), err
}

// path is a file of the script's folder; a name has no folders of its own.
func (m *machine) path(name string) (string, error) {
	if m.dir == "" || name != filepath.Base(name) || name == "." || name == ".." {
		return "", errScript{"no folder for files, or not a name: " + name}
	}
	return filepath.Join(m.dir, name), nil
}

func (m *machine) write(l line) (string, error) {
	b, err := m.bytes(l.args[0])
	if err != nil {
		return "", err
	}
	path, err := m.path(l.args[1])
	if err != nil {
		return "", err
	}
	return "ok", os.WriteFile(path, b, 0o644)
}

func (m *machine) read(l line) (string, error) {
	path, err := m.path(l.args[1])
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	m.vars[l.args[0]] = b
	return summary(b), nil
}
