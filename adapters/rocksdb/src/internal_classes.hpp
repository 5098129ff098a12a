// The two classes behind RocksDB's filter policy, declared anew.
//
// Since version 7 the installed headers name them and hand out pointers to them
// (FilterPolicy::GetBuilderWithContext, GetFilterBitsReader), but no longer say what they
// can do.  What counts is the order of the virtual functions:
//   7.0        as below without those in conditions
//   9.6        AddKeyAndAlt comes after AddKey
//   10.8       CalculateSpace and EstimatedFpRate come last; an engine that does not know
//              them does not call them, so the first version with them need not be known
// Run in 7.8.3.  For the versions in tests/engines/rocksdb/versions.txt the order was
// compared with RocksDB's own sources (docs/decisions/0045-rocksdb-inside.md).
#pragma once

#include <rocksdb/slice.h>
#include <rocksdb/status.h>
#include <rocksdb/version.h>

#include <cstddef>
#include <memory>

#if ROCKSDB_MAJOR < 7 || ROCKSDB_MAJOR > 11 || (ROCKSDB_MAJOR == 11 && ROCKSDB_MINOR > 12)
#error \
    "bloomery_rocksdb: the classes inside RocksDB are known for versions 7.0 to 11.12; with another version use budget_policy.hpp, which needs the public interface only"
#endif

#if ROCKSDB_MAJOR > 9 || (ROCKSDB_MAJOR == 9 && ROCKSDB_MINOR >= 6)
#define BLOOMERY_ROCKSDB_HAS_ALT 1
#else
#define BLOOMERY_ROCKSDB_HAS_ALT 0
#endif
#if ROCKSDB_MAJOR > 10 || (ROCKSDB_MAJOR == 10 && ROCKSDB_MINOR >= 8)
#define BLOOMERY_ROCKSDB_HAS_SPACE 1
#else
#define BLOOMERY_ROCKSDB_HAS_SPACE 0
#endif

namespace ROCKSDB_NAMESPACE {

class FilterBitsBuilder {
 public:
  virtual ~FilterBitsBuilder() {}
  virtual void AddKey(const Slice& key) = 0;
#if BLOOMERY_ROCKSDB_HAS_ALT
  virtual void AddKeyAndAlt(const Slice& key, const Slice& alt) = 0;
#endif
  virtual std::size_t EstimateEntriesAdded() = 0;
  virtual Slice Finish(std::unique_ptr<const char[]>* bits) = 0;
  virtual Slice Finish(std::unique_ptr<const char[]>* bits, Status* /*status*/) {
    return Finish(bits);
  }
  virtual Status MaybePostVerify(const Slice& /*bits*/) { return Status::OK(); }
  virtual std::size_t ApproximateNumEntries(std::size_t bytes) = 0;
#if BLOOMERY_ROCKSDB_HAS_SPACE
  virtual std::size_t CalculateSpace(std::size_t keys) = 0;
  virtual double EstimatedFpRate(std::size_t keys, std::size_t bytes) = 0;
#endif
};

class FilterBitsReader {
 public:
  virtual ~FilterBitsReader() {}
  virtual bool MayMatch(const Slice& key) = 0;
  virtual void MayMatch(int count, Slice** keys, bool* answers) {
    for (int i = 0; i < count; ++i) answers[i] = MayMatch(*keys[i]);
  }
};

}  // namespace ROCKSDB_NAMESPACE
