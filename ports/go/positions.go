package bloomery

// Positions returns the bits of a key, given by its 64 bits, in a filter of a kind and shape, without making one: of a counting filter
// its cells, each once, of a cuckoo filter its tag and its two buckets. It is for tests, and for writing another implementation.
func Positions(kind Kind, s Shape, h uint64) []uint64 {
	row := rowOf(kind)
	if row == nil || row.positions == nil || s.Units == 0 {
		return nil
	}
	return row.positions(s, h)
}
