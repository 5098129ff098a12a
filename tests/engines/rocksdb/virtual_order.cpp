// Prints where each virtual function of RocksDB's two classes is in their tables: of the
// classes as RocksDB declares them, or as we do.
//
//   c++ -DBLOOMERY_CLASSES='"table/block_based/filter_policy_internal.h"' ...
#include BLOOMERY_CLASSES

#include <rocksdb/version.h>

#include <cstdio>
#include <cstring>

namespace {

using builder = rocksdb::FilterBitsBuilder;
using reader = rocksdb::FilterBitsReader;
using rocksdb::Slice;
using rocksdb::Status;
using buffer = std::unique_ptr<const char[]>;

// The first word of a pointer to a virtual member is one more than the offset of its
// entry (Itanium C++ ABI, 2.3).
template <class Pointer>
void print(const char* name, Pointer member) {
  std::ptrdiff_t word;
  std::memcpy(&word, &member, sizeof word);
  std::printf("%s %td\n", name, word);
}

template <class Class, class Answer, class... Arguments>
using member = Answer (Class::*)(Arguments...);

}  // namespace

int main() {
  print("AddKey", &builder::AddKey);
#if ROCKSDB_MAJOR > 9 || (ROCKSDB_MAJOR == 9 && ROCKSDB_MINOR >= 6)
  print("AddKeyAndAlt", &builder::AddKeyAndAlt);
#endif
  print("EstimateEntriesAdded", &builder::EstimateEntriesAdded);
  print("Finish", static_cast<member<builder, Slice, buffer*>>(&builder::Finish));
  print("Finish, status",
        static_cast<member<builder, Slice, buffer*, Status*>>(&builder::Finish));
  print("MaybePostVerify", &builder::MaybePostVerify);
  print("ApproximateNumEntries", &builder::ApproximateNumEntries);
#if ROCKSDB_MAJOR > 10 || (ROCKSDB_MAJOR == 10 && ROCKSDB_MINOR >= 8)
  print("CalculateSpace", &builder::CalculateSpace);
  print("EstimatedFpRate", &builder::EstimatedFpRate);
#endif
  print("MayMatch", static_cast<member<reader, bool, const Slice&>>(&reader::MayMatch));
  print("MayMatch, batch",
        static_cast<member<reader, void, int, Slice**, bool*>>(&reader::MayMatch));
  // Neither class has members, nor another base: they are their table alone.
  std::printf("bytes %zu %zu\n", sizeof(builder), sizeof(reader));
}
