// Saves a filter and loads it again.  The file is the portable dialect of
// spec/dialects.md: `bloomery query words.bloom apple --dialect portable` reads it too.
#include <cstdio>
#include <filesystem>
#include <string>

#include <bloomery/bloomery.hpp>

namespace {

// Every failure says what, and where in the bytes if they are to blame.
int report(const bloomery::error& e) {
  std::fprintf(stderr, "%s (byte %llu)\n", e.what, static_cast<unsigned long long>(e.at));
  return 1;
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string path = folder / "bloomery_example_words.bloom";

  auto made = bloomery::portable_bloom::make({.keys = 1000, .fpr = 0.01});
  if (!made) return report(made.error());
  for (const char* word : {"apple", "pear", "plum"}) made->insert(word);

  // Atomic and durable: another process sees the old file or the new one, whole.
  if (const auto saved = made->save(path.c_str()); !saved) return report(saved.error());

  const auto loaded = bloomery::portable_bloom::load(path.c_str());
  if (!loaded) return report(loaded.error());
  std::printf("%llu bits, %u hashes, about %.0f keys; pear: %s\n",
              static_cast<unsigned long long>(loaded->bits()), loaded->hashes(),
              loaded->estimated_keys(), loaded->may_contain("pear") ? "perhaps" : "no");

  // Bytes that no writer wrote are refused with a reason, before memory is asked for.
  const auto bytes = made->encode();
  if (!bytes) return report(bytes.error());
  const auto cut = bloomery::portable_bloom::decode(bytes->bytes().first(100));
  if (cut) return 1;
  std::printf("cut short: %s\n", cut.error().what);

  std::filesystem::remove(path);
  return 0;
}
