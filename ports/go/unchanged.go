package bloomery

import "os"

// fileStatus is what the system says about a file without reading it.
type fileStatus struct {
	info     os.FileInfo
	modified int64 // nanoseconds
	changed  int64 // the same of the ctime, which no program can set; 0 where it is not known
}

func statusOf(info os.FileInfo) fileStatus {
	return fileStatus{info, info.ModTime().UnixNano(), changeTime(info)}
}

// Unchanged reports whether the path that Open was given still holds the same file, with the size, the modification time and
// (on Linux) the change time that it had then. One stat; nothing is read. It is true for containers that did not come from Open.
//
// False means: Open again. The file was replaced, as Save does, or renamed, or linked, all of which leave the answers right; or its
// bytes were changed in place, which does not. To be sure, look up, then call Unchanged, then use the answers. A change within one
// tick of the file system's clock after Open, or through another mapping, is not seen.
func (c *Container) Unchanged() bool {
	if c.status.info == nil {
		return true
	}
	info, err := os.Stat(c.path)
	if err != nil {
		return false
	}
	now := statusOf(info)
	return os.SameFile(info, c.status.info) && info.Size() == c.status.info.Size() &&
		now.modified == c.status.modified && now.changed == c.status.changed
}
