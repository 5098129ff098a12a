package conform

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"bloomery"
	"bloomery/dialect"
)

// A machine runs one script. A variable holds bytes, a filter, or something that can only be asked.
type machine struct {
	dir  string
	vars map[string]interface{}
}

// A line is an operation: verb, arguments by place, options by name.
type line struct {
	verb    string
	args    []string
	options map[string]string
}

// errScript is a script that does not parse.
type errScript struct{ what string }

func (e errScript) Error() string { return e.what }

// RunScript runs a script and writes its trace. An error means that the script does not parse or a file is missing.
func RunScript(script io.Reader, trace io.Writer, dir string) error {
	m := &machine{dir: dir, vars: map[string]interface{}{}}
	in := bufio.NewScanner(script)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(trace)
	for number := 1; in.Scan(); number++ {
		text := in.Text()
		if text == "" || text[0] == '#' {
			continue
		}
		result, err := m.run(parseLine(text))
		if err != nil {
			_ = out.Flush()
			return fmt.Errorf("line %d: %w", number, err)
		}
		fmt.Fprintf(out, "%d %s\n", number, result)
	}
	if err := in.Err(); err != nil {
		return err
	}
	return out.Flush()
}

func parseLine(text string) line {
	words := strings.Split(text, " ")
	l := line{verb: words[0], options: map[string]string{}}
	for _, w := range words[1:] {
		name, value, ok := strings.Cut(w, "=")
		if ok && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") == "" && name != "" {
			l.options[name] = value
		} else {
			l.args = append(l.args, w)
		}
	}
	return l
}

// run turns a refusal into a result; what remains is a script that does not parse.
func (m *machine) run(l line) (string, error) {
	op, ok := operations[l.verb]
	if !ok {
		return "", errScript{"no such operation: " + l.verb}
	}
	if len(l.args) < op.args {
		return "", errScript{l.verb + ": too few words"}
	}
	result, err := op.run(m, l)
	var refusal *bloomery.Error
	if errors.As(err, &refusal) && refusal.Code != bloomery.IO {
		return refused(refusal, op.tellsOffset), nil
	}
	return result, err
}

func refused(e *bloomery.Error, withOffset bool) string {
	s := "error " + e.Code.String()
	if withOffset {
		at := e.Offset
		if at < 0 {
			at = 0
		}
		s += fmt.Sprintf(" at=%d", at)
	}
	return s
}

// filter is a variable of ours, bytes one of bytes, asked one that can be asked.
func (m *machine) filter(name string) (bloomery.Filter, error) {
	if f, ok := m.vars[name].(bloomery.Filter); ok {
		return f, nil
	}
	return nil, errScript{"not a filter: " + name}
}

func (m *machine) bytes(name string) ([]byte, error) {
	if b, ok := m.vars[name].([]byte); ok {
		return b, nil
	}
	return nil, errScript{"not bytes: " + name}
}

// keys reads the KEYS of a line from an argument on.
func (l line) keys(from int) ([]key, error) {
	var all []key
	for _, w := range l.args[from:] {
		k, err := parseKeys(w)
		if err != nil {
			return nil, errScript{err.Error()}
		}
		all = append(all, k...)
	}
	if len(all) == 0 {
		return nil, errScript{l.verb + ": no keys"}
	}
	return all, nil
}

// number reads an option, 0 if it is not given.
func (l line) number(name string) (uint64, error) {
	text, ok := l.options[name]
	if !ok {
		return 0, nil
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, errScript{"not a number: " + text}
	}
	return v, nil
}

func (l line) real(name string) (float64, error) {
	text, ok := l.options[name]
	if !ok {
		return 0, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, errScript{"not a number: " + text}
	}
	return v, nil
}

func real(x float64) string {
	if math.IsInf(x, 1) {
		return "inf"
	}
	return fmt.Sprintf("%.3e", x)
}

// summary is what operations on bytes print.
func summary(b []byte) string { return fmt.Sprintf("%d %08x", len(b), bloomery.Checksum(b)) }

func unhex(text string) ([]byte, error) {
	if text == "-" {
		return []byte{}, nil
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return nil, errScript{"not hexadecimal: " + text}
	}
	return b, nil
}

func digits(answers []bool) string {
	b := make([]byte, len(answers))
	for i, a := range answers {
		if b[i] = '0'; a {
			b[i] = '1'
		}
	}
	return string(b)
}

// accepted is what decode prints of something that was read.
func accepted(v interface{}) string {
	switch c := v.(type) {
	case dialect.Filter:
		return fmt.Sprintf("dialect=%s variant=%s bits=%d parts=%d", c.Dialect(), c.Variant(), c.Bits(), c.Parts())
	case *bloomery.Container:
		s := fmt.Sprintf("kind=%s damaged=%d", c.Info.Kind, c.Damaged)
		switch {
		case c.Packed != nil:
			s += fmt.Sprintf(" members=%d", c.Packed.Members())
		case c.Foreign != nil:
			s += " " + accepted(c.Foreign)
		}
		return s
	}
	return "kind=portable damaged=0"
}

// content is what a container holds.
func content(c *bloomery.Container) interface{} {
	switch {
	case c.Packed != nil:
		return c.Packed
	case c.Foreign != nil:
		return c.Foreign
	}
	return c.Filter
}
