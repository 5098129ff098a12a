#include "files/erase_keys.hpp"

#include <fmt/core.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "files/receipt_file.hpp"
#include "files/static_refusal.hpp"
#include "keys/native_keys.hpp"
#include "keys/read_ahead.hpp"
#include "sizes/kind_choice.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {

void check_erasable(loaded_filter& f) {
  auto* const native = std::get_if<any_filter>(&f.filter);
  if (native == nullptr)
    throw failure(
        fmt::format("{}: keys cannot be erased from this filter of dialect {}: only "
                    "native filters of "
                    "some kinds erase: see --kind of bloomery build",
                    f.path, name_of(f)));
  refuse_static<capability::erase>(f.path, *native, "keys cannot be erased from");
  if (!native->can(capability::erase))
    throw failure(fmt::format(
        "{}: keys cannot be erased from a {} filter; kinds that erase keys: {}", f.path,
        native->kind(),
        kind_names([](const kind_info& k) { return k.can.has(capability::erase); })));
}

erased_keys erase_keys(updated_file& from, const std::vector<std::string>& files,
                       const record_format& format, bool quiet) {
  erased_keys all;
  auto& filter = std::get<any_filter>(from.loaded().filter);
  const hasher hash = from.hash();
  std::vector<key> hashes;
  std::unique_ptr<bool[]> was_there;
  std::size_t room = 0;
  read_ahead in(files, format, "erasing", quiet);
  while (const record_batch* batch = in.next()) {
    hashes.resize(batch->keys().size());
    hash_encoded(hash, batch->keys(), hashes);
    if (room < hashes.size()) was_there = std::make_unique<bool[]>(room = hashes.size());
    const auto n = filter.erase_present(hashes, {was_there.get(), hashes.size()});
    if (!n) throw failure(describe(from.loaded().path, n.error()));
    all.read += hashes.size();
    all.erased += *n;
  }
  return all;
}

erased_keys erase_receipts(updated_file& from, const std::string& file,
                           const record_format& format, bool quiet) {
  erased_keys all;
  auto& filter = std::get<any_filter>(from.loaded().filter);
  const auto take = [&](receipt r, const std::function<std::string()>& place) {
    ++all.read;
    const auto bytes = r.bytes();
    const auto done = filter.erase(std::move(r));
    if (done) return void(++all.erased);
    // Used or expired is no error, whatever the reason that `erase` gives.
    const auto state = filter.state_of(receipt::from_bytes(bytes));
    if (state && *state == receipt_state::used) {
      ++all.erased_before;
    } else if (done.error().code != errc::not_present) {
      throw failure(fmt::format("{}: {}: {} is unchanged", place(), done.error().what,
                                from.loaded().path));
    }
  };
  const std::uint64_t expired = filter.receipts()->expired();
  for_each_receipt(file, format, quiet, take);
  all.expired = filter.receipts()->expired() - expired;
  return all;
}

}  // namespace bloomery::cli
