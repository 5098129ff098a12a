// What `dedup` has seen: a filter in memory, or one that a file keeps between runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <bloomery/any_filter.hpp>

#include "files/read_request.hpp"
#include "files/updated_file.hpp"
#include "keys/record_format.hpp"

namespace bloomery::cli {

struct seen_request {
  std::string file;  // empty: nothing is kept
  std::optional<std::uint64_t> capacity;
  bool gap = false;  // it was given as that
  std::optional<double> fpr;
  std::string kind;  // empty: the default
  std::optional<std::uint64_t> memory;
  size_request size;  // the options of the kind
  read_request from;  // how the file is read
};

// Kinds that take keys one by one.
bool remembers_lines(const kind_info& kind);

class seen_state {
 public:
  // Opens the file under a lock, or creates it.  `input` are the files of lines, by which
  // a new filter without --capacity is sized.  Throws failure: the file is no filter that
  // keys can be added to, or was made for another capacity or rate.  REQUIRES: `r`
  // outlives it
  seen_state(const seen_request& r, const std::vector<std::string>& input,
             const record_format& format);
  ~seen_state();
  seen_state(const seen_state&) = delete;

  any_filter& filter() {
    return kept_ ? std::get<any_filter>(kept_->loaded().filter) : *fresh_;
  }
  // How lines become keys.
  native_keys keys() const { return kept_ ? kept_->loaded().keys : native_keys{}; }
  hasher hash() const { return kept_ ? kept_->hash() : fresh_->hasher(); }
  double asked_fpr() const { return asked_fpr_; }

  void note_keys(std::span<const key> ks) {
    if (kept_) kept_->note_keys(ks);
  }
  // Replaces the file, if there is one.  Throws failure.
  void save(bool quiet) {
    if (kept_) kept_->save(quiet);
    created_.clear();
  }
  // The file stays as it is, also if this run made it.
  void keep() { created_.clear(); }
  bool is_kept() const { return kept_ != nullptr; }
  // The same, and more keys may follow: filter() is another object from here on.
  void save_and_go_on();

 private:
  void open();

  const seen_request& asked_;
  double asked_fpr_;
  std::string created_;  // by this run, and nothing saved yet
  std::unique_ptr<updated_file> kept_;
  std::optional<any_filter> fresh_;
};

}  // namespace bloomery::cli
