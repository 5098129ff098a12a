// Secrets come from the kernel alone: a generator of the process would be shared after
// fork(), and could be seeded badly.
#include <cerrno>
#include <cstddef>

#include <bloomery/hasher.hpp>

#if __has_include(<sys/random.h>)
#include <sys/random.h>
#endif
#include <fcntl.h>
#include <unistd.h>

namespace bloomery::inline v1 {
namespace {

// Bytes written, or -1 and errno.
ssize_t from_kernel([[maybe_unused]] std::byte* out,
                    [[maybe_unused]] std::size_t size) noexcept {
#if defined(__linux__)
  return getrandom(out, size, 0);  // waits until the kernel has gathered enough, once
#elif __has_include(<sys/random.h>)
  return getentropy(out, size) == 0 ? static_cast<ssize_t>(size) : -1;
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Where the call is not known or not allowed: containers that filter system calls.
bool from_device(std::byte* out, std::size_t size) noexcept {
  const int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::size_t done = 0;
  int reason = 0;
  while (done < size && reason == 0) {
    const ssize_t n = read(file, out + done, size - done);
    if (n > 0)
      done += static_cast<std::size_t>(n);
    else if (n == 0)
      reason = EIO;
    else if (errno != EINTR)
      reason = errno;
  }
  close(file);
  errno = reason;
  return done == size;
}

}  // namespace

result<hasher::secret> hasher::random_secret() noexcept {
  secret made{};
  std::size_t done = 0;
  while (done < made.size()) {
    const ssize_t n = from_kernel(made.data() + done, made.size() - done);
    if (n > 0)
      done += static_cast<std::size_t>(n);
    else if (n == 0 || errno != EINTR)
      break;
  }
  if (done < made.size() && !from_device(made.data(), made.size()))
    return error{errc::io, "the system gives no random bytes for a secret", 0,
                 static_cast<double>(errno)};
  return made;
}

}  // namespace bloomery::inline v1
