// Lines into a filter, and those that are new to the output: the work of `dedup`.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files/forgetting.hpp"
#include "files/seen_state.hpp"
#include "keys/records.hpp"
#include "sizes/rate_limit.hpp"
#include "sizes/rate_watch.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/output.hpp"
#include "text/selected_rows.hpp"

namespace bloomery::cli {

struct dedup_options {
  std::vector<std::string> files;
  seen_request seen;
  record_format format;
  std::chrono::seconds save_every{300};  // 0: at the end only
  bool duplicates = false;
  bool count = false;
  bool force = false;
  bool quiet = false;
};

class deduplicator {
 public:
  deduplicator(seen_state& seen, const dedup_options& o)
      : seen_(seen),
        o_(o),
        limit_(limit_of(seen.filter(), seen.asked_fpr(), {})),
        watch_(seen.filter(), limit_, o.force) {}

  // False: full, and what follows was not looked at.
  bool take(const record_batch& batch);

  // The first row of a file with columns: once for files with the same header.
  void take_header(const std::string& header) {
    if (o_.count || header_ == header) return;
    header_ = header;
    out_.write(header);
    out_.write(o_.format.terminator());
  }

  void flush() { out_.flush(); }
  std::uint64_t lines() const { return lines_; }
  // Lines that are all there leave a filter as it is, unless they count as recent.
  bool has_changed() const {
    return fresh_ != 0 || (lines_ != 0 && seen_.filter().facts().forgets);
  }
  // The filter is another object.
  void filter_has_moved() { watch_.move_to(seen_.filter()); }

  void finish() {
    watch_.finish();
    if (o_.count)
      out_.write(fmt::format("{}\n", o_.duplicates ? lines_ - fresh_ : fresh_));
    out_.flush();
  }

  [[noreturn]] void refuse_full() const;

  // The expected number of mistakes is part of the answer.
  void report() const;

 private:
  // Far beyond the limit the model has no bound; the lines that were dropped are one.
  double mistakes() const {
    return std::min(watch_.mistakes(), static_cast<double>(lines_ - fresh_));
  }

  // As many of `n` keys from `first` on as there is room for.
  std::size_t take(std::size_t first, std::size_t n);

  // Into a filter that may be full, and holds copies: one of each.  How many were done.
  std::size_t insert_one_by_one(std::span<const key> keys, std::span<bool> absent);

  seen_state& seen_;
  const dedup_options& o_;
  rate_limit limit_;
  rate_watch watch_;
  std::vector<key> hashes_;
  std::unique_ptr<bool[]> absent_;
  std::size_t room_ = 0;
  std::uint64_t lines_ = 0, fresh_ = 0;
  bool has_no_room_ = false;
  std::string full_at_;
  std::optional<std::string> header_;  // printed last
  output out_;
};

}  // namespace bloomery::cli
