package main

import (
	"fmt"
	"log"

	pebblefilter "bloomery/adapters/pebble"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

func main() {
	o := &pebble.Options{FS: vfs.NewMem()}
	o.Levels[0].FilterPolicy = pebblefilter.Policy(10) // bits per key, of this level and those below
	db, err := pebble.Open("users", o)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	db.Set([]byte("alice"), []byte("1"), pebble.Sync)
	value, closer, err := db.Get([]byte("alice"))
	fmt.Println(string(value), err)
	closer.Close()
}
