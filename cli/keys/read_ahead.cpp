#include "keys/read_ahead.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

namespace bloomery::cli {

struct read_ahead::shared {
  shared(std::vector<std::string> files, record_format format, std::string_view doing,
         bool quiet)
      : bar(doing, quiet), reader(std::move(files), silenced(format, quiet), bar) {}

  static record_format silenced(record_format format, bool quiet) {
    format.quiet |= quiet;
    return format;
  }

  progress bar;
  record_reader reader;
  // Two places that take turns.  The thread owns a place that is not full, the caller one
  // that is.
  std::array<record_batch, 2> batch;

  std::mutex mutex;
  std::condition_variable changed;
  std::array<bool, 2> full{};
  bool ended = false;  // nothing follows what is full
  bool stopped = false;
  std::exception_ptr error;  // why it ended early
};

read_ahead::read_ahead(std::vector<std::string> files, record_format format,
                       std::string_view doing, bool quiet)
    : shared_(std::make_shared<shared>(std::move(files), format, doing, quiet)),
      thread_([s = shared_] { run(*s); }) {}

read_ahead::~read_ahead() {
  bool ended;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopped = true;
    ended = shared_->ended;
  }
  shared_->changed.notify_all();
  if (ended)
    thread_.join();
  else
    thread_.detach();
}

void read_ahead::run(shared& s) {
  for (unsigned slot = 0;; slot ^= 1) {
    {
      std::unique_lock lock(s.mutex);
      s.changed.wait(lock, [&] { return !s.full[slot] || s.stopped; });
      if (s.stopped) return;
    }
    bool more = false;
    std::exception_ptr error;
    try {
      more = s.reader.next(s.batch[slot]);
    } catch (...) {
      error = std::current_exception();
    }
    {
      const std::lock_guard lock(s.mutex);
      s.full[slot] = more;
      s.ended = !more;
      s.error = error;
    }
    s.changed.notify_all();
    if (!more) return;
  }
}

// The batch that the caller has is no longer needed.
void read_ahead::give_back() {
  if (!std::exchange(holds_, false)) return;
  shared_->full[slot_ ^ 1] = false;
  shared_->changed.notify_all();
}

bool read_ahead::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(shared_->mutex);
  give_back();
  return shared_->changed.wait_for(
      lock, patience, [&] { return shared_->full[slot_] || shared_->ended; });
}

const record_batch* read_ahead::next(const std::function<void()>& idle) {
  constexpr std::chrono::milliseconds patience{1};
  std::unique_lock lock(shared_->mutex);
  give_back();
  const auto is_there = [&] { return shared_->full[slot_] || shared_->ended; };
  if (idle && !shared_->changed.wait_for(lock, patience, is_there)) {
    lock.unlock();
    idle();
    lock.lock();
  }
  shared_->changed.wait(lock, is_there);
  if (!shared_->full[slot_]) {
    if (shared_->error) std::rethrow_exception(shared_->error);
    return nullptr;
  }
  holds_ = true;
  return &shared_->batch[std::exchange(slot_, slot_ ^ 1)];
}

}  // namespace bloomery::cli
