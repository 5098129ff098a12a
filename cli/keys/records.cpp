#include "keys/records.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/shell_quote.hpp"

namespace bloomery::cli {
namespace {

// A few KiB of compressed data can hold any number of bytes without a newline, and a
// quote that is never closed makes one row of all that follows.
constexpr std::size_t max_such_record = std::size_t{64} << 20;

}  // namespace

record_reader::record_reader(std::vector<std::string> files, record_format format,
                             progress& shown)
    : files_(std::move(files)),
      format_(std::move(format)),
      progress_(shown),
      arguments_(std::exchange(format_.arguments, {})) {
  if (files_.empty() && arguments_.empty()) files_.emplace_back("-");
  progress_.expect_files(files_);
}

bool record_reader::open_next_file() {
  if (next_file_ == files_.size()) return false;
  const std::string& file = files_[next_file_++];
  input_.emplace(file, format_.text_of_file(), progress_);
  name_ = input_->name();
  records_ = 0;
  has_keys_ = false;
  noticed_ = false;
  field_ = format_.field.has_header() ? 0 : format_.field.number;
  rows_.restart();
  text_ = text_check(file == "-" ? "" : shell_quoted(file), format_.nul);
  return true;
}

std::size_t record_reader::read_into(std::span<char> room) {
  const std::size_t got = input_->read(room);
  if (format_.as_is) return got;
  if (input_->drops_cr()) text_.keep_cr();
  if (input_->compression() != nullptr) text_.unpacked_by(input_->compression()->reader);
  text_.see({room.data(), got});
  return got;
}

// Until a record ends, or the file.
void record_reader::read_records(record_batch& batch) {
  batch.take_block(unfinished_);
  std::size_t end = unfinished_.size();
  std::string_view rest;
  while (input_ && batch.texts_.empty()) {
    const std::size_t got = read_into(batch.room_after(end));
    if (got != 0) {
      const bool is_csv = format_.field.quoting == column::quotes::csv;
      rest =
          is_csv ? batch.split_csv(end, end + got, rows_) : batch.split(end, end + got);
      end += got;
      if (batch.texts_.empty()) check_length(end);
    } else {
      if (end != 0) batch.texts_.emplace_back(batch.block_.data(), end);
      rest = {};
      notice_conversions();
      input_.reset();
    }
    if (!format_.as_is) check_text(batch, end);
  }
  unfinished_ = rest;
  if (input_) notice_conversions();
}

// Checks the length of a record that has not ended.
void record_reader::check_length(std::size_t bytes) const {
  if (bytes <= max_such_record) return;
  if (input_->compression() != nullptr)
    throw failure(fmt::format(
        "{}: a key of more than {} in {} data: {} FILE | bloomery ... takes it", name_,
        size(std::uint64_t{max_such_record}), input_->compression()->name,
        input_->compression()->reader));
  if (format_.field.quoting == column::quotes::csv)
    throw failure(fmt::format("{}: row {} is longer than {}: is a quote never closed?",
                              name_, records_ + 1, size(std::uint64_t{max_such_record})));
}

// Once the first record is there: all conversions are known by then.
void record_reader::notice_conversions() {
  if (std::exchange(noticed_, true) || format_.quiet) return;
  if (const std::string what = input_->conversions(); !what.empty())
    progress_.note(fmt::format("{}: {}; --as-is keeps its bytes", name_, what));
}

// When records are to be handed out, or one gets long: nobody waits for more, and the
// advice is by whole lines.
void record_reader::check_text(const record_batch& batch, std::size_t bytes) const {
  constexpr std::size_t enough = 4096;
  const bool has_ended = !input_;
  if (!has_ended && batch.texts_.empty() && bytes < enough) return;
  std::string why = text_.why_not();
  if (why.empty() && has_ended) why = text_.why_not_whole();
  if (!why.empty())
    throw failure(
        fmt::format("{}: {}; or --as-is, if the keys are these bytes", name_, why));
}

void record_reader::check_not_empty() const {
  if (has_keys_ || format_.allow_empty) return;
  throw failure(fmt::format(
      "{}: no keys: has the program failed that writes them? --allow-empty accepts an "
      "empty input",
      name_));
}

// The header of the file, if it has one and this is its start, then the fields.
void record_reader::take_columns(record_batch& batch) {
  if (field_ == 0) {
    batch.take_header();
    ++records_;
    ++batch.before_;
    try {
      field_ = format_.field.number != 0 ? format_.field.number
                                         : column_named(format_.field, *batch.header_);
    } catch (const failure& f) {
      throw failure(fmt::format("{}, line 1: {}", name_, f.what()));
    }
  }
  batch.format_.field.number = field_;
  batch.find_fields();
}

bool record_reader::next(record_batch& batch) {
  batch.format_ = format_;
  if (!arguments_.empty()) {
    batch.take_arguments(std::exchange(arguments_, {}));
    return true;
  }
  do {
    if (!input_ && !open_next_file()) return false;
    read_records(batch);
    if (batch.texts_.empty()) check_not_empty();
  } while (batch.texts_.empty());
  batch.file_ = name_;
  batch.before_ = records_;
  batch.has_own_keys_ = format_.field.is_used() || !format_.is_plain();
  if (format_.field.is_used())
    take_columns(batch);
  else if (batch.has_own_keys_)
    batch.keys_.assign(batch.texts_.begin(), batch.texts_.end());
  if (!format_.is_plain()) batch.spell();
  records_ += batch.texts_.size();
  has_keys_ |= !batch.texts_.empty();
  // A file that has ended with its header only.
  if (!input_) check_not_empty();
  return true;
}

}  // namespace bloomery::cli
