#include "files/insert_keys.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "files/dialects.hpp"
#include "files/static_refusal.hpp"
#include "keys/read_ahead.hpp"
#include "sizes/kind_choice.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// A batch of hashes, and the answers to it.
class native_batch {
 public:
  std::span<const key> hash(const hasher& h, std::span<const std::string_view> encoded) {
    hashes_.resize(encoded.size());
    hash_encoded(h, encoded, hashes_);
    return hashes_;
  }
  std::span<bool> answers() {
    if (room_ < hashes_.size())
      absent_ = std::make_unique<bool[]>(room_ = hashes_.size());
    return {absent_.get(), hashes_.size()};
  }

 private:
  std::vector<key> hashes_;
  std::unique_ptr<bool[]> absent_;
  std::size_t room_ = 0;
};

std::uint64_t insert_new(any_filter& to, std::span<const key> keys,
                         std::span<bool> absent) {
  if (!to.can(capability::insert_if_absent)) {
    std::uint64_t fresh = 0;
    for (const key k : keys) {
      fresh += !to.may_contain(k);
      (void)to.insert(k);
    }
    return fresh;
  }
  if (const auto in = to.insert_if_absent(keys, absent); !in)
    throw failure(describe(to.kind(), in.error()));
  return static_cast<std::uint64_t>(std::ranges::count(absent, true));
}

// Why the i-th key of a batch is refused, after `read` keys of all batches.
[[noreturn]] void refuse_key(const loaded_filter& f, const record_batch& batch,
                             std::size_t i, std::uint64_t read, const error& e) {
  if (e.code != errc::full)
    throw failure(fmt::format("{}: refused: {}: {}; the file is unchanged", f.path,
                              batch.place(i), e.what));
  throw failure(
      fmt::format("{}: refused: it is full: the key at {} has no room, after {} that "
                  "had; the file is "
                  "unchanged: erase keys, or build a filter with a larger --capacity",
                  f.path, batch.place(i), grouped(read + i)));
}

// One copy of each.
std::uint64_t insert_copies(loaded_filter& f, const record_batch& batch,
                            std::span<const key> keys, std::uint64_t read,
                            receipt_writer* receipts, doubling& growth) {
  auto& to = std::get<any_filter>(f.filter);
  std::uint64_t fresh = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    fresh += !to.may_contain(keys[i]);
    if (receipts == nullptr) {
      auto in = to.try_insert(keys[i]);
      while (!in && in.error().code == errc::full && growth.make_room(f))
        in = to.try_insert(keys[i]);
      if (!in) refuse_key(f, batch, i, read, in.error());
    } else {
      auto in = to.try_insert_with_numbered_receipt(keys[i]);
      while (!in && in.error().code == errc::full && growth.make_room(f))
        in = to.try_insert_with_numbered_receipt(keys[i]);
      if (!in) refuse_key(f, batch, i, read, in.error());
      receipts->add(*in, batch.texts()[i]);
    }
  }
  return fresh;
}

[[noreturn]] void refuse_foreign(const std::string& path, const foreign_filter& f,
                                 std::string_view why) {
  throw failure(
      fmt::format("{}: keys cannot be added to this {} filter: {}; the file is "
                  "unchanged: rebuild it where it came from, or build a native "
                  "filter from the keys",
                  path, f.dialect(), why));
}

// A key that is not found afterwards would be a false negative from the first day.
bool insert_new(const std::string& path, foreign_filter& to, std::string_view key) {
  const bool absent = !to.may_contain(key);
  if (const auto in = to.insert(key); !in) refuse_foreign(path, to, in.error().what);
  if (!to.may_contain(key)) refuse_foreign(path, to, "a key is not found in it");
  return absent;
}

// Checked before keys are read, where the form of the bytes shows it.
void check_written(const std::string& path, const foreign_filter& f) {
  const dialect_facts& facts = dialect_named(f.dialect()).facts;
  const bool is_read_only = std::ranges::any_of(
      variants_of(facts),
      [&](const variant_facts& v) { return v.name == f.variant() && !v.writes; });
  if (!facts.writes || is_read_only)
    refuse_foreign(path, f, "bytes of this form are read, not written");
}

}  // namespace

void check_insertable(loaded_filter& f, bool with_receipts) {
  if (const auto* foreign = std::get_if<foreign_filter>(&f.filter)) {
    if (with_receipts) refuse_foreign(f.path, *foreign, "it issues no receipts");
    return check_written(f.path, *foreign);
  }
  // A kind without the call says so, and which kinds have it.
  auto& native = std::get<any_filter>(f.filter);
  refuse_static<capability::insert>(f.path, native, "keys cannot be added to");
  if (with_receipts && !native.can(capability::erase))
    throw failure(fmt::format(
        "{}: a {} filter issues no receipts: keys cannot be erased from it; kinds that "
        "erase keys: {}",
        f.path, native.kind(),
        kind_names([](const kind_info& k) { return k.can.has(capability::erase); })));
  if (native.can(capability::insert) || native.can(capability::try_insert)) return;
  throw failure(describe(f.path, native.try_insert(key::from_bits(0)).error()));
}

inserted_keys insert_keys(updated_file& to, const std::vector<std::string>& files,
                          const record_format& format, receipt_writer* receipts,
                          doubling& growth, bool quiet) {
  inserted_keys all;
  loaded_filter& f = to.loaded();
  const hasher hash = to.hash();
  native_batch hashed;
  read_ahead in(files, format, "inserting", quiet);
  while (const record_batch* batch = in.next()) {
    const auto keys = batch->keys();
    const auto hashes = hashed.hash(hash, keys);
    to.note_keys(hashes);
    const std::uint64_t before = std::exchange(all.read, all.read + keys.size());
    auto* const native = std::get_if<any_filter>(&f.filter);
    if (native != nullptr && native->can(capability::try_insert) &&
        !native->can(capability::insert_if_absent))
      all.fresh += insert_copies(f, *batch, hashes, before, receipts, growth);
    else if (native != nullptr)
      all.fresh += insert_new(*native, hashes, hashed.answers());
    else
      for (const std::string_view key : keys)
        all.fresh += insert_new(f.path, std::get<foreign_filter>(f.filter), key);
  }
  return all;
}

}  // namespace bloomery::cli
