// Compares printed lines with the oracle's, in any order. verify.hpp declares the function.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "verify/verify.hpp"

namespace grader {
namespace {

constexpr std::size_t most_lines = 8;       // lines in a report
constexpr std::size_t longest_shown = 120;  // bytes of one of these lines
constexpr std::uintmax_t largest_list = 64 << 20;
constexpr std::size_t most_exchanged = 6;  // most numbers of a line whose orders are tried

using Lines = std::vector<std::string>;  // sorted, so that they act as a multiset

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/// The lines of a text without trailing spaces; blank lines are left out.
Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = std::min(text.find('\n', begin), text.size());
    std::size_t first = begin, last = newline;
    while (first < last && blank(text[first])) ++first;
    while (last > first && blank(text[last - 1])) --last;
    if (first < last) lines.push_back(text.substr(first, last - first));
    begin = newline + 1;
  }
  return lines;
}

std::string first_word(const std::string& line) {
  return line.substr(0, line.find_first_of(" \t"));
}

/// A line made printable. Otherwise a program's output could control the reader's terminal.
std::string shown_line(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (text.size() > longest_shown) return text + "…";
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      text += fmt::format("\\x{:02x}", byte);
    else
      text += c;
  }
  return text;
}

/// The numbers of a line in order, and the line with '#' for each.
struct Template {
  std::vector<std::string> numbers;
  std::string words;
};

Template template_of(const std::string& line) {
  Template result;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
    if (end == i) {
      result.words += line[i++];
    } else {
      result.numbers.push_back(line.substr(i, end - i));
      result.words += '#';
      i = end;
    }
  }
  return result;
}

/// The lines of `expected` that `printed` lacks, and vice versa.
struct Difference {
  Lines missing, surplus;
};

Difference difference(const Lines& expected, const Lines& printed) {
  Difference d;
  std::set_difference(expected.begin(), expected.end(), printed.begin(), printed.end(),
                      std::back_inserter(d.missing));
  std::set_difference(printed.begin(), printed.end(), expected.begin(), expected.end(),
                      std::back_inserter(d.surplus));
  return d;
}

void set(Mismatch& mismatch, const char* pattern, std::string explanation) {
  mismatch.pattern = pattern;
  mismatch.explanation = std::move(explanation);
}

/// Whether every expected line was printed k times, k > 1.
bool is_repeated(const Lines& expected, const Lines& printed, std::size_t& times) {
  times = printed.size() / expected.size();
  if (times < 2 || printed.size() != times * expected.size()) return false;
  for (std::size_t i = 0; i < printed.size(); ++i)
    if (printed[i] != expected[i / times]) return false;
  return std::adjacent_find(expected.begin(), expected.end()) == expected.end();
}

/// The place of a number whose values in printed lines differ from all its values in missing lines.
bool separating_number(const Lines& printed, const Lines& missing, std::size_t& place, std::string& value) {
  const std::size_t places = template_of(missing.front()).numbers.size();
  for (place = 0; place < places; ++place) {
    std::set<std::string> seen, unseen;
    for (const Lines* lines : {&printed, &missing}) {
      for (const std::string& line : *lines) {
        const Template t = template_of(line);
        if (place < t.numbers.size()) (lines == &printed ? seen : unseen).insert(t.numbers[place]);
      }
    }
    Lines common;
    std::set_intersection(seen.begin(), seen.end(), unseen.begin(), unseen.end(), std::back_inserter(common));
    if (!common.empty() || seen.empty() || unseen.empty()) continue;
    value = *unseen.begin();
    return true;
  }
  return false;
}

/// The number of places at which an order differs from the identity.
std::size_t moved(const std::vector<std::size_t>& order) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) count += order[i] != i;
  return count;
}

/// The order of each line's numbers that turns the printed lines into the expected ones. If several do, the
/// one that moves the fewest numbers.
std::optional<std::vector<std::size_t>> other_order(const Lines& expected, const Lines& printed) {
  const std::size_t places = template_of(expected.front()).numbers.size();
  if (places < 2 || places > most_exchanged || printed.size() != expected.size()) return std::nullopt;
  std::vector<Template> lines;
  for (const std::string& line : printed) {
    lines.push_back(template_of(line));
    if (lines.back().numbers.size() != places) return std::nullopt;
  }
  std::vector<std::size_t> order(places);
  std::iota(order.begin(), order.end(), 0);
  std::optional<std::vector<std::size_t>> best;
  while (std::next_permutation(order.begin(), order.end())) {
    if (best && moved(order) >= moved(*best)) continue;
    Lines changed;
    for (const Template& line : lines) {
      std::string text;
      std::size_t next = 0;
      for (const char c : line.words) text += c == '#' ? line.numbers[order[next++]] : std::string(1, c);
      changed.push_back(text);
    }
    std::sort(changed.begin(), changed.end());
    if (changed == expected) best = order;
  }
  return best;
}

/// How a message names a number: by the word before it, "number 2 of ThreadID", or else by its place, "number
/// 4".
std::string number_words(const std::string& line, std::size_t place) {
  std::string word, last;
  std::size_t number = 0, of_word = 0;
  for (const char c : template_of(line).words) {
    if (std::isalpha(static_cast<unsigned char>(c))) {
      word += c;
      continue;
    }
    if (!word.empty()) {
      last = std::move(word);
      of_word = 0;
      word.clear();
    }
    if (c != '#') continue;
    ++of_word;
    if (number++ == place) break;
  }
  return last.empty() ? fmt::format("number {}", place + 1) : fmt::format("number {} of {}", of_word, last);
}

/// Why right lines are incomplete: too few threads, or threads that did not print.
std::string why_missing(const Lines& expected, const Lines& printed, const RunFacts& run) {
  if (!run.launch)
    return "Does the launch start all blocks and threads, and does no condition keep some of them from "
           "printing?";
  const std::string launch =
      fmt::format("a grid of {} and blocks of {}: {} threads", extent_words(run.launch->grid),
                  extent_words(run.launch->block), run.launch->threads());
  if (run.launch->threads() < expected.size())
    return fmt::format("The launch has {} for {} lines. Compare both sizes with the handout.", launch,
                       expected.size());
  return fmt::format("The launch has {}, and {} printed. Which condition keeps the others from it?", launch,
                     printed.size());
}

/// "1, 2 and 4"
std::string list_words(const std::vector<std::string>& items) {
  std::string words;
  for (std::size_t i = 0; i < items.size(); ++i)
    words += (i == 0 ? "" : i + 1 < items.size() ? ", " : " and ") + items[i];
  return words;
}

/// Whether both lists have the same numbers, line by line, with other words around them.
bool same_numbers(const Lines& expected, const Lines& printed) {
  std::multiset<std::vector<std::string>> a, b;
  for (const std::string& line : expected) a.insert(template_of(line).numbers);
  for (const std::string& line : printed)
    if (const auto numbers = template_of(line).numbers; !numbers.empty()) b.insert(numbers);
  return !a.begin()->empty() && std::includes(b.begin(), b.end(), a.begin(), a.end());
}

/// The message for right lines with their numbers in another order.
std::string exchanged_words(const std::string& line, const std::vector<std::size_t>& order) {
  std::vector<std::string> which;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != i) which.push_back(number_words(line, i));
  return fmt::format(
      "The lines are right but for the order of their numbers: {} {}. Is the order of x, y and z "
      "the handout's in the dim3 of the launch, and that of the arguments (blockIdx before "
      "threadIdx) in printf?",
      list_words(which), which.size() == 2 ? "are exchanged" : "are in each other's place");
}

/// @param relevant printed lines that begin like the expected ones; @param all the whole output
void name_pattern(Mismatch& mismatch, const Lines& expected, const Lines& relevant, const Lines& all,
                  const Difference& d, const RunFacts& run) {
  std::size_t a = 0;
  std::string value;
  std::optional<std::vector<std::size_t>> order;
  if (d.missing.size() == expected.size() && same_numbers(expected, all))
    set(mismatch, "wording",
        "The numbers are right, but the words around them are not those of the handout: compare the lines "
        "character by character.");
  else if (relevant.empty())
    set(mismatch, "no-lines",
        run.no_kernel
            ? "None of the lines was printed, because no kernel ran: launch it with "
              "kernel<<<grid, block>>>(), and wait for it."
            : "None of the lines was printed. What a kernel prints appears only when the host waits "
              "for it: is the kernel launched, and followed by cudaDeviceSynchronize()?");
  else if (is_repeated(expected, relevant, a))
    set(mismatch, "twice",
        fmt::format(
            "Every line was printed {} times: is the kernel launched {} times, or with {} times as many "
            "threads?",
            a, a, a));
  else if (d.surplus.empty() && separating_number(relevant, d.missing, a, value))
    set(mismatch, "one-block-only",
        fmt::format("What was printed is right, but no line has {} as {}. {}", value,
                    number_words(expected.front(), a), why_missing(expected, relevant, run)));
  else if (d.missing.empty())
    set(mismatch, "extra-lines",
        fmt::format("All lines are there that should be, and {} more that begin with \"{}\". Remove your own "
                    "prints, or let them begin with another word.",
                    d.surplus.size(), first_word(expected.front())));
  else if (d.surplus.empty())
    set(mismatch, "missing-lines",
        fmt::format("What was printed is right, but {} of {} lines {} missing. {}", d.missing.size(),
                    expected.size(), d.missing.size() == 1 ? "is" : "are",
                    why_missing(expected, relevant, run)));
  else if ((order = other_order(expected, relevant)))
    set(mismatch, "swapped-numbers", exchanged_words(expected.front(), *order));
}

/// Refuses an expected list that is not text or has lines that are never compared: no output could satisfy it.
void need_sound_list(const Lines& expected, const std::string& begin, const fs::path& file) {
  for (const std::string& line : expected) {
    const bool is_text = std::none_of(line.begin(), line.end(), [](char c) {
      return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
    });
    if (is_text && first_word(line) == begin) continue;
    throw Error(
        ErrorKind::fault,
        fmt::format(
            "The grader can't use its own data: {} is not a list of lines that all begin with \"{}\": {}.",
            file.filename().string(), shown_line(begin), shown_line(line)));
  }
}

}  // namespace

Verification verify_lines(const std::string& printed_text, const fs::path& expected_file,
                          const RunFacts& run) {
  Lines expected;
  try {
    expected = lines_of(read_file(expected_file, largest_list));
  } catch (const Error& error) {
    throw Error(ErrorKind::fault, std::string("The grader can't use its own data: ") + error.what());
  }
  if (expected.empty())
    throw Error(ErrorKind::fault,
                expected_file.string() + ": the oracle listed no lines that must be printed.");
  const std::string begin = first_word(expected.front());
  need_sound_list(expected, begin, expected_file);

  const Lines all = lines_of(printed_text);
  Lines relevant;
  for (const std::string& line : all)
    if (first_word(line) == begin) relevant.push_back(line);
  std::sort(expected.begin(), expected.end());
  std::sort(relevant.begin(), relevant.end());
  const Difference d = difference(expected, relevant);

  Verification result;
  result.right = d.missing.empty() && d.surplus.empty();
  if (result.right) return result;
  Mismatch mismatch;
  mismatch.wrong = d.missing.size() + d.surplus.size();
  mismatch.total = expected.size();
  // Missing and surplus lines get half of the report's lines each, so that many surplus lines do not hide the missing
  // lines.
  for (const std::string& line : d.missing)
    if (mismatch.first.size() < most_lines / 2 + (d.surplus.empty() ? most_lines / 2 : 0))
      mismatch.first.push_back({{}, shown_line(line), ""});
  for (const std::string& line : d.surplus)
    if (mismatch.first.size() < most_lines) mismatch.first.push_back({{}, "", shown_line(line)});
  name_pattern(mismatch, expected, relevant, all, d, run);
  result.mismatch = std::move(mismatch);
  return result;
}

}  // namespace grader
