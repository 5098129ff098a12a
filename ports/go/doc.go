// Package bloomery has Bloom filters: a filter answers whether a key is possibly present or definitely not present in a set. It
// never has a false negative, reports the false-positive rate that it really has, and makes the same bytes in every language.
//
//	f, err := bloomery.New(1_000_000, 0.01) // a million keys, 1 % false positives
//	f.InsertString("alice")
//	f.MayContainString("bob") // false: definitely not present
//
// New makes a BlockBloom, which reads one cache line per key. PortableBloom has a bare file that simple programs share;
// SplitBlockBloom is Apache Parquet's filter; Bloom is the classic one; PartitionedBloom has a slice for each bit of a key. Cuckoo,
// Counting and Quotient, whose keys can be erased by the program that made them, Ribbon, Fuse and Xor, which are built of all keys at
// once, Scalable, which grows with its keys, and Stable and Window, which forget old keys by design, come out of containers and are
// read here.
// AtomicPortable, AtomicBlock and AtomicPartitioned are for several goroutines. A container keeps any of them in a file with
// checksums: EncodeContainer, DecodeContainer, Save and Open. Package dialect reads other systems' filters.
//
// A container holds a Filter, the interface of every kind. Calls that only some kinds have are small interfaces: Inserter, Merger,
// Folder and so on. As converts a Filter to one of them; Kind.Facts describes a kind.
//
// A filter knows what its keys are (Source): bytes, integers, hashes that the caller made and so on. A call with a key of another
// source panics; a file of another source is refused when it is opened.
//
// The contract is the folder spec of the project. Lookups of one filter may run concurrently; a call that changes a filter needs
// exclusive access, except for the atomic ones. No input bytes make this package panic: they are refused, with the offset of the
// wrong byte (Error).
package bloomery
