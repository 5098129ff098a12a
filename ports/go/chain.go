package bloomery

// A chain is several block filters side by side in one array, all of which a lookup reads: the rule of scalable filters, whose parts
// are levels, and of window filters, whose parts are generations.
type chain []chainPart

// A chainPart is one of them: so many blocks of a profile, from a byte of the array on.
type chainPart struct {
	at, blocks uint64
	profile    Profile
}

func (p chainPart) bytes() uint64 {
	s, _ := p.profile.shape()
	return p.blocks * uint64(s.Lanes*s.Width/8)
}

// mayContain begins with the last part: in a chain that grew it has the most keys.
func (c chain) mayContain(a *array, h uint64) bool {
	for i := len(c) - 1; i >= 0; i-- {
		s, _ := c[i].profile.shape()
		if inBlocks(a.bits[c[i].at:c[i].at+c[i].bytes()], c[i].blocks, s, h) {
			return true
		}
	}
	return false
}
