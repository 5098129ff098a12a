#include "fiber.hpp"

#include <ucontext.h>

#include <array>
#include <cstddef>

namespace interleave {
namespace {

// Programs of the checker run on one thread, so these need no protection.
fiber* running = nullptr;
std::jmp_buf outside;

constexpr std::size_t stack_bytes = std::size_t{128} << 10;

}  // namespace

struct fiber::stack {
  alignas(64) std::array<std::byte, stack_bytes> bytes;
  ucontext_t inside;
  ucontext_t maker;
};

fiber::fiber() : stack_(std::make_unique<stack>()) {
  getcontext(&stack_->inside);
  stack_->inside.uc_stack.ss_sp = stack_->bytes.data();
  stack_->inside.uc_stack.ss_size = stack_->bytes.size();
  stack_->inside.uc_link = nullptr;
  makecontext(&stack_->inside, &fiber::enter, 0);
  running = this;
  swapcontext(&stack_->maker, &stack_->inside);
}

fiber::~fiber() = default;

// No locals: after a jump to `top_` they would be undefined.
void fiber::enter() {
  if (_setjmp(running->top_) == 0)
    swapcontext(&running->stack_->inside, &running->stack_->maker);
  running->ended_ = false;
  (*running->body_)();
  running->ended_ = true;
  _longjmp(outside, 1);
}

void fiber::start(const std::function<void()>& body) {
  body_ = &body;
  running = this;
  if (_setjmp(outside) == 0) _longjmp(top_, 1);
}

void fiber::resume() {
  running = this;
  if (_setjmp(outside) == 0) _longjmp(here_, 1);
}

void fiber::pause() {
  if (_setjmp(running->here_) == 0) _longjmp(outside, 1);
}

}  // namespace interleave
