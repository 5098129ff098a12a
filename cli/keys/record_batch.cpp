#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "keys/records.hpp"
#include "keys/terminators.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {

namespace {

// Large enough to make a system call cheap, small enough to leave the L2 cache to the
// filter.
constexpr std::size_t block_size = 128u << 10;

}  // namespace

// Empties the batch and puts the start of a record at the front of its block.
void record_batch::take_block(std::string_view unfinished) {
  texts_.clear();
  header_.reset();
  whole_ = {};
  block_.resize(std::max({block_.size(), block_size, unfinished.size()}));
  std::ranges::copy(unfinished, block_.begin());
}

// Where to read to, after `end` bytes of a record that has not ended.  The block doubles
// when it is full: copying costs no more than twice the record's length, in however small
// pieces it comes.  REQUIRES: no records in the batch, which would lose their memory
std::span<char> record_batch::room_after(std::size_t end) {
  constexpr std::size_t min_room = 4096;
  if (block_.size() < end + min_room) block_.resize(2 * block_.size());
  return std::span(block_).subspan(end, std::min(block_.size() - end, block_size));
}

// Hands out the records that end before `end`; nothing ends before `scan_from`.  What
// follows the last of them is returned.
std::string_view record_batch::split(std::size_t scan_from, std::size_t end) {
  const char* const data = block_.data();
  std::size_t begin = 0;
  for_each_terminator(data, scan_from, end, format_.terminator(), [&](std::size_t at) {
    texts_.emplace_back(data + begin, at - begin);
    begin = at + 1;
  });
  whole_ = {data, begin};
  return {data + begin, end - begin};
}

// The same for rows of CSV, whose quotes may hold terminators.
std::string_view record_batch::split_csv(std::size_t scan_from, std::size_t end,
                                         csv_rows& rows) {
  const char* const data = block_.data();
  const char delimiter = format_.field.separator(), terminator = format_.terminator();
  std::size_t begin = 0;
  for (std::size_t i = scan_from; i < end; ++i) {
    if (!rows.ends_at(data[i], delimiter, terminator)) continue;
    texts_.emplace_back(data + begin, i - begin);
    begin = i + 1;
  }
  whole_ = {data, begin};
  return {data + begin, end - begin};
}

// The first record is no key.
void record_batch::take_header() {
  header_ = texts_.front();
  whole_.remove_prefix(std::min(whole_.size(), header_->size() + 1));
  texts_.erase(texts_.begin());
}

// Puts the key's field of each row into keys_.
void record_batch::find_fields() {
  const column& c = format_.field;
  const std::string separator(1, c.separator());
  std::size_t bytes = 0;
  bool has_quotes = false;
  for (const std::string_view row : texts_) {
    bytes += row.size();
    has_quotes |= c.quoting != column::quotes::bytes && row.find('"') != row.npos;
  }
  unquoted_.clear();
  unquoted_.reserve(bytes);  // so that the views below stay valid
  keys_.clear();
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    std::optional<std::string_view> key;
    if (!has_quotes) {
      key = bare_field(c, texts_[i]);
    } else {
      try {
        split_row(c, texts_[i], c.number, fields_);
      } catch (const failure& f) {
        throw failure(fmt::format("{}: {}", place(i), f.what()));
      }
      if (fields_.size() == c.number) key = fields_.back().text;
      if (key && fields_.back().has_doubled_quotes) {
        const std::size_t from = unquoted_.size();
        append_unquoted(*key, unquoted_);
        key = std::string_view(unquoted_).substr(from);
      }
    }
    if (!key && !c.missing_is_empty)
      throw failure(fmt::format(
          "{}: has no field {}, with fields delimited by {}: -d D names another "
          "delimiter, --missing-empty takes the empty key for such rows{}",
          place(i), c.number, printable(separator), csv_advice(c, texts_[i])));
    keys_.push_back(key.value_or(std::string_view()));
  }
}

// Replaces texts in keys_ by the bytes they spell.
void record_batch::spell() {
  std::size_t bytes = 0;
  for (const std::string_view text : keys_) bytes += room_for(format_, text);
  decoded_.clear();
  decoded_.reserve(bytes);  // so that the views below stay valid
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const std::size_t from = decoded_.size();
    append_key(
        format_, keys_[i], [&] { return place(i); }, decoded_);
    keys_[i] = {decoded_.data() + from, decoded_.size() - from};
  }
}

// Keys of the command line: each is a whole key, whatever column files have.
void record_batch::take_arguments(std::vector<std::string> keys) {
  take_block({});
  arguments_ = std::move(keys);
  texts_.assign(arguments_.begin(), arguments_.end());
  file_.clear();
  before_ = 0;
  has_own_keys_ = !format_.is_plain();
  if (!has_own_keys_) return;
  keys_.assign(texts_.begin(), texts_.end());
  spell();
}

// Rows of CSV may be several lines.
std::string record_batch::place(std::size_t i) const {
  if (file_.empty()) return fmt::format("key {} of the command line", i + 1);
  const char* const unit = format_.nul                                    ? "record"
                           : format_.field.quoting == column::quotes::csv ? "row"
                                                                          : "line";
  return fmt::format("{}, {} {}", file_, unit, before_ + i + 1);
}

}  // namespace bloomery::cli
