package bloomery

import (
	"encoding/binary"

	"bloomery/internal/fault"
)

// A Note is a record in a container that readers may skip. Tags from 0x8000 on must be understood; users have those below.
type Note struct {
	Tag  uint16
	Data []byte
}

const noteHeader = 8

// parseNotes refuses notes that do not fit, come twice, or must be understood and are not. at is where they begin.
func parseNotes(b []byte, at uint64, kind Kind) (notes []Note, source sourceNote, err error) {
	seen := map[uint16]bool{}
	for len(b) > 0 {
		if len(b) < noteHeader {
			return nil, source, fault.At(Corrupt, int(at), "a note does not fit")
		}
		tag, zero, n := binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:]), binary.LittleEndian.Uint32(b[4:])
		switch {
		case zero != 0 || uint64(n) > uint64(len(b)-noteHeader):
			return nil, source, fault.At(Corrupt, int(at), "a note does not fit")
		case tag >= 0x8000 && !rowOf(kind).understands(tag):
			return nil, source, fault.At(Unsupported, int(at), "a note that must be understood is not")
		case seen[tag]:
			return nil, source, fault.At(Corrupt, int(at), "a note comes twice")
		}
		seen[tag] = true
		data := append([]byte(nil), b[noteHeader:noteHeader+n]...)
		if tag == sourceTag {
			if source, err = parseSourceNote(data, at); err != nil {
				return nil, source, err
			}
		}
		notes = append(notes, Note{tag, data})
		b, at = b[noteHeader+n:], at+noteHeader+uint64(n)
	}
	return notes, source, nil
}

func appendNotes(b []byte, notes []Note) []byte {
	for _, n := range notes {
		b = binary.LittleEndian.AppendUint16(b, n.Tag)
		b = binary.LittleEndian.AppendUint16(b, 0)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(n.Data)))
		b = append(b, n.Data...)
	}
	return b
}
