// The two classes behind RocksDB's filter policy, as far as they are called here.
//
// Since version 7 the installed headers name them and hand out pointers to them
// (FilterPolicy::GetBuilderWithContext and GetFilterBitsReader), but no longer say what
// they can do.  Versions 7 and 8 have these virtual functions in this order; another
// version is not measured, because a wrong order would call the wrong function.
#pragma once

#include <rocksdb/filter_policy.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>
#include <rocksdb/version.h>

#include <cstddef>
#include <memory>

#if ROCKSDB_MAJOR != 7 && ROCKSDB_MAJOR != 8
#error "the order of the virtual functions below is known for RocksDB 7 and 8 only"
#endif

namespace ROCKSDB_NAMESPACE {

class FilterBitsBuilder {
 public:
  virtual ~FilterBitsBuilder() = default;
  virtual void AddKey(const Slice& key) = 0;
  virtual std::size_t EstimateEntriesAdded() = 0;
  virtual Slice Finish(std::unique_ptr<const char[]>* bits) = 0;
  virtual Slice Finish(std::unique_ptr<const char[]>* bits, Status* status) = 0;
  virtual Status MaybePostVerify(const Slice& bits) = 0;
  virtual std::size_t ApproximateNumEntries(std::size_t bytes) = 0;
};

class FilterBitsReader {
 public:
  virtual ~FilterBitsReader() = default;
  virtual bool MayMatch(const Slice& key) = 0;
  virtual void MayMatch(int count, Slice** keys, bool* answers) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
