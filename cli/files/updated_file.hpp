// A filter file that is loaded, gets more keys and is replaced: under a lock, so that no
// other writer's keys are lost.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <bloomery/build.hpp>
#include <bloomery/key.hpp>

#include "files/loaded_filter.hpp"
#include "files/read_request.hpp"
#include "files/source.hpp"

namespace bloomery::cli {

// Whether the path is the open file, by device and inode.
bool is_at(const std::string& path, int fd);

// The file that is at `path` once no other writer has it, and a lock on it for as long as
// it is open.  Waits, and says so.  Throws failure.  REQUIRES: `r` outlives it
source locked_source(const std::string& path, const read_request& r);

// The lock (flock) is on the file itself, which every writer replaces by a rename: who
// has waited for it looks whether the path is still that file, and otherwise begins again
// with the new one.  Programs that take no lock are noticed before the rename.
class updated_file {
 public:
  // Waits for other writers, and says so.  Throws failure: as load_filter; keys that its
  // file does not give a meaning; no lock.  REQUIRES: `r` outlives it
  updated_file(const std::string& path, const read_request& r, std::string_view verb);

  loaded_filter& loaded() { return loaded_; }
  const loaded_filter& loaded() const { return loaded_; }
  // The hash of the keys, or, of another system's filter, of its sentinels.
  hasher hash() const;

  // Whether the path is still the file that was read.
  bool is_in_place() const;

  // Keys that go into the filter.
  void note_keys(std::span<const key> ks) {
    if (keeps_sentinels_) sentinels_.add(ks);
  }

  // Replaces the file, or leaves it as it is.  Its sentinels are the 8 smallest hashes of
  // old and new keys, if it had any; the number of distinct keys is unknown now.
  // Throws failure: the path is another file, or somebody wrote to it.
  void save(bool quiet);

  // The lock, and the file that was replaced: who waits for it goes on waiting.
  source take_lock() && { return std::move(from_); }

 private:
  source from_;
  loaded_filter loaded_;
  // Without sentinels a file with keys does not say which are the smallest hashes.
  bool keeps_sentinels_ = false;
  sentinel_picker sentinels_;
};

// A lock on the folder of `path`, to create it: released by the destructor.
class folder_lock {
 public:
  // Waits.  Throws failure.
  explicit folder_lock(const std::string& path);
  ~folder_lock();
  folder_lock(const folder_lock&) = delete;

 private:
  int fd_;
};

}  // namespace bloomery::cli
