#include "format/key_spool.hpp"

#include <cstring>
#include <new>

#include "filter/sort_unique.hpp"

namespace bloomery::inline v1 {

result<key_spool> key_spool::make(const spool_options& o) noexcept {
  if (o.memory_limit < spool_options::min_memory)
    return error{errc::invalid_argument, "a memory limit below 1 MiB is too small", 0,
                 static_cast<double>(o.memory_limit),
                 static_cast<double>(spool_options::min_memory)};
  // Both now: an hour of reading keys is too late to learn that there is no such folder.
  auto runs = format::scratch_file::open(o.directory.c_str());
  if (!runs) return runs.error();
  auto sorted = format::scratch_file::open(o.directory.c_str());
  if (!sorted) return sorted.error();
  auto* s = new (std::nothrow) state(*std::move(runs), *std::move(sorted), o);
  if (s == nullptr) return error{errc::out_of_memory, "not enough memory"};
  return key_spool(s);
}

key_spool::~key_spool() { delete state_; }

result<void> key_spool::add(std::span<const key> keys) noexcept {
  return state_->add(keys);
}

result<std::uint64_t> key_spool::count(unsigned threads) noexcept {
  if (auto ok = state_->count(threads); !ok) return ok.error();
  return state_->distinct;
}

result<sorted_keys> key_spool::sorted(std::uint64_t reserved, unsigned threads) noexcept {
  if (auto ok = state_->count(threads); !ok) return ok.error();
  return state_->sorted(reserved);
}

const sentinel_picker& key_spool::smallest() const noexcept { return state_->smallest; }
result<void> key_spool::clear() noexcept { return state_->clear(); }
std::uint64_t key_spool::memory_limit() const noexcept { return state_->limit; }
std::uint64_t key_spool::spilled_bytes() const noexcept {
  return state_->spilled * sizeof(key);
}

result<void> key_spool::state::make_buffers() noexcept {
  for (pages* p : {&buffer, &scratch})
    if (p->size() == 0) {
      auto made = pages::make(room() / 2 * sizeof(key));
      if (!made) return made.error();
      *p = *std::move(made);
    }
  if (table.size() == 0) {
    auto made = pages::make(max_runs() * sizeof(spool_run));
    if (!made) return made.error();
    table = *std::move(made);
  }
  return {};
}

result<void> key_spool::state::add(std::span<const key> keys) noexcept {
  if (broken) return *broken;
  if (counted)
    if (auto ok = reopen(); !ok) return ok;
  if (auto ok = make_buffers(); !ok) return ok;
  while (!keys.empty()) {
    const auto left = keys_of(buffer).subspan(filled);
    const auto some = keys.first(std::min(keys.size(), left.size()));
    std::memcpy(static_cast<void*>(left.data()), some.data(), some.size_bytes());
    filled += some.size();
    keys = keys.subspan(some.size());
    if (some.size() == left.size())
      if (auto ok = compact(); !ok) return ok;
  }
  return {};
}

// Keys after `count`: what was merged is a run like any other.
result<void> key_spool::state::reopen() noexcept {
  read_buffer = pages();
  mapping = pages();
  if (is_on_disk()) {
    if (auto ok = make_buffers(); !ok) return ok;
    std::swap(runs_file, sorted_file);
    if (auto ok = sorted_file.clear(); !ok) return ok;
    run_count = 1;
    runs()[0] = {.unread = 0, .end = runs_file.size(), .discarded = 0};
  }
  counted = false;
  return {};
}

// Drops duplicates; what then still fills three quarters goes to disk.
result<void> key_spool::state::compact() noexcept {
  const auto all = keys_of(buffer);
  filled = sort_unique(all.first(filled), keys_of(scratch), 1);
  if (filled <= all.size() / 4 * 3) return {};
  return spill();
}

// REQUIRES: what is collected is sorted and distinct
result<void> key_spool::state::spill() noexcept {
  if (run_count == max_runs())
    broken = error{errc::too_large,
                   "more keys than can be sorted within the memory limit: raise it", 0,
                   static_cast<double>(limit), 2 * static_cast<double>(limit)};
  else if (auto ok = runs_file.append(keys_of(buffer).first(filled)); !ok)
    broken = ok.error();
  if (broken) return *broken;
  spilled += filled;
  const std::uint64_t end = runs_file.size();
  ++run_count;
  runs().back() = {.unread = end - filled, .end = end, .discarded = end - filled};
  filled = 0;
  return {};
}

result<void> key_spool::state::count(unsigned threads) noexcept {
  if (broken) return *broken;
  if (counted) return {};
  smallest = {};
  if (filled != 0)
    filled = sort_unique(keys_of(buffer).first(filled), keys_of(scratch), threads);
  distinct = filled;
  if (run_count == 0) {
    if (filled != 0)
      smallest.add(keys_of(buffer).first(std::min(filled, sentinel_picker::max_keys)));
    counted = true;
    return {};
  }
  if (filled != 0)
    if (auto ok = spill(); !ok) return ok;
  buffer = pages();
  scratch = pages();
  if (auto ok = merge(threads); !ok) {
    broken = ok.error();
    return *broken;
  }
  run_count = 0;
  distinct = sorted_file.size();
  counted = true;
  return {};
}

result<void> key_spool::state::clear() noexcept {
  for (pages* p : {&buffer, &scratch, &table, &read_buffer, &mapping}) *p = pages();
  filled = run_count = 0;
  counted = false;
  distinct = spooled = spilled = 0;
  broken.reset();
  for (format::scratch_file* f : {&runs_file, &sorted_file})
    if (auto ok = f->clear(); !ok) {
      broken = ok.error();
      return *broken;
    }
  return {};
}

}  // namespace bloomery::inline v1
