#include "print.hpp"

#include <cctype>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>

#include "cuemu/launch.hpp"
#include "observer.hpp"
#include "report.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

struct Queue {
  std::mutex mutex;
  std::deque<std::string> lines;
  std::size_t bytes = 0;
  std::size_t limit = 1 << 20;
  const char* first_kernel = nullptr;  ///< first kernel that printed since the queue was emptied; null: none
};

Queue& printed_lines() {
  static Queue* const q = new Queue;
  return *q;
}

void append_text(std::string text) {
  Queue& q = printed_lines();
  const std::lock_guard<std::mutex> lock(q.mutex);
  if (q.first_kernel == nullptr) q.first_kernel = current_fiber->block->launch->kernel->info.name;
  q.bytes += text.size();
  q.lines.push_back(std::move(text));
  while (q.bytes > q.limit && q.lines.size() > 1) {
    q.bytes -= q.lines.front().size();
    q.lines.pop_front();
  }
}

int count_arguments(const char* format) {
  int count = 0;
  for (const char* c = format; *c != '\0'; ++c) {
    if (*c != '%') continue;
    if (c[1] == '%')
      ++c;
    else
      ++count;
  }
  return count;
}

/// A conversion such as `%-*.3s`, parsed after its `%`. Each star consumes an argument, and so does the value.
struct Conversion {
  const char* end = nullptr;  ///< position after its letter, or the format's end
  char letter = '\0';
  const char* text = nullptr;   ///< of %s
  std::size_t most = SIZE_MAX;  ///< maximum number of bytes that it reads of the text
};

Conversion read_conversion(const char* at, std::va_list& arguments) {
  const auto number = [&] {
    if (*at == '*') return ++at, va_arg(arguments, int);
    char* end = nullptr;
    const long digits = std::isdigit(static_cast<unsigned char>(*at)) != 0 ? std::strtol(at, &end, 10) : 0;
    if (end != nullptr) at = end;
    return static_cast<int>(digits);
  };
  Conversion found;
  at += std::strspn(at, "-+ #0");
  number();
  if (*at == '.')
    if (const int precision = (++at, number()); precision >= 0) found.most = static_cast<unsigned>(precision);
  const std::size_t modifiers = std::strspn(at, "hljztqL");
  const std::string modifier(at, modifiers);
  at += modifiers;
  found.letter = *at;
  found.end = *at != '\0' ? at + 1 : at;
  if (found.letter == 's')
    found.text = va_arg(arguments, const char*);
  else if (std::strchr("eEfFgGaA", found.letter) != nullptr && modifier == "L")
    va_arg(arguments, long double);
  else if (std::strchr("eEfFgGaA", found.letter) != nullptr)
    va_arg(arguments, double);
  else if (found.letter != '%' && (modifier.empty() || modifier[0] == 'h') && found.letter != 'p')
    va_arg(arguments, int);
  else if (found.letter != '%')
    va_arg(arguments, long long);
  return found;
}

/// Lets the tools check the format and each text argument.
bool texts_are_good(const char* format, std::va_list& arguments, const void* pc) {
  const auto is_good = [&](const char* text, std::size_t most) {
    bool good = true;
    for (Observer* const* each = observers; *each != nullptr; ++each)
      good = (*each)->text_printed(text, most, pc) && good;
    return good;
  };
  bool good = is_good(format, SIZE_MAX);
  for (const char* at = format; good && (at = std::strchr(at, '%')) != nullptr;) {
    const Conversion found = read_conversion(at + 1, arguments);
    if (found.letter == 's' && found.text != nullptr) good = is_good(found.text, found.most);
    at = found.end;
  }
  return good;
}

}  // namespace

void flush_device_output() {
  Queue& q = printed_lines();
  std::deque<std::string> lines;
  {
    const std::lock_guard<std::mutex> lock(q.mutex);
    lines.swap(q.lines);
    q.bytes = 0;
    q.first_kernel = nullptr;
  }
  for (const std::string& line : lines) std::fwrite(line.data(), 1, line.size(), stdout);
}

void lose_device_output() {
  Queue& q = printed_lines();
  const char* kernel = nullptr;
  {
    const std::lock_guard<std::mutex> lock(q.mutex);
    std::swap(kernel, q.first_kernel);
    q.lines.clear();
  }
  if (kernel == nullptr) return;
  notify(&Observer::output_lost, kernel);
  if (explained_elsewhere()) return;
  std::fflush(stdout);
  std::fprintf(stderr,
               "cuemu: nothing shows what kernel %s printed: the program ended before it waited for the "
               "kernel, with cudaDeviceSynchronize() for instance\n",
               kernel);
}

void set_print_queue(std::size_t bytes) {
  Queue& q = printed_lines();
  const std::lock_guard<std::mutex> lock(q.mutex);
  q.limit = bytes;
}

std::size_t print_queue() {
  Queue& q = printed_lines();
  const std::lock_guard<std::mutex> lock(q.mutex);
  return q.limit;
}

int device_printf(const char* format, ...) {
  if (format == nullptr) return -1;
  std::va_list arguments;
  va_start(arguments, format);
  if (!in_kernel()) {
    const int printed = std::vprintf(format, arguments);
    va_end(arguments);
    return printed;
  }
  std::va_list again;
  if (is_observed()) {
    va_copy(again, arguments);
    const bool good = texts_are_good(format, again, __builtin_return_address(0));
    va_end(again);
    if (!good) {
      va_end(arguments);
      return -1;
    }
  }
  const RuntimeSection section;
  va_copy(again, arguments);
  char brief[256];
  const int length = std::vsnprintf(brief, sizeof brief, format, arguments);
  va_end(arguments);
  std::string text(brief, length < 0 ? 0 : static_cast<std::size_t>(length) < sizeof brief ? length : 0);
  if (length >= static_cast<int>(sizeof brief)) {
    text.resize(static_cast<std::size_t>(length) + 1);
    std::vsnprintf(text.data(), text.size(), format, again);
    text.pop_back();
  }
  va_end(again);
  append_text(std::move(text));
  return count_arguments(format);  // as on a GPU
}

void device_assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
  if (!in_kernel()) {
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    std::abort();
  }
  const uint3& block = block_idx();
  const uint3& thread = thread_idx();
  {
    const RuntimeSection section;
    std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
                 line, function, block.x, block.y, block.z, thread.x, thread.y, thread.z, expression);
  }
  stop_kernel(cudaErrorAssert, "an assertion failed");
}

void device_trap() {
  stop_kernel(cudaErrorLaunchFailure, "__trap() was called");
}

}  // namespace cuemu
