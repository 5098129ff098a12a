#include <algorithm>
#include <cstring>
#include <string_view>

#include <bloomery/kinds.hpp>
#include <bloomery/print.hpp>
#include <bloomery/version.hpp>

#include "boundary.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {

static_assert(static_cast<int>(errc::invalid_argument) == BLOOMERY_INVALID_ARGUMENT);
static_assert(static_cast<int>(errc::too_large) == BLOOMERY_TOO_LARGE);
static_assert(static_cast<int>(errc::out_of_memory) == BLOOMERY_OUT_OF_MEMORY);
static_assert(static_cast<int>(errc::unattainable) == BLOOMERY_UNATTAINABLE);
static_assert(static_cast<int>(errc::corrupt) == BLOOMERY_CORRUPT);
static_assert(static_cast<int>(errc::unsupported) == BLOOMERY_UNSUPPORTED);
static_assert(static_cast<int>(errc::incompatible) == BLOOMERY_INCOMPATIBLE);
static_assert(static_cast<int>(errc::io) == BLOOMERY_IO);
static_assert(static_cast<int>(errc::full) == BLOOMERY_FULL);
static_assert(static_cast<int>(errc::not_present) == BLOOMERY_NOT_PRESENT);
static_assert(static_cast<int>(errc::too_many_copies) == BLOOMERY_TOO_MANY_COPIES);

bloomery_status report(const error& e, bloomery_error* to) noexcept {
  const auto status = static_cast<bloomery_status>(e.code);
  if (to != nullptr && size_of_struct(to)) {
    bloomery_error all{0, status, e.at, e.asked, e.possible, e.what, {}};
    static_assert(sizeof all.path == error_path::max_length + 1);
    std::strcpy(all.path, e.path.c_str());
    write_struct(all, to);
  }
  return status;
}

}  // namespace bloomery::c_abi

void bloomery_struct_init(void* any_struct, std::uint32_t struct_size) {
  if (any_struct == nullptr || struct_size < sizeof struct_size) return;
  std::memset(any_struct, 0, struct_size);
  std::memcpy(any_struct, &struct_size, sizeof struct_size);
}

std::size_t bloomery_error_text(const bloomery_error* error, char* text,
                                std::size_t size) {
  auto e = bloomery::c_abi::read_struct(error);
  if (e) e->path[sizeof e->path - 1] = '\0';
  const bool is_one = e && e->message != nullptr;
  const auto all =
      is_one ? bloomery::text_of({static_cast<bloomery::errc>(e->code), e->message, e->at,
                                  e->asked, e->possible, bloomery::error_path(e->path)})
             : bloomery::error_text();
  const std::string_view sentence = is_one ? std::string_view(all) : std::string_view("");
  if (text != nullptr && size != 0) {
    const std::size_t n = std::min(size - 1, sentence.size());
    std::memcpy(text, sentence.data(), n);
    text[n] = '\0';
  }
  return sentence.size();
}

std::uint32_t bloomery_abi_version() { return BLOOMERY_ABI_VERSION; }

const char* bloomery_version_string() { return BLOOMERY_VERSION_STRING; }

const char* bloomery_kernel_name() { return bloomery::kernel_name(); }

const char* bloomery_status_name(int status) {
  switch (status) {
    case BLOOMERY_OK:
      return "ok";
    case BLOOMERY_INVALID_ARGUMENT:
      return "invalid_argument";
    case BLOOMERY_TOO_LARGE:
      return "too_large";
    case BLOOMERY_OUT_OF_MEMORY:
      return "out_of_memory";
    case BLOOMERY_UNATTAINABLE:
      return "unattainable";
    case BLOOMERY_CORRUPT:
      return "corrupt";
    case BLOOMERY_UNSUPPORTED:
      return "unsupported";
    case BLOOMERY_INCOMPATIBLE:
      return "incompatible";
    case BLOOMERY_IO:
      return "io";
    case BLOOMERY_FULL:
      return "full";
    case BLOOMERY_NOT_PRESENT:
      return "not_present";
    case BLOOMERY_TOO_MANY_COPIES:
      return "too_many_copies";
    default:
      return "unknown";
  }
}
