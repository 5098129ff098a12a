// bench_files: what files cost, measured now.
//
//   bench_files                               all of it, in a directory of its own
//   bench_files --keys 100000 --large-mib 64  smaller
//   bench_files --write docs/performance.md   into the document
//
// Opening and the first answer, verification against reading, lookups on mapped filters
// against owned ones, and a million packed filters.  Ratios within one run.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/bloomery.hpp>

#include "kit/count.hpp"
#include "kit/document.hpp"
#include "kit/interleave.hpp"
#include "kit/keep.hpp"
#include "kit/machine.hpp"
#include "kit/mix.hpp"
#include "kit/require_present.hpp"

namespace bloomery::bench {
namespace {

struct request {
  std::string directory = std::filesystem::temp_directory_path().string();
  std::uint64_t large_mib = 1024;
  std::uint64_t members = 1'000'000;
  std::string write;
};

template <class T>
T must(result<T> r) {
  if (!r) throw std::runtime_error(r.error().what);
  return *std::move(r);
}
void must(const result<void>& r) {
  if (!r) throw std::runtime_error(r.error().what);
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() -
                                                   start)
      .count();
}

struct faults {
  long minor = 0, major = 0;
  static faults now() {
    rusage u;
    getrusage(RUSAGE_SELF, &u);
    return {u.ru_minflt, u.ru_majflt};
  }
};

std::vector<key> some_keys(std::size_t n, std::uint64_t stream) {
  std::vector<key> out(n);
  for (std::size_t i = 0; i < n; ++i)
    out[i] = key::from_bits(splitmix64(stream << 32 | i));
  return out;
}

// --- opening ---

std::string opening(const std::string& path, key k) {
  std::string text = "| | time | page faults |\n|---|---|---|\n";
  const auto line = [&](const char* what, auto&& work) {
    double best = 1e9;
    faults used;
    for (int round = 0; round < 5; ++round) {
      const auto before = faults::now();
      const auto start = std::chrono::steady_clock::now();
      work();
      best = std::min(best, milliseconds_since(start));
      const auto after = faults::now();
      used = {after.minor - before.minor, after.major - before.major};
    }
    text += fmt::format("| {} | {:.2f} ms | {} minor, {} major |\n", what, best,
                        used.minor, used.major);
  };
  line("inspect: header only", [&] { (void)must(inspect(path.c_str())); });
  line("view: open, one lookup", [&] {
    const auto v = must(filter_view<block_bloom>::open(path.c_str()));
    keep(v.may_contain(k));
  });
  line("view: open, 1000 lookups", [&] {
    const auto v = must(filter_view<block_bloom>::open(path.c_str()));
    for (const key q : some_keys(1000, 9)) keep(v.may_contain(q));
  });
  line("view: open, verify all", [&] {
    const auto v = must(filter_view<block_bloom>::open(path.c_str()));
    keep(v.verify_all());
  });
  line("load: a verified copy",
       [&] { keep(must(load_container<block_bloom>(path.c_str())).size_in_bytes()); });
  return text;
}

// --- verifying ---

// The file through read(2), 256 KiB at a time: nothing is done with the bytes.
std::uint64_t read_all(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY);
  std::vector<std::byte> buffer(std::size_t{256} << 10);
  std::uint64_t sum = 0;
  for (ssize_t n; (n = ::read(fd, buffer.data(), buffer.size())) > 0;)
    sum += static_cast<std::uint64_t>(n);
  ::close(fd);
  return sum;
}

// The file through a mapping, every word of it added up.
std::uint64_t sum_all(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY);
  const auto size = std::filesystem::file_size(path);
  void* p = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 8 <= size; i += 8) {
    std::uint64_t w;
    std::memcpy(&w, static_cast<const char*>(p) + i, 8);
    sum += w;
  }
  ::munmap(p, size);
  ::close(fd);
  return sum;
}

std::string verifying(const std::string& path) {
  const double gib = static_cast<double>(std::filesystem::file_size(path)) /
                     static_cast<double>(1u << 30);
  const std::vector<task> tasks{
      {1, [&] { return read_all(path); }},
      {1, [&] { return sum_all(path); }},
      {1, [&] { return must(verify_container(path.c_str())).damaged_chunks; }},
      {1,
       [&] {
         const auto v = must(filter_view<block_bloom>::open(path.c_str()));
         return v.verify_all();
       }},
      {1,
       [&] {
         const auto v = must(filter_view<block_bloom>::open(path.c_str()));
         return v.verify_all(2);
       }},
  };
  const char* names[] = {"read(2), bytes unused", "mapped and added up",
                         "verify_container", "view, verify_all",
                         "view, verify_all by two threads"};
  const auto times = interleave(tasks, 7);
  std::string text =
      "| from the page cache | GiB/s | of read(2) | of mapped |\n|---|---|---|---|\n";
  for (std::size_t i = 0; i < tasks.size(); ++i)
    text += fmt::format("| {} | {:.1f} | {:.2f} | {:.2f} |\n", names[i],
                        gib / (times[i].median * 1e-9), times[0].median / times[i].median,
                        times[1].median / times[i].median);
  return text;
}

// --- lookups ---

// Keys outside the last chunk, so that the view stays on the checked path.
std::vector<key> keys_before_last_chunk(const block_bloom& f, std::size_t n) {
  const std::uint64_t blocks = f.shape().blocks;
  const std::uint64_t end =
      f.size_in_bytes() <= 4096 ? blocks : (f.size_in_bytes() - 1) / 4096 * 4096 / 64;
  std::vector<key> out;
  for (const key k : some_keys(2 * n, 5)) {
    const auto block = block_probe::line::offset(k.bits(), blocks) / 64;
    if (block < end) out.push_back(k);
    if (out.size() == n) break;
  }
  return out;
}

std::string lookups(const std::string& path) {
  const auto owned = must(load_container<block_bloom>(path.c_str()));
  const auto verified = must(filter_view<block_bloom>::open(path.c_str()));
  const auto checked = must(filter_view<block_bloom>::open(path.c_str()));
  keep(verified.verify_all());
  require_present(owned, some_keys(1000, 1), "a loaded filter");
  require_present(verified, some_keys(1000, 1), "a verified view");
  require_present(must(filter_view<block_bloom>::open(path.c_str())), some_keys(1000, 1),
                  "a view on the checked path");
  const auto ks = keys_before_last_chunk(owned, std::size_t{1} << 20);
  const auto out = std::make_unique<bool[]>(ks.size());
  const std::span<bool> answers(out.get(), ks.size());
  const auto batched = [&](const auto& f) {
    return [&] {
      f.may_contain(std::span<const key>(ks), answers);
      return count_yes(answers);
    };
  };
  const auto single = [&](const auto& f) {
    return [&] {
      std::uint64_t yes = 0;
      for (const key k : ks) yes += f.may_contain(k);
      return yes;
    };
  };
  const std::vector<task> tasks{{ks.size(), batched(owned)},
                                {ks.size(), batched(verified)},
                                {ks.size(), batched(checked)},
                                {ks.size(), single(owned)},
                                {ks.size(), single(verified.filter())},
                                {ks.size(), single(verified)},
                                {ks.size(), single(checked)}};
  const auto t = interleave(tasks, 15);
  if (owned.size_in_bytes() > 4096 && checked.is_verified())
    throw std::runtime_error("the checked path was left");
  const auto cell = [&](std::size_t i, std::size_t of) {
    return fmt::format("{:.2f} ({:.2f}, {:.2f})", t[i].median, t[i].median / t[of].median,
                       t[i].min / t[of].min);
  };
  return fmt::format("| {:.2f} MiB | {:.2f} | {} | {} | {:.2f} | {} | {} | {} |\n",
                     static_cast<double>(owned.size_in_bytes()) / (1 << 20), t[0].median,
                     cell(1, 0), cell(2, 0), t[3].median, cell(4, 3), cell(5, 3),
                     cell(6, 3));
}

// --- packed sets ---

std::string packing(const std::string& path, std::uint64_t members) {
  {
    auto out = must(packed_writer::create(path.c_str()));
    const auto ks = some_keys(100, 3);
    const auto one = must(block_bloom::build(ks));
    for (std::uint64_t i = 0; i < members; ++i) must(out.add(one));
    must(out.finish());
  }
  double open = 1e9, first = 1e9;
  for (int round = 0; round < 5; ++round) {
    auto start = std::chrono::steady_clock::now();
    const auto set = must(packed_set::open(path.c_str()));
    open = std::min(open, milliseconds_since(start));
    start = std::chrono::steady_clock::now();
    keep(set.may_contain(members / 2, some_keys(1, 3)[0]));
    first = std::min(first, milliseconds_since(start));
  }
  return fmt::format(
      "{} filters of 100 keys, {:.0f} MiB: open {:.2f} ms, first lookup {:.3f} ms\n",
      members, static_cast<double>(std::filesystem::file_size(path)) / (1 << 20), open,
      first);
}

void save_filled(const std::string& path, std::uint64_t blocks) {
  auto f = must(block_bloom::make(block_shape{blocks, block_profile::line}));
  // As full as at 1 %: 10.1 bits per key; a share of the keys is enough for large ones.
  const std::uint64_t n = std::min<std::uint64_t>(blocks * 512 / 10, 20'000'000);
  f.insert(std::span<const key>(some_keys(n, 1)));
  must(f.save(path.c_str()));
}

std::string report(const request& r) {
  const std::string folder = r.directory + "/bloomery-bench-files";
  std::filesystem::create_directories(folder);
  const std::string large = folder + "/large.bloom", path = folder + "/f.bloom";
  save_filled(large, r.large_mib << 14);
  std::string text =
      fmt::format("A container of {} MiB, in the page cache:\n\n", r.large_mib) +
      opening(large, some_keys(1, 1)[0]) + "\n" + verifying(large) +
      "\nLookups of keys that are mostly absent, ns per key (ratio to owned: medians, "
      "minima):\n\n"
      "| filter | batched: owned | verified view | checked path | one key: owned | "
      "view.filter() | verified view | checked path |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const std::uint64_t blocks :
       {std::uint64_t{200}, std::uint64_t{20'000}, std::uint64_t{1} << 20}) {
    save_filled(path, blocks);
    text += lookups(path);
  }
  text += lookups(large);
  text += "\n" + packing(path, r.members);
  std::filesystem::remove_all(folder);
  return text;
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) {
  using namespace bloomery::bench;
  request r;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--dir") r.directory = argv[i + 1];
    if (name == "--large-mib") r.large_mib = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--members") r.members = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--write") r.write = argv[i + 1];
  }
  try {
    if (!r.write.empty()) require_idle(load_average());
    const std::string machine = describe_machine(), figures = report(r);
    const std::string text = machine + describe_load_at_end() + "\n" + figures;
    fmt::print("{}", text);
    if (!r.write.empty()) write_between_markers(r.write, "bench_files", text);
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench_files: {}\n", e.what());
    return 2;
  }
}
