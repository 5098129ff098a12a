// Package bloomery has filters that answer "perhaps" or "certainly not" about a set of keys. They never deny a key that was
// inserted, say how often they are really wrong, and make the same bytes in every language.
//
// PortableBloom is the one whose file simple programs share; BlockBloom reads one cache line a key; SplitBlockBloom is
// Apache Parquet's; Bloom is the classic one; PartitionedBloom has a slice for each bit of a key. AtomicPortable, AtomicBlock and
// AtomicPartitioned are for several goroutines. A container keeps any of them in a file with checksums: EncodeContainer,
// DecodeContainer, Save and Open. Package dialect reads other systems' filters.
//
// A container gives back a Filter, which every kind is. Calls that only some kinds have are small interfaces: Inserter, Merger,
// Folder and so on. As asks a Filter for one of them; Kind.Facts tells what a kind is and can do.
//
// A filter knows what its keys are: bytes, or with Hasher.Of integers, hashes of the caller's own and so on (Source). Keys of another
// sort are refused with a panic, files of them when they are opened.
//
// The contract is the folder spec of the project. Lookups of one filter may run side by side; what changes a filter needs it
// for itself, but for the atomic ones. No bytes make this package panic: they are refused, with the byte to blame (Error).
package bloomery
