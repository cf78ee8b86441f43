// reader_parallel.cpp: reads a file of matrices with all cores. Beyond the report: level 3.
//
// Reading took the report 15 times as long as the minimum on one core. Here
//
//   1. the file is mapped (lab::MappedFile): its bytes are in memory without a copy, and a thread can begin
//      anywhere;
//   2. it is cut into as many parts as there are threads, each after a separator: no matrix lies in two parts;
//   3. every thread counts the separators of its part; the sums of these counts give the number of the first
//      matrix of each part, so that every thread knows where its numbers go;
//   4. every thread parses its part (lab::parse_matrices, which takes 64 characters at a time).
//
//   3 ⏎ *** ⏎ 1 1 2 ⏎ 3 5 8 ⏎ 13 21 34 ⏎ *** ⏎ 2 3 5 ⏎ 7 11 13 ⏎ 17 19 23 ⏎ *** ⏎ 4 4 4 …
//               part 0: from matrix 0 ──────────┤ part 1: from matrix 1 ──────────────┤ part 2: from matrix 2
//
// Steps 3 and 4 run on all cores, one step after the other.
//
// Run it:  grader lab1.3 --level 3
//          minmatrix FILE --reader parallel --threads 4
#include <lab/todo.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <thread>
#include <vector>

#include "matrices.hpp"
#include "minmatrix.h"
#include "minmatrix_layout.h"

namespace {

// Some of the file's text, whole matrices with the separators after them.
struct Part {
  const char* begin;
  const char* end;
  std::size_t matrices;  // how many
  std::size_t first;     // how many come before them in the file
};

// A separator's first character is '*', or the first byte of a Unicode asterisk.
constexpr char marks[] = {'*', '\xe2'};

// The next place of a character; `end` when there is none. The library looks at many characters at once.
const char* find(const char* at, const char* end, char c) {
  const void* const found = std::memchr(at, c, static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

// Just after the first separator that begins at `at` or later; `end` when there is none.
const char* behindSeparator(const char* at, const char* end) {
  const char* first = end;
  for (const char mark : marks) first = find(at, first, mark);
  return lab::detail::word_end(first, end);
}

// Runs work(0), work(1) … work(threads - 1) at the same time, and waits for all.
template <typename Work>
void onThreads(int threads, Work work) {
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work, i);
  work(0);
  for (std::thread& one : others) one.join();
}

}  // namespace

// Cuts the text into `count` parts of about the same length.
//   begin   just after the separator that follows the count of matrices
static std::vector<Part> cut(const char* begin, const char* end, int count) {
  std::vector<Part> parts;
  const char* from = begin;
  for (int i = 1; i <= count; ++i) {
    // Where an even cut would lie, moved past the next separator; never before the part's own begin, as a part
    // may be shorter than one matrix.
    const char* const even = begin + (end - begin) / count * i;
    const char* const to = i == count ? end : behindSeparator(std::max(from, even), end);
    parts.push_back({from, to, 0, 0});
    from = to;
  }
  return parts;
}

Matrices readParallel(const char* path, int n, Layout layout, int threads) {
  const lab::MappedFile file(path);

  // The count of matrices and the separator after it.
  const char* at = lab::detail::skip_space(file.begin(), file.end());
  long long m = 0;
  const auto [behind_count, error] = std::from_chars(at, file.end(), m);
  const char* const separator = lab::detail::skip_space(behind_count, file.end());
  at = lab::detail::word_end(separator, file.end());
  if (error != std::errc() || !lab::is_separator({separator, static_cast<std::size_t>(at - separator)}))
    lab::refuse_matrices(path, n);
  Matrices matrices = roomFor(path, m, n);
  const lab::Strides strides = stridesOf(layout, matrices.m, matrices.numbers());

  std::vector<Part> parts = cut(at, file.end(), threads);
  onThreads(threads, [&](int i) { parts[i].matrices = lab::count_separators(parts[i].begin, parts[i].end); });

  // The last separator is followed by a matrix if the file ends without a separator, else by white space
  // only.
  Part& last = parts.back();
  std::size_t all = 0;
  for (Part& part : parts) {
    part.first = all;
    all += part.matrices;
  }
  if (all + 1 == static_cast<std::size_t>(m)) {
    ++last.matrices;
    ++all;
  }
  if (all != static_cast<std::size_t>(m)) lab::refuse_matrices(path, n);

  std::atomic<bool> good{true};
  onThreads(threads, [&](int i) {
    const Part& part = parts[i];
    int* const to = matrices.values.get() + part.first * strides.matrix;
    // The array's pages, all at once: the system takes longer for one at a time.
    if (layout == Layout::kept) lab::make_pages(to, sizeof(int) * part.matrices * matrices.numbers());
    if (!lab::parse_matrices(part.begin, part.end, matrices.numbers(), part.matrices, to, strides))
      good = false;
  });
  if (!good) lab::refuse_matrices(path, n);
  return matrices;
}
