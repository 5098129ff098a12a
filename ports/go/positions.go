package bloomery

// Positions returns the bits of a key, given by its 64 bits, in a filter of a kind and shape, without making one: units are
// those of a container's header, bits or blocks; the profile is that of a block filter. It is for tests, and for those who
// write another implementation.
func Positions(kind Kind, profile Profile, units uint64, hashes uint32, h uint64) []uint64 {
	row, ok := kindTable(kind)
	if !ok || row.positions == nil || units == 0 {
		return nil
	}
	return row.positions(shape{profile, hashes, units}, h)
}
