/// @file
/// Compares printed lines with the expected ones, in any order, and says how they differ.
#pragma once
#include <lab/judge.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

namespace lab {
namespace detail {

constexpr std::size_t most_lines = 8;       // lines in a report
constexpr std::size_t longest_shown = 120;  // bytes of one of these lines
constexpr std::size_t most_exchanged = 6;   // most numbers of a line whose orders are tried

using Lines = std::vector<std::string>;  // sorted, so that they act as a multiset

inline bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/// The lines of a text without trailing spaces; blank lines are left out.
inline Lines lines_of(const std::string& text) {
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

inline std::string first_word(const std::string& line) {
  return line.substr(0, line.find_first_of(" \t"));
}

/// A line made printable. Otherwise a program's output could control the reader's terminal.
inline std::string shown_line(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (text.size() > longest_shown) return text + "…";
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(byte));
      text += escape;
    } else {
      text += c;
    }
  }
  return text;
}

/// The numbers of a line in order, and the line with '#' for each.
struct Template {
  std::vector<std::string> numbers;
  std::string words;
};

inline Template template_of(const std::string& line) {
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

inline Difference difference(const Lines& expected, const Lines& printed) {
  Difference d;
  std::set_difference(expected.begin(), expected.end(), printed.begin(), printed.end(),
                      std::back_inserter(d.missing));
  std::set_difference(printed.begin(), printed.end(), expected.begin(), expected.end(),
                      std::back_inserter(d.surplus));
  return d;
}

inline void set(Judgement& judgement, const char* pattern, std::string says) {
  judgement.pattern = pattern;
  judgement.says = std::move(says);
}

/// Whether every expected line was printed k times, k > 1.
inline bool is_repeated(const Lines& expected, const Lines& printed, std::size_t& times) {
  times = printed.size() / expected.size();
  if (times < 2 || printed.size() != times * expected.size()) return false;
  for (std::size_t i = 0; i < printed.size(); ++i)
    if (printed[i] != expected[i / times]) return false;
  return std::adjacent_find(expected.begin(), expected.end()) == expected.end();
}

/// The place of a number whose values in printed lines differ from all its values in missing lines.
inline bool separating_number(const Lines& printed, const Lines& missing, std::size_t& place,
                              std::string& value) {
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
inline std::size_t moved(const std::vector<std::size_t>& order) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) count += order[i] != i;
  return count;
}

/// The order of each line's numbers that turns the printed lines into the expected lines and moves the fewest
/// numbers.
inline std::optional<std::vector<std::size_t>> other_order(const Lines& expected, const Lines& printed) {
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

/// The name of a number: "number 2 of ThreadID" after the word before it, else "number 4".
inline std::string number_words(const std::string& line, std::size_t place) {
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
  return last.empty() ? "number " + std::to_string(place + 1)
                      : "number " + std::to_string(of_word) + " of " + last;
}

/// "3 × 2" or "3 × 2 × 4"
inline std::string extent_words(const std::size_t (&extent)[3]) {
  std::string text = std::to_string(extent[0]) + " × " + std::to_string(extent[1]);
  return extent[2] == 1 ? text : text + " × " + std::to_string(extent[2]);
}

/// Why right lines are incomplete: too few threads, or threads that did not print.
inline std::string why_missing(const Lines& expected, const Lines& printed, const JudgeRequest& run) {
  const KernelLaunch* const largest = run.largest_launch();
  if (largest == nullptr)
    return "Does the launch start all blocks and threads, and does no condition keep some of them from "
           "printing?";
  const std::string launch = "a grid of " + extent_words(largest->grid) + " and blocks of " +
                             extent_words(largest->block) + ": " + std::to_string(largest->threads()) +
                             " threads";
  if (largest->threads() < expected.size())
    return "The launch has " + launch + " for " + std::to_string(expected.size()) +
           " lines. Compare both sizes with the handout.";
  return "The launch has " + launch + ", and " + std::to_string(printed.size()) +
         " printed. Which condition keeps the others from it?";
}

/// "1, 2 and 4"
inline std::string list_words(const std::vector<std::string>& items) {
  std::string words;
  for (std::size_t i = 0; i < items.size(); ++i)
    words += (i == 0 ? "" : i + 1 < items.size() ? ", " : " and ") + items[i];
  return words;
}

/// Whether both lists have the same numbers, line by line, with other words around them.
inline bool same_numbers(const Lines& expected, const Lines& printed) {
  std::multiset<std::vector<std::string>> a, b;
  for (const std::string& line : expected) a.insert(template_of(line).numbers);
  for (const std::string& line : printed)
    if (const auto numbers = template_of(line).numbers; !numbers.empty()) b.insert(numbers);
  return !a.begin()->empty() && std::includes(b.begin(), b.end(), a.begin(), a.end());
}

/// The message for right lines with their numbers in another order.
inline std::string exchanged_words(const std::string& line, const std::vector<std::size_t>& order) {
  std::vector<std::string> which;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != i) which.push_back(number_words(line, i));
  return "The lines are right but for the order of their numbers: " + list_words(which) +
         (which.size() == 2 ? " are exchanged" : " are in each other's place") +
         ". Is the order of x, y and z the handout's in the dim3 of the launch, and that of the arguments "
         "(blockIdx "
         "before threadIdx) in printf?";
}

/// @param relevant printed lines that begin like the expected ones; @param all the whole output
inline void name_pattern(Judgement& judgement, const Lines& expected, const Lines& relevant, const Lines& all,
                         const Difference& d, const JudgeRequest& run) {
  std::size_t a = 0;
  std::string value;
  std::optional<std::vector<std::size_t>> order;
  if (d.missing.size() == expected.size() && same_numbers(expected, all))
    set(judgement, "wording",
        "The numbers are right, but the words around them are not those of the handout: compare the lines "
        "character by character.");
  else if (relevant.empty())
    set(judgement, "no-lines",
        run.no_kernel
            ? "None of the lines was printed, because no kernel ran: launch it with "
              "kernel<<<grid, block>>>(), and wait for it."
            : "None of the lines was printed. What a kernel prints appears only when the host waits "
              "for it: is the kernel launched, and followed by cudaDeviceSynchronize()?");
  else if (is_repeated(expected, relevant, a)) {
    const std::string times = std::to_string(a);
    set(judgement, "twice",
        "Every line was printed " + times + " times: is the kernel launched " + times + " times, or with " +
            times + " times as many threads?");
  } else if (d.surplus.empty() && separating_number(relevant, d.missing, a, value))
    set(judgement, "one-block-only",
        "What was printed is right, but no line has " + value + " as " + number_words(expected.front(), a) +
            ". " + why_missing(expected, relevant, run));
  else if (d.missing.empty())
    set(judgement, "extra-lines",
        "All lines are there that should be, and " + std::to_string(d.surplus.size()) +
            " more that begin with \"" + first_word(expected.front()) +
            "\". Remove your own prints, or let them begin with another word.");
  else if (d.surplus.empty())
    set(judgement, "missing-lines",
        "What was printed is right, but " + std::to_string(d.missing.size()) + " of " +
            std::to_string(expected.size()) + " lines " + (d.missing.size() == 1 ? "is" : "are") +
            " missing. " + why_missing(expected, relevant, run));
  else if ((order = other_order(expected, relevant)))
    set(judgement, "swapped-numbers", exchanged_words(expected.front(), *order));
}

/// Refuses an expected list that is not text or has lines that are never compared: no output could satisfy it.
inline void need_sound_list(const Lines& expected, const std::string& begin) {
  for (const std::string& line : expected) {
    const bool is_text = std::none_of(line.begin(), line.end(), [](char c) {
      return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
    });
    if (is_text && first_word(line) == begin) continue;
    usage_error("oracle judge: the expected text is not a list of lines that all begin with \"" +
                shown_line(begin) + "\": " + shown_line(line) + ".");
  }
}

}  // namespace detail

/// Compares lines as multisets. Blank lines and spaces at the ends of lines are ignored. Lines that don't begin with
/// the first word of the first expected line are other output, and are ignored, too. `wrong` counts the missing and
/// the surplus lines; `first` lists them with an empty expected text (surplus) or an empty got text (missing).
/// @param run facts about the launch, for the words
inline Judgement judge_lines(const std::string& printed, const std::string& expected_text,
                             const JudgeRequest& run) {
  using detail::Lines;
  Lines expected = detail::lines_of(expected_text);
  if (expected.empty()) usage_error("oracle judge: the expected text has no lines that must be printed.");
  const std::string begin = detail::first_word(expected.front());
  detail::need_sound_list(expected, begin);

  const Lines all = detail::lines_of(printed);
  Lines relevant;
  for (const std::string& line : all)
    if (detail::first_word(line) == begin) relevant.push_back(line);
  std::sort(expected.begin(), expected.end());
  std::sort(relevant.begin(), relevant.end());
  const detail::Difference d = detail::difference(expected, relevant);
  if (d.missing.empty() && d.surplus.empty()) return Judgement::passed();

  Judgement judgement;
  judgement.verdict = Judgement::Verdict::wrong_answer;
  judgement.wrong = d.missing.size() + d.surplus.size();
  judgement.total = expected.size();
  judgement.extent = std::to_string(judgement.wrong) + (judgement.wrong == 1 ? " line is" : " lines are") +
                     " missing or extra, of " + std::to_string(judgement.total) + " expected.";
  // Missing and surplus lines get half of the report's lines each, so that many surplus lines do not hide the missing
  // lines.
  for (const std::string& line : d.missing)
    if (judgement.first.size() < detail::most_lines / (d.surplus.empty() ? 1 : 2))
      judgement.first.push_back({{}, detail::shown_line(line), ""});
  for (const std::string& line : d.surplus)
    if (judgement.first.size() < detail::most_lines)
      judgement.first.push_back({{}, "", detail::shown_line(line)});
  detail::name_pattern(judgement, expected, relevant, all, d, run);
  if (!judgement.pattern.empty())
    judgement.next = "check that cause first; the lines below are those that are missing or extra";
  return judgement;
}

}  // namespace lab
