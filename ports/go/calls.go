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

// An AbsentInserter inserts a key unless it is possibly present already, and returns whether it inserted it. False is not proof
// of an earlier insertion: it comes at the filter's rate for new keys too.
type AbsentInserter interface {
	InsertIfAbsent(key []byte) bool
	InsertIfAbsentHash(h uint64) bool
}

// A Rated filter reports its rate: every kind that is filled here does.
type Rated interface {
	Fill() float64                // share of the bits that are set
	EstimatedKeys() float64       // estimated number of distinct keys
	ExpectedFPR(n uint64) float64 // the false-positive rate that it has with n keys
	RealisedFPR() float64         // the rate that it has, from its bits; damage counts
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

// calls are those of spec/kinds.json that this package has.
var calls = [...]call{
	callOf[Inserter]("insert"), callOf[AbsentInserter]("insert_if_absent"), callOf[Merger]("merge"), callOf[Folder]("fold"),
	callOf[Intersecter]("intersect"),
}
