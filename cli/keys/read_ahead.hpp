// Reads the next batch of records while the caller works on the last one.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "keys/records.hpp"

namespace bloomery::cli {

class read_ahead {
 public:
  // Shows progress as `doing`, and notices of conversions, unless `quiet`.
  read_ahead(std::vector<std::string> files, record_format format, std::string_view doing,
             bool quiet = false);
  // Does not wait for a read that may never return.
  ~read_ahead();
  read_ahead(const read_ahead&) = delete;

  // The next batch, there until the next call; null at the end.  Throws what reading
  // threw, after the batches before it.
  //
  // If no batch comes within a millisecond, somebody may be waiting for the answers so
  // far: `idle`, if any, is called once before next() waits on.  A busy input never calls
  // it, so that flushing there costs no throughput.
  const record_batch* next(const std::function<void()>& idle = {});

  // False: next() would still wait after that time.  The last batch is gone.
  bool wait(std::chrono::milliseconds patience);

 private:
  void give_back();

  struct shared;  // with the thread, which may outlive this object
  static void run(shared& s);

  std::shared_ptr<shared> shared_;
  std::thread thread_;
  unsigned slot_ = 0;
  bool holds_ = false;  // the caller has the batch before slot_
};

}  // namespace bloomery::cli
