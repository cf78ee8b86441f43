#include "similarity/winnowing.hpp"

#include <algorithm>
#include <deque>

namespace grader {

std::vector<std::uint64_t> grams(const std::vector<Token>& tokens, unsigned length) {
  std::vector<std::uint64_t> out;
  if (length == 0 || tokens.size() < length) return out;
  // A rolling polynomial hash of the tokens (Karp and Rabin). Its bits are mixed, so that each run is equally
  // likely to be the smallest.
  constexpr std::uint64_t base = 0x9e3779b97f4a7c15;
  std::uint64_t first = 1, hash = 0;  // base to the power of length - 1
  for (unsigned i = 1; i < length; ++i) first *= base;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i >= length) hash -= tokens[i - length].word * first;
    hash = hash * base + tokens[i].word;
    if (i + 1 < length) continue;
    std::uint64_t mixed = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    out.push_back(mixed ^ (mixed >> 31));
  }
  return out;
}

std::vector<Fingerprint> winnow(const std::vector<std::uint64_t>& grams, unsigned window) {
  std::vector<Fingerprint> out;
  std::deque<std::size_t> least;  // positions in the window with rising hashes, the smallest first
  const std::size_t width = std::min<std::size_t>(std::max(1u, window), grams.size());
  for (std::size_t i = 0; i < grams.size(); ++i) {
    while (!least.empty() && grams[least.back()] >= grams[i]) least.pop_back();
    least.push_back(i);
    if (least.front() + width <= i) least.pop_front();
    if (i + 1 < width) continue;
    const Fingerprint chosen{grams[least.front()], least.front()};
    if (out.empty() || out.back() != chosen) out.push_back(chosen);
  }
  return out;
}

}  // namespace grader
