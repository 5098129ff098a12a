package main

import (
	"fmt"
	"log"

	leveldbfilter "bloomery/adapters/goleveldb"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
)

func main() {
	o := &opt.Options{Filter: leveldbfilter.New(10)} // bits per key
	db, err := leveldb.Open(storage.NewMemStorage(), o)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	db.Put([]byte("alice"), []byte("1"), nil)
	value, err := db.Get([]byte("alice"), nil)
	fmt.Println(string(value), err)
}
