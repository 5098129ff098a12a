package bloomery

import (
	"fmt"
	"strings"

	"bloomery/internal/fault"
)

// The calls that only some kinds have, beside those of Filter, which all have. As converts a filter whose kind is known at run time
// only:
//
//	in, err := bloomery.As[bloomery.Inserter](c.Filter)
//
// Kind.Facts lists the calls of a kind.

// An Inserter takes every key. It is for kinds that never fill up, and whose damaged parts may be written to.
type Inserter interface {
	Insert(key []byte)
	InsertString(key string)
	InsertUint64(x uint64) // into a filter of integers
	InsertHash(h uint64)
}

// A BatchInserter takes many keys at once, faster. Every Inserter is one.
type BatchInserter interface {
	InsertMany(keys [][]byte)
	InsertManyHashes(hashes []uint64)
}

// A TryInserter can refuse a key: no room (Full), as many copies of it as there can be (TooManyCopies), or its place is damaged
// (Corrupt). A key that is refused has changed nothing.
type TryInserter interface {
	TryInsert(key []byte) error
	TryInsertHash(h uint64) error
	// TryInsertManyHashes stops at the first key that is refused, and returns how many went in before it.
	TryInsertManyHashes(hashes []uint64) (int, error)
}

// An AbsentInserter inserts a key unless it is possibly present already, and returns whether it inserted it. False is not proof
// of an earlier insertion: it comes at the filter's rate for new keys too.
type AbsentInserter interface {
	InsertIfAbsent(key []byte) bool
	InsertIfAbsentHash(h uint64) bool
}

// An Eraser takes one copy of a key out. A key that is not there is refused (NotPresent), one whose place is damaged too (Corrupt);
// then nothing has changed. Only keys that were inserted may be erased: another key that is possibly present by chance takes a
// copy of another key.
type Eraser interface {
	Erase(key []byte) error
	EraseHash(h uint64) error
}

// A Counter returns an upper bound of the copies of a key: never fewer than were inserted and not erased.
type Counter interface {
	Count(key []byte) uint64
	CountHash(h uint64) uint64
}

// A Merger becomes the union with another filter. One of another kind, or that does not fit, is refused (Incompatible).
type Merger interface {
	Merge(other Filter) error
}

// An Intersecter keeps what another filter has too: it contains every key of both sets. One that does not fit is refused
// (Incompatible).
type Intersecter interface {
	Intersect(other Filter) error
}

// A Folder becomes smaller by a divisor of its units, to the bit the filter of the same keys with so many units fewer.
type Folder interface {
	Fold(groups uint64) error
}

// A Ranger hands out what it holds, as hashes or as much of them as the kind keeps, until yield returns false.
type Ranger interface {
	Range(yield func(h uint64) bool)
}

// A Clearer forgets all keys.
type Clearer interface {
	Clear()
}

// As returns a filter as one that has certain calls. If its kind does not have them it refuses (Unsupported), and names the
// kind and the kinds that do.
func As[C any](f Filter) (C, error) {
	c, ok := f.(C)
	if ok {
		return c, nil
	}
	want := callOf[C]("")
	return c, fault.New(Unsupported, fmt.Sprintf("the kind %s does not support %s; %s", f.Kind(), want.title, haveIt(want)))
}

// haveIt names the kinds that have a call.
func haveIt(c call) string {
	var names []string
	for _, k := range Kinds() {
		if row := rowOf(k); row.filter != nil && c.has(row.filter) {
			names = append(names, row.Name)
		}
	}
	if names == nil {
		return "no kind does"
	}
	return "kinds that do: " + strings.Join(names, ", ")
}

// A call is one of spec/kinds.json, or any other interface.
type call struct {
	name  string
	title string
	has   func(Filter) bool
}

func callOf[C any](name string) call {
	title := strings.TrimPrefix(fmt.Sprintf("%T", (*C)(nil)), "*")
	return call{name, title, func(f Filter) bool { _, ok := f.(C); return ok }}
}

// calls are those of spec/kinds.json. "build" is not among them: kinds that are made of all keys at once are only read here.
var calls = [...]call{
	callOf[Inserter]("insert"), callOf[TryInserter]("try_insert"), callOf[AbsentInserter]("insert_if_absent"),
	callOf[Eraser]("erase"), callOf[Counter]("count"), callOf[Merger]("merge"), callOf[Folder]("fold"),
	callOf[Intersecter]("intersect"), callOf[Ranger]("iterate"),
}

// callsOf lists what a filter can do, by the names of spec/kinds.json.
func callsOf(f Filter) (can []string) {
	if f == nil {
		return nil
	}
	for _, c := range calls {
		if c.has(f) {
			can = append(can, c.name)
		}
	}
	return can
}
