// Several threads and one filter: who was first, and a snapshot that stops nobody.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <bloomery/bloomery.hpp>

namespace {

using seen_urls = bloomery::concurrent<bloomery::block_bloom>;

// Every crawler meets the same links.  Only one of them fetches a new one.
void crawl(seen_urls& seen, std::atomic<std::uint64_t>& fetched) {
  for (int i = 0; i < 100'000; ++i)
    if (seen.insert_if_absent("example.org/" + std::to_string(i))) ++fetched;
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "bloomery_08_concurrent";
  std::filesystem::create_directories(folder);
  const auto path = folder / "seen.bloom";

  auto seen = seen_urls::make({.keys = 200'000, .fpr = 0.01});
  if (!seen) return std::puts(to_string(seen.error()).c_str()), 1;
  seen->insert("example.org/front");

  std::atomic<std::uint64_t> fetched{0};
  std::vector<std::thread> crawlers;
  for (int i = 0; i < 4; ++i) crawlers.emplace_back([&] { crawl(*seen, fetched); });

  // While they run: the file has at least what was inserted before.
  const auto saved = bloomery::save_snapshot(*seen, path);
  for (std::thread& t : crawlers) t.join();
  if (!saved) return std::puts(to_string(saved.error()).c_str()), 1;
  const auto copy = bloomery::block_bloom::load(path);
  if (!copy) return std::puts(to_string(copy.error()).c_str()), 1;

  // Fewer than 100,000 only by false positives: a new link that seemed to be known.
  std::printf("4 crawlers met 100,000 links each and fetched %llu\n",
              static_cast<unsigned long long>(fetched.load()));
  std::printf("the snapshot, taken meanwhile, has about %.0f of them\n",
              copy->estimated_keys());

  // With everybody gone: the plain filter, no copy.
  const bloomery::block_bloom all = std::move(*seen).release();
  const bool right = fetched <= 100'000 && fetched > 99'000 &&
                     copy->may_contain("example.org/front") &&
                     all.may_contain("example.org/99999");
  std::filesystem::remove_all(folder);
  return right ? 0 : 1;
}
