// What the server does with values besides commands: saving, loading, copying, comparing,
// freeing and moving them.  F: a filter that is dumped and loaded in pieces.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include <bloomery/hasher.hpp>

#include "value.hpp"

namespace bloomery::redis {

// Back to the server.
template <class F>
void free_value(F* f) noexcept;

// Version 1 of the value in RDB files and DUMP:
//   unsigned   bytes of bits that are there: fewer than all while a dump is loaded
//   string     header of the dump (spec/dialects/redisbloom.md)
//   strings    the bits, in pieces of a link and of `piece` bytes at most
//   unsigned   checksum: XXH3 of the header, then of each piece with the sum so far as
//   seed
inline constexpr int rdb_version = 1;
inline constexpr std::size_t piece = std::size_t{1} << 20;

inline std::uint64_t checksum(std::uint64_t sum,
                              std::span<const std::byte> bytes) noexcept {
  return hasher::xxh3(sum).hash(bytes).bits();
}

inline const char* chars(std::span<const std::byte> bytes) noexcept {
  return reinterpret_cast<const char*>(bytes.data());
}

// The header of a dump, in memory of its own.  Null: no memory.
class header_bytes {
 public:
  template <class F>
  explicit header_bytes(const F& f) noexcept {
    const memory_scope scope(server_memory);
    if (auto made = pages::make(f.header_size())) {
      memory_ = *std::move(made);
      f.encode_header(memory_.bytes());
    }
  }
  std::span<const std::byte> bytes() const noexcept { return memory_.bytes(); }

 private:
  pages memory_;
};

// Calls visit(offset, bits) for all bits that are there, in pieces of a link and of
// `most` bytes.
template <class F, class Visit>
void for_pieces(const F& f, std::size_t most, Visit visit) {
  for (std::uint64_t at = 0;;) {
    auto some = f.bytes_at(at);
    if (some.empty()) return;
    some = some.first(std::min(some.size(), most));
    visit(at, some);
    at += some.size();
  }
}

// A string of the file; empty if it cannot be read.
class loaded_string {
 public:
  explicit loaded_string(server::io* rdb) noexcept
      : text_(server::LoadStringBuffer(rdb, &size_)) {
    if (server::IsIOError(rdb) != 0 && text_ != nullptr) {
      server::Free(text_);
      text_ = nullptr;
    }
    if (text_ == nullptr) size_ = 0;
  }
  ~loaded_string() {
    if (text_ != nullptr) server::Free(text_);
  }
  loaded_string(const loaded_string&) = delete;
  loaded_string& operator=(const loaded_string&) = delete;

  std::span<const std::byte> bytes() const noexcept {
    return {reinterpret_cast<const std::byte*>(text_), size_};
  }

 private:
  std::size_t size_ = 0;
  char* text_;
};

inline void* refuse(server::io* rdb, const char* why) noexcept {
  server::LogIOError(rdb, "warning", "bloomery: a filter is not loaded: %s", why);
  return nullptr;
}

// `loadchunk`: the command that loads a piece.
template <class F, const char* loadchunk>
struct value_calls {
  static void save(server::io* rdb, void* value) {
    const F& f = *static_cast<const F*>(value);
    const header_bytes header(f);
    std::uint64_t sum = checksum(0, header.bytes());
    server::SaveUnsigned(rdb, f.loaded_bytes());
    server::SaveStringBuffer(rdb, chars(header.bytes()), header.bytes().size());
    for_pieces(f, piece, [&](std::uint64_t, std::span<const std::byte> some) {
      sum = checksum(sum, some);
      server::SaveStringBuffer(rdb, chars(some), some.size());
    });
    server::SaveUnsigned(rdb, sum);
  }

  // Every number is checked before it is believed, and no memory is taken on its word:
  // the bits come in pieces that are there.
  static void* load(server::io* rdb, int encoding) {
    if (encoding != rdb_version) return refuse(rdb, "a version that is not known");
    const memory_scope scope(server_memory);
    const std::uint64_t bytes = server::LoadUnsigned(rdb);
    if (server::IsIOError(rdb) != 0) return refuse(rdb, "it is cut short");
    auto f = [&]() -> result<F> {
      const loaded_string header(rdb);
      auto made = F::from_header(header.bytes());
      if (!made) return made;
      if (bytes > made->size_in_bytes())
        return error{errc::corrupt, "more bits than its header has room for"};
      std::uint64_t sum = checksum(0, header.bytes());
      while (made->loaded_bytes() < bytes) {
        const loaded_string some(rdb);
        if (some.bytes().empty()) return error{errc::corrupt, "it is cut short"};
        if (some.bytes().size() > bytes - made->loaded_bytes())
          return error{errc::corrupt, "more bits than it has"};
        if (auto in = made->load(made->loaded_bytes(), some.bytes()); !in)
          return in.error();
        sum = checksum(sum, some.bytes());
      }
      const std::uint64_t saved = server::LoadUnsigned(rdb);
      if (server::IsIOError(rdb) != 0) return error{errc::corrupt, "it is cut short"};
      if (saved != sum) return error{errc::corrupt, "its checksum is wrong"};
      return made;
    }();
    if (!f) return refuse(rdb, f.error().what);
    F* value = new_value(*std::move(f));
    return value != nullptr ? value : refuse(rdb, "there is not enough memory");
  }

  // As a client would load it: RedisBloom reads these commands too.
  static void rewrite(server::io* aof, server::string* key, void* value) {
    const F& f = *static_cast<const F*>(value);
    const header_bytes header(f);
    server::EmitAOF(aof, loadchunk, "slb", key, 1LL, chars(header.bytes()),
                    header.bytes().size());
    for_pieces(f, 16 * piece, [&](std::uint64_t at, std::span<const std::byte> some) {
      server::EmitAOF(aof, loadchunk, "slb", key,
                      static_cast<long long>(1 + at + some.size()), chars(some),
                      some.size());
    });
  }

  static std::size_t mem_usage(const void* value) {
    return sizeof(F) + static_cast<const F*>(value)->allocated_bytes();
  }

  static void digest(server::digest* to, void* value) {
    const F& f = *static_cast<const F*>(value);
    const header_bytes header(f);
    server::DigestAddStringBuffer(to, chars(header.bytes()), header.bytes().size());
    server::DigestAddLongLong(to, static_cast<long long>(f.loaded_bytes()));
    for_pieces(f, piece, [&](std::uint64_t, std::span<const std::byte> some) {
      server::DigestAddStringBuffer(to, chars(some), some.size());
    });
    server::DigestEndSequence(to);
  }

  static void release(void* value) { free_value(static_cast<F*>(value)); }

  // UNLINK and FLUSHALL ASYNC free on another thread above 64: to give back 4 MiB takes
  // the system about as long as 64 small values take.
  static std::size_t free_effort(server::string*, const void* value) {
    const F& f = *static_cast<const F*>(value);
    return f.links() + static_cast<std::size_t>(f.size_in_bytes() >> 16);
  }

  static void* copy(server::string*, server::string*, const void* value) {
    const memory_scope scope(server_memory);
    auto f = static_cast<const F*>(value)->clone();
    return f ? new_value(*std::move(f)) : nullptr;
  }

  // A piece of memory at a time, until the server has to do something else: the cursor is
  // the piece that comes next.
  static int defrag(server::defrag_context* ctx, server::string*, void** value) {
    if (server::DefragAlloc == nullptr) return 0;
    const auto move = [](void* memory, void* context) noexcept -> void* {
      return server::DefragAlloc(static_cast<server::defrag_context*>(context), memory);
    };
    unsigned long at = 0;
    const bool goes_on = server::DefragCursorGet != nullptr &&
                         server::DefragCursorGet(ctx, &at) == server::ok && at != 0;
    if (!goes_on) {
      at = 0;
      if (void* moved = server::DefragAlloc(ctx, *value); moved != nullptr)
        *value = moved;
    }
    F& f = *static_cast<F*>(*value);
    for (; at < f.links() + 1; ++at) {
      if (at != 0 && server::DefragShouldStop != nullptr &&
          server::DefragShouldStop(ctx) != 0 && server::DefragCursorSet != nullptr &&
          server::DefragCursorSet(ctx, at) == server::ok)
        return 1;
      f.relocate(at, move, ctx);
    }
    return 0;
  }

  static server::type_methods methods() noexcept {
    return {.version = server::type_methods_version,
            .rdb_load = load,
            .rdb_save = save,
            .aof_rewrite = rewrite,
            .mem_usage = mem_usage,
            .digest = digest,
            .free = release,
            .aux_load = nullptr,
            .aux_save = nullptr,
            .aux_save_triggers = 0,
            .free_effort = free_effort,
            .unlink = nullptr,
            .copy = copy,
            .defrag = defrag};
  }
};

}  // namespace bloomery::redis
