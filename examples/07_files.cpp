// Files: a container with checksums, a mapped view that answers at once, thousands of
// small filters in one file, and a filter that another system wrote.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include <bloomery/bloomery.hpp>

namespace {

int report(const bloomery::error& e) {
  std::fprintf(stderr, "%s\n", to_string(e).c_str());
  return 1;
}

}  // namespace

int main() {
  using bloomery::block_bloom;
  const auto folder = std::filesystem::temp_directory_path() / "bloomery_07_files";
  std::filesystem::create_directories(folder);
  const auto users = folder / "users.bloom", blocks = folder / "blocks.bloom";

  // Saved whole or not at all: whatever goes wrong, the old file or the new one is there.
  auto made = block_bloom::make({.keys = 100'000, .fpr = 0.01});
  if (!made) return report(made.error());
  for (int i = 0; i < 100'000; ++i) made->insert("user" + std::to_string(i));
  if (auto saved = made->save(users); !saved) return report(saved.error());

  // What is in a file, before any memory is taken for it.
  const auto facts = bloomery::inspect(users);
  if (!facts) return report(facts.error());
  std::printf("a %s filter for %llu keys, %llu chunks under checksums\n",
              name_of(facts->kind), static_cast<unsigned long long>(facts->capacity),
              static_cast<unsigned long long>(facts->chunks()));

  // Mapped: the first answer comes at once, and each chunk is checked when it is touched.
  const auto view = bloomery::filter_view<block_bloom>::open(users);
  if (!view) return report(view.error());
  std::puts(view->may_contain("user7") ? "user7: possibly present"
                                       : "user7: not present");
  std::printf("damaged chunks: %llu\n",
              static_cast<unsigned long long>(view->verify_all()));

  // One small filter for every block of a table, all in one file.
  auto writer = bloomery::packed_writer::create(blocks);
  if (!writer) return report(writer.error());
  for (std::uint64_t block = 0; block < 1000; ++block) {
    auto one = block_bloom::integers::make({.keys = 100, .fpr = 0.01});
    if (!one) return report(one.error());
    for (std::uint64_t row = 0; row < 100; ++row) one->insert(100 * block + row);
    if (auto added = writer->add(*one); !added) return report(added.error());
  }
  if (auto done = writer->finish(); !done) return report(done.error());
  const auto set =
      bloomery::packed_set::open(blocks, {.source = bloomery::key_source::integers});
  if (!set) return report(set.error());
  const bloomery::key k = set->hash_u64(12'345);
  std::printf("block 123 may hold row 12345: %s\n",
              set->may_contain(123, k) ? "yes" : "no");

  // A filter as Guava writes it: its own hash, its own bytes.
  bloomery::foreign_params params;
  params.keys = 1000;
  auto guava = bloomery::foreign_filter::make("guava", params);
  if (!guava) return report(guava.error());
  if (auto in = guava->insert("alice"); !in) return report(in.error());
  const auto bytes = guava->encode();
  if (!bytes) return report(bytes.error());
  const auto back = bloomery::foreign_filter::decode("guava", bytes->bytes());
  if (!back) return report(back.error());
  std::printf("alice in Guava's %zu bytes: %s\n", bytes->size(),
              back->may_contain("alice") ? "possibly present" : "definitely not present");

  const bool right = view->may_contain("user7") && set->may_contain(123, k) &&
                     back->may_contain("alice") && view->damaged_chunks() == 0;
  std::filesystem::remove_all(folder);
  return right ? 0 : 1;
}
