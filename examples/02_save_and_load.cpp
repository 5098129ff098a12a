// Saves a filter and loads it again.  The file is the portable dialect of
// spec/dialects.md: `bloomery query words.bloom apple --dialect portable` reads it too.
#include <cstdio>
#include <filesystem>

#include <bloomery/bloomery.hpp>

namespace {

// Every failure says what, of which file, and where in the bytes if they are to blame.
int report(const bloomery::error& e) {
  std::fprintf(stderr, "%s\n", to_string(e).c_str());
  return 1;
}

}  // namespace

int main() {
  const auto path =
      std::filesystem::temp_directory_path() / "bloomery_example_words.bloom";

  auto made = bloomery::portable_bloom::make({.keys = 1000, .fpr = 0.01});
  if (!made) return report(made.error());
  made->insert({"apple", "pear", "plum"});

  // Atomic and durable: another process sees the old file or the new one, whole.
  if (const auto saved = made->save(path); !saved) return report(saved.error());

  const auto loaded = bloomery::portable_bloom::load(path);
  if (!loaded) return report(loaded.error());
  std::printf("%llu bits, %u hashes, about %.0f keys; pear: %s\n",
              static_cast<unsigned long long>(loaded->bits()), loaded->hashes(),
              loaded->estimated_keys(), loaded->may_contain("pear") ? "perhaps" : "no");

  // Bytes that no writer wrote are refused with a reason, before memory is allocated.
  const auto bytes = made->encode();
  if (!bytes) return report(bytes.error());
  const auto cut = bloomery::portable_bloom::decode(bytes->bytes().first(100));
  if (cut) return 1;
  std::printf("cut short: %s\n", to_string(cut.error()).c_str());

  std::filesystem::remove(path);
  return 0;
}
