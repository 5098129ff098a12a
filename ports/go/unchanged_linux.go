package bloomery

import (
	"os"
	"syscall"
)

// changeTime is the ctime in nanoseconds.
func changeTime(info os.FileInfo) int64 {
	if s, known := info.Sys().(*syscall.Stat_t); known {
		return s.Ctim.Nano()
	}
	return 0
}
