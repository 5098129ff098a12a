// A thread that runs only when it is told to, and can be left and begun anew.
//
// ucontext gives it a stack; _setjmp and _longjmp switch, which costs no system call.
// Leaving one in the middle runs no destructors: what lives on its stack must not own
// memory.
#pragma once

#include <csetjmp>
#include <functional>
#include <memory>

namespace interleave {

class fiber {
 public:
  fiber();
  ~fiber();
  fiber(const fiber&) = delete;

  // Runs `body`, from its beginning, until it pauses or ends.
  void start(const std::function<void()>& body);
  // Goes on after pause, until the next or the end.
  void resume();
  bool ended() const { return ended_; }

  // In a fiber: back to whoever started or resumed it.
  static void pause();

 private:
  struct stack;

  static void enter();

  std::unique_ptr<stack> stack_;
  const std::function<void()>* body_ = nullptr;
  std::jmp_buf top_{};   // before the body
  std::jmp_buf here_{};  // where it paused
  bool ended_ = true;
};

}  // namespace interleave
