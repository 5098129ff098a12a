// Receipts of inserted keys in a text file: one per line, 48 hex digits, then a TAB and
// the row that the key came from, so that grep finds them; line ends inside a row (CSV)
// are written as spaces.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <bloomery/any_filter.hpp>

#include "keys/record_format.hpp"

namespace bloomery::cli {

// Appends.  Receipts are kept in memory until the filter is saved: one for a key that is
// not in the filter could delete another key.
class receipt_writer {
 public:
  // Creates the file if it does not exist, and waits until no other writer has it.
  // Throws failure, also if it holds something else than receipts.
  receipt_writer(const std::string& path, char terminator);
  // A file that was created here and not written to is removed.
  ~receipt_writer();
  receipt_writer(const receipt_writer&) = delete;

  // The last one that the file had; none if it was empty, or its last row is longer than
  // 64 KiB.
  std::optional<receipt> last() const;
  // Whether the file was there before, without a line: a run that was interrupted left
  // it, or somebody made it.
  bool was_empty() const { return !created_ && old_size_ == 0; }
  // Throws failure: it has receipts, which are of another filter than a new one.
  void check_new() const;

  void add(const receipt& r, std::string_view row);
  // Takes the room on the disk, so that `write` does not fail for lack of it.
  // Throws failure.
  void reserve();
  // Throws failure.
  void write();

 private:
  // False: the path is another file by now.
  bool open_locked();
  void check_old() const;

  std::string path_;
  char terminator_;
  int fd_ = -1;
  std::uint64_t old_size_ = 0;
  bool created_ = false;
  std::string text_;
};

// take(receipt, place) for each line; `path` may be "-".  Throws failure: a line that
// does not begin with 48 hex digits.
void for_each_receipt(
    const std::string& path, const record_format& format, bool quiet,
    const std::function<void(receipt, const std::function<std::string()>&)>& take);

}  // namespace bloomery::cli
