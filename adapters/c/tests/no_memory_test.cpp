// No exception crosses: where the memory for a handle is refused, the call says so, the
// handle is null, and nothing is lost.
#include <cstdio>
#include <cstdlib>
#include <new>

#include <bloomery/bloomery.h>

namespace {

bool refuse = false;
long blocks = 0;  // in use
unsigned failures = 0, refusals = 0;

void expect(bool condition, const char* what) {
  if (condition) return;
  ++failures;
  std::fprintf(stderr, "no_memory_test: %s\n", what);
}

// Calls make(&handle) without memory, then with; free must give back what that took.
template <class Handle, class Make>
void test(const char* what, Make make, void (*free)(Handle*)) {
  const long before = blocks;
  Handle* handle = nullptr;
  refuse = true;
  const bloomery_status refused = make(&handle);
  refuse = false;
  ++refusals;
  expect(refused == BLOOMERY_OUT_OF_MEMORY && handle == nullptr && blocks == before,
         what);
  expect(make(&handle) == BLOOMERY_OK && handle != nullptr, what);
  free(handle);
  expect(blocks == before, what);
}

}  // namespace

void* operator new(std::size_t size) {
  void* memory = refuse ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  ++blocks;
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) --blocks;
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

int main() {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_foreign_options sized = BLOOMERY_FOREIGN_OPTIONS_INIT;
  bloomery_filter* f = nullptr;
  options.keys = sized.keys = 1000;
  options.fpr = 0.01;
  expect(bloomery_filter_make(&options, &f, nullptr) == BLOOMERY_OK, "make");
  const auto make = [&](bloomery_filter** to) {
    return bloomery_filter_make(&options, to, nullptr);
  };
  const auto copy = [&](bloomery_filter** to) {
    return bloomery_filter_copy(f, to, nullptr);
  };
  const auto encode = [&](bloomery_buffer** to) {
    return bloomery_filter_encode(f, BLOOMERY_FORM_CONTAINER, nullptr, to, nullptr);
  };
  const auto share = [&](bloomery_concurrent** to) {
    return bloomery_concurrent_make(&options, BLOOMERY_POLICY_WAIT_FREE, to, nullptr);
  };
  const auto guava = [&](bloomery_foreign** to) {
    return bloomery_foreign_make("guava", &sized, to, nullptr);
  };
  const auto build = [&](bloomery_builder** to) {
    return bloomery_builder_make(&options, to, nullptr);
  };
  test<bloomery_builder>("builder_make", build, bloomery_builder_free);
  test<bloomery_filter>("filter_make", make, bloomery_filter_free);
  test<bloomery_filter>("filter_copy", copy, bloomery_filter_free);
  test<bloomery_buffer>("filter_encode", encode, bloomery_buffer_free);
  test<bloomery_concurrent>("concurrent_make", share, bloomery_concurrent_free);
  test<bloomery_foreign>("foreign_make", guava, bloomery_foreign_free);
  bloomery_filter_free(f);
  expect(blocks == 0, "blocks are left");
  std::printf("cases: refusals %u\n", refusals);
  return failures != 0;
}
