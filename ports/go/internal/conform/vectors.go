package conform

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"bloomery"
)

// A tally counts the cases of one file.
type tally struct {
	passed, skipped int
	failures        []string
}

// expect counts a case, and says what differs if it fails.
func (t *tally) expect(ok bool, format string, args ...interface{}) {
	if ok {
		t.passed++
		return
	}
	t.failures = append(t.failures, fmt.Sprintf(format, args...))
}

// row counts one case of several expectations: it fails with the first that does.
func (t *tally) row(run func(r *tally)) {
	var r tally
	run(&r)
	switch {
	case len(r.failures) > 0:
		t.failures = append(t.failures, r.failures[0])
	case r.skipped > 0:
		t.skipped++
	default:
		t.passed++
	}
}

// vectorFiles has what runs each file of spec/vectors; files of one kind, NAME_positions.json and NAME_filters.json, come from the
// table of kinds.
var vectorFiles = map[string]func([]byte, *tally) error{
	"hash.json":              hashVectors,
	"hash_long.json":         hashVectors,
	"receipts.json":          skipRows,
	"portable_sizing.json":   sizingVectors,
	"portable_model.json":    modelVectors,
	"portable_hostile.json":  portableHostileVectors,
	"containers.json":        containerVectors,
	"container_hostile.json": containerHostileVectors,
	"dialects.json":          dialectVectors,
	"dialect_files.json":     dialectFileVectors,
	"dialect_hostile.json":   dialectFileVectors,
}

// RunVectors runs every JSON file of a folder and writes a line for each; it reports whether all passed.
func RunVectors(dir string, out io.Writer) (ok bool, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(paths) == 0 {
		return false, errors.New("no vectors in " + dir)
	}
	sort.Strings(paths)
	ok = true
	for _, path := range paths {
		t, err := runVectors(path)
		if err != nil {
			return false, err
		}
		fmt.Fprintf(out, "%s passed=%d skipped=%d failed=%d\n", filepath.Base(path), t.passed, t.skipped, len(t.failures))
		for _, f := range t.failures {
			fmt.Fprintf(out, "  %s\n", f)
			ok = false
		}
	}
	return ok, nil
}

func runVectors(path string) (*tally, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	t := new(tally)
	run, known := vectorFiles[name]
	if !known {
		run, known = kindVectors(name)
	}
	switch wholeFile, _ := filepath.Match("portable_*_n*_p*.json", name); {
	case wholeFile:
		run = portableFileVector
	case name == "portable_verdicts.json":
		run = func(data []byte, t *tally) error { return verdictVectors(data, filepath.Dir(path), t) }
	case !known:
		t.expect(false, "a file that this program does not know")
		return t, nil
	}
	if err := run(data, t); err != nil {
		t.expect(false, "not read: %v", err)
	}
	return t, nil
}

// skipRows skips a file whose rows are all above level 2 (spec/conformance.md).
func skipRows(data []byte, t *tally) error {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(data, &file); err != nil {
		return err
	}
	for _, member := range file {
		var rows []map[string]json.RawMessage
		if json.Unmarshal(member, &rows) == nil {
			t.skipped += len(rows)
		}
	}
	return nil
}

// An outcome is what a file must be read as: accepted with answers, or refused.
type outcome struct {
	Accepted string `json:"accepted"`
	Answers  string `json:"answers"`
	Error    string `json:"error"`
	Offset   *int64 `json:"offset"`
}

// check counts one case: the result of reading, or the refusal.
func (o outcome) check(t *tally, what string, asked []key, v interface{}, tells string, err error) {
	var refusal *bloomery.Error
	if errors.As(err, &refusal) {
		at := refusal.Offset
		if at < 0 {
			at = 0
		}
		t.expect(refusal.Code.String() == o.Error && (o.Offset == nil || *o.Offset == at), "%s: %v", what, err)
		return
	}
	if err != nil || o.Error != "" {
		t.expect(false, "%s: accepted, or not read: %v", what, err)
		return
	}
	answers, err := ask(v, asked, 0, false)
	t.expect(err == nil && tells == o.Accepted && digits(answers) == o.Answers, "%s: %s %s", what, tells, digits(answers))
}

// texts are the keys PREFIX0 .. of which so many.
func texts(prefix string, n int) []key {
	keys := make([]key, n)
	for i := range keys {
		keys[i] = key{sort: 'b', bytes: []byte(fmt.Sprintf("%s%d", prefix, i))}
	}
	return keys
}

// edge65 is the input of length n that hash.json describes.
func edge65(n int) []byte {
	b := make([]byte, n)
	for j := range b {
		b[j] = byte(31*n + 7*j + 128)
	}
	return b
}

type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	b, err := hex.DecodeString(s)
	*h = b
	return err
}

// strict decodes JSON and refuses members that are not expected, so that nothing is overlooked.
func strict(data []byte, into interface{}) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

type comment struct {
	Comment []string `json:"_comment"`
}

func join(parts ...interface{}) string { return strings.TrimSpace(fmt.Sprintln(parts...)) }
