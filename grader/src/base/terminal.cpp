// Handles escape sequences, and computes the width of UTF-8 text without the C library's locale. A separate
// thread draws the progress line, so that it also appears during one long step, such as a compilation.
#include "base/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace grader {
namespace {

std::string escape(bool colour, const char* code, const std::string& text) {
  return colour && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

int terminal_width(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

struct Range {
  char32_t first, last;
};
template <std::size_t n>
bool in(const std::array<Range, n>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [c](Range r) { return c >= r.first && c <= r.last; });
}

int columns_of(char32_t c) {
  // The first array has combining marks, zero-width characters and variation selectors, the second East Asian wide
  // characters and pictographs.
  static constexpr std::array<Range, 8> none = {{{0x0300, 0x036F},
                                                 {0x0483, 0x0489},
                                                 {0x0591, 0x05BD},
                                                 {0x200B, 0x200F},
                                                 {0x20D0, 0x20F0},
                                                 {0xFE00, 0xFE0F},
                                                 {0xFE20, 0xFE2F},
                                                 {0xFEFF, 0xFEFF}}};
  static constexpr std::array<Range, 8> two = {{{0x1100, 0x115F},
                                                {0x2E80, 0x303E},
                                                {0x3041, 0xA4CF},
                                                {0xAC00, 0xD7A3},
                                                {0xF900, 0xFAFF},
                                                {0xFE30, 0xFE6F},
                                                {0xFF00, 0xFF60},
                                                {0x1F300, 0x1FAFF}}};
  if (c < 0x20 || c == 0x7F) return 0;
  if (in(none, c)) return 0;
  return in(two, c) || (c >= 0x20000 && c <= 0x3FFFD) ? 2 : 1;
}

/// The length of the escape sequence (ESC [ … letter) at `at`. 0 if there is none.
std::size_t escape_length(const std::string& text, std::size_t at) {
  if (text[at] != '\x1b' || at + 1 >= text.size() || text[at + 1] != '[') return 0;
  std::size_t end = at + 2;
  while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
  return std::min(end + 1, text.size()) - at;
}

/// The part of a text, from its beginning, that fits into this many columns.
std::string cut(const std::string& text, int columns) {
  std::size_t end = 0;
  int used = 0;
  while (end < text.size()) {
    const Character next = decode_character(text, end);
    used += columns_of(next.value);
    if (used > columns) break;
    end += next.bytes;
  }
  return text.substr(0, end);
}

/// Wraps one line without line breaks, whose first `column` columns are already occupied.
std::string wrap_line(const std::string& line, int width, int indent, int column) {
  std::size_t at = line.find_first_not_of(' ');
  if (at == std::string::npos) return {};
  std::string out = line.substr(0, at);
  column += static_cast<int>(at);
  bool line_begins = true;
  while (at < line.size()) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    const std::string word = line.substr(at, end - at);
    const int columns = display_width(word);
    if (!line_begins && column + 1 + columns > width) {
      out += '\n' + std::string(static_cast<std::size_t>(indent), ' ');
      column = indent;
    } else if (!line_begins) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns;
    line_begins = false;
    at = std::min(line.find_first_not_of(' ', end), line.size());
  }
  return out;
}

}  // namespace

std::string Style::good(const std::string& text) const {
  return escape(colour, "32", text);
}
std::string Style::bad(const std::string& text) const {
  return escape(colour, "31", text);
}
std::string Style::warn(const std::string& text) const {
  return escape(colour, "33", text);
}
std::string Style::strong(const std::string& text) const {
  return escape(colour, "1", text);
}
std::string Style::faint(const std::string& text) const {
  return escape(colour, "2", text);
}

Style Style::detect(int descriptor) {
  const char* term = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");
  Style style;
  if (isatty(descriptor) != 1) return style;
  style.width = terminal_width(descriptor);
  style.colour =
      term != nullptr && std::strcmp(term, "dumb") != 0 && (no_colour == nullptr || *no_colour == '\0');
  return style;
}

std::string wrap(const std::string& text, int width, int indent) {
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const int column = begin > 0 && line.find_first_not_of(' ') != std::string::npos ? indent : 0;
    if (begin > 0) out += '\n' + std::string(static_cast<std::size_t>(column), ' ');
    out += wrap_line(line, width, indent, column);
    begin = end + 1;
  }
  return out;
}

Character decode_character(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 1;
  if (bytes == 1 || at + bytes > text.size()) return {lead, 1, false};
  char32_t value = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (byte(at + i) >> 6 != 2) return {lead, 1, false};
    value = value << 6 | (byte(at + i) & 0x3F);
  }
  static constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  return {value, bytes, value >= least[bytes] && value <= 0x10FFFF && !surrogate};
}

int display_width(const std::string& utf8) {
  int columns = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    if (const std::size_t skip = escape_length(utf8, at); skip > 0) {
      at += skip;
      continue;
    }
    const Character next = decode_character(utf8, at);
    columns += columns_of(next.value);
    at += next.bytes;
  }
  return columns;
}

// ---------------------------------------------------------------------------------------------------------------------

struct ProgressLine::Impl {
  using Clock = std::chrono::steady_clock;

  std::mutex mutex;
  std::condition_variable woken;
  std::thread painter;
  std::string text;  ///< empty: nothing to show
  bool shown = false;
  bool closing = false;
  Clock::time_point since = Clock::now();

  void erase() {
    if (shown) write("\r\x1b[K");
    shown = false;
  }

  void write(const std::string& bytes) {
    // A closed or full terminal must not stop a grading.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, bytes.data(), bytes.size());
  }

  void paint() {
    std::unique_lock lock(mutex);
    woken.wait_until(lock, since + std::chrono::seconds(1), [this] { return closing; });
    while (!closing) {
      if (!text.empty()) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since).count();
        write("\r\x1b[K" + cut(fmt::format("{}  {} s", text, seconds), terminal_width(STDERR_FILENO) - 1));
        shown = true;
      }
      woken.wait_for(lock, std::chrono::milliseconds(200));
    }
    erase();
  }
};

ProgressLine::ProgressLine(bool enabled) : impl_(nullptr) {
  const char* term = std::getenv("TERM");
  if (!enabled || isatty(STDERR_FILENO) != 1 || (term != nullptr && std::strcmp(term, "dumb") == 0)) return;
  impl_ = new Impl;
  impl_->painter = std::thread([impl = impl_] { impl->paint(); });
}

ProgressLine::~ProgressLine() {
  if (impl_ == nullptr) return;
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->closing = true;
  }
  impl_->woken.notify_all();
  impl_->painter.join();
  delete impl_;
}

void ProgressLine::update(const std::string& step, int done, int of) {
  if (impl_ == nullptr) return;
  const std::lock_guard lock(impl_->mutex);
  impl_->text = of > 0 ? fmt::format("[{}/{}] {}", done, of, step) : step;
}

void ProgressLine::clear() {
  if (impl_ == nullptr) return;
  const std::lock_guard lock(impl_->mutex);
  impl_->text.clear();
  impl_->erase();
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

/// A number with the unit that fits it. In the list of units, each is `step` times the previous one. Rounding
/// never gives "1000 ms" for one second.
template <std::size_t n>
std::string scaled(double value, double step, const std::array<const char*, n>& units, int digits) {
  std::size_t unit = 0;
  const double limit = step * (1 - 0.5 * std::pow(10, -digits));
  while (unit + 1 < n && std::abs(value) >= limit) {
    value /= step;
    ++unit;
  }
  // If the number has more than `digits` digits before the point, all of them are written, never 1e+04.
  const int decimals =
      value == 0 ? 0 : std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  std::string number = fmt::format("{:.{}f}", value, std::min(decimals, 9));
  if (number.find('.') != std::string::npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
  }
  return number + ' ' + units[unit];
}

}  // namespace

std::string human_time(double seconds) {
  if (!std::isfinite(seconds)) return "–";
  if (seconds >= 120) {
    const auto whole = static_cast<long long>(std::llround(seconds));
    return whole >= 7200 ? fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60)
                         : fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  if (std::abs(seconds) >= 0.99995) return scaled(seconds, 1000, std::array{"s"}, 4);
  return scaled(seconds * 1e9, 1000, std::array{"ns", "µs", "ms", "s"}, 4);
}

std::string human_bytes(double bytes) {
  if (!std::isfinite(bytes)) return "–";
  return scaled(bytes, 1024, std::array{"B", "KiB", "MiB", "GiB", "TiB"}, 4);
}

std::string human_rate(double bytes_per_second) {
  if (!std::isfinite(bytes_per_second)) return "–";
  return scaled(bytes_per_second, 1000, std::array{"B/s", "kB/s", "MB/s", "GB/s"}, 4);
}

}  // namespace grader
