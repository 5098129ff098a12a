#include "command/deduplicator.hpp"

#include "keys/native_keys.hpp"

namespace bloomery::cli {
namespace {

// "below 0.01", "3.20", "1,234"
std::string in_lines(double expected) {
  return expected < 0.01  ? std::string("below 0.01")
         : expected < 100 ? fmt::format("{:.2f}", expected)
                          : grouped(static_cast<std::uint64_t>(expected + 0.5));
}

}  // namespace

bool deduplicator::take(const record_batch& batch) {
  const std::size_t n = batch.texts().size();
  hashes_.resize(n);
  hash_encoded(seen_.hash(), batch.keys(), hashes_);
  if (room_ < n) absent_ = std::make_unique<bool[]>(room_ = n);
  std::size_t done = 0;
  while (done < n && !watch_.is_full() && !has_no_room_) done += take(done, n - done);
  const std::span<const bool> absent(absent_.get(), done);
  if (!o_.count)
    write_selected(out_, batch.texts(), absent, !o_.duplicates, !batch.whole().empty(),
                   o_.format.terminator());
  if (done < n) full_at_ = batch.place(done);
  return done == n;
}

void deduplicator::refuse_full() const {
  const std::string why =
      has_no_room_ ? "it has no room for this one; start again with a larger --capacity"
                   : fmt::format(
                         "further new lines would be dropped with a "
                         "probability above {}; start again with a larger "
                         "--capacity or --kind scalable, or --force",
                         rate(limit_.fpr));
  throw failure(fmt::format(
      "{}: stopped before this line: the filter is full after {} new lines: {}{}",
      full_at_, grouped(fresh_), why,
      o_.seen.file.empty() ? std::string()
                           : fmt::format("; {} has the lines before it", o_.seen.file)));
}

void deduplicator::report() const {
  note(fmt::format(
      "{} line{}: {} new, {} seen before; expected new lines dropped by mistake: {}; "
      "false-positive rate now {}",
      grouped(lines_), lines_ == 1 ? "" : "s", grouped(fresh_), grouped(lines_ - fresh_),
      in_lines(mistakes()), rate(watch_.rate())));
  const std::string forgets = forgetting_text(seen_.filter());
  if (!forgets.empty())
    note(fmt::format("{}; lines that it forgot were printed again", forgets));
}

std::size_t deduplicator::take(std::size_t first, std::size_t n) {
  const auto some = std::min<std::uint64_t>(n, watch_.room());
  auto keys = std::span<const key>(hashes_).subspan(first, some);
  std::span<bool> absent(absent_.get() + first, some);
  if (seen_.filter().can(capability::insert_if_absent)) {
    (void)seen_.filter().insert_if_absent(keys, absent);
  } else {
    const std::size_t done = insert_one_by_one(keys, absent);
    has_no_room_ = done < some;
    keys = keys.first(done);
    absent = absent.first(done);
  }
  seen_.note_keys(keys);
  const auto fresh = static_cast<std::uint64_t>(std::ranges::count(absent, true));
  watch_.inserted(fresh);
  lines_ += keys.size();
  fresh_ += fresh;
  return keys.size();
}

std::size_t deduplicator::insert_one_by_one(std::span<const key> keys,
                                            std::span<bool> absent) {
  any_filter& filter = seen_.filter();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    absent[i] = !filter.may_contain(keys[i]);
    if (absent[i] && !filter.try_insert(keys[i])) return i;
  }
  return keys.size();
}

}  // namespace bloomery::cli
