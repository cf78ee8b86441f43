#include "similarity/nearest.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace grader {
namespace {

constexpr std::size_t most_tokens = 50'000, most_attempts = 4;

using Grams = std::vector<std::uint64_t>;  // sorted

Grams grams_of(const Answer& answer, const std::set<std::uint64_t>& given) {
  Grams out;
  for (const AnswerText& text : answer.texts)
    for (const std::uint64_t gram : grams(tokens_of(text.text, most_tokens), near_gram))
      if (given.count(gram) == 0) out.push_back(gram);
  std::sort(out.begin(), out.end());
  return out;
}

double shared(const Grams& a, const Grams& b) {
  std::size_t both = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (*x == *y)
      ++both, ++x, ++y;
    else if (*x < *y)
      ++x;
    else
      ++y;
  }
  return 2 * static_cast<double>(both) / static_cast<double>(a.size() + b.size());
}

}  // namespace

Nearest nearest_pairs(const std::vector<Answer>& answers, const KnownTexts& known, std::size_t most) {
  std::set<std::uint64_t> given;
  for (const std::string& text : known.given)
    for (const std::uint64_t gram : grams(tokens_of(text, most_tokens), near_gram)) given.insert(gram);
  std::vector<Grams> texts;
  std::map<std::string, std::vector<std::size_t>> by_owner;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    texts.push_back(grams_of(answers[i], given));
    if (!texts.back().empty()) by_owner[answers[i].owner].push_back(i);
  }
  for (auto& [owner, attempts] : by_owner)
    if (attempts.size() > most_attempts)
      attempts.erase(attempts.begin(), attempts.end() - static_cast<std::ptrdiff_t>(most_attempts));

  Nearest out;
  for (auto one = by_owner.begin(); one != by_owner.end(); ++one)
    for (auto other = std::next(one); other != by_owner.end(); ++other) {
      NearPair best{one->second.front(), other->second.front(), -1};
      for (const std::size_t a : one->second)
        for (const std::size_t b : other->second)
          if (const double value = shared(texts[a], texts[b]); value > best.shared) best = {a, b, value};
      out.pairs.push_back(best);
    }
  std::sort(out.pairs.begin(), out.pairs.end(), [](const NearPair& x, const NearPair& y) {
    return std::tie(y.shared, x.a, x.b) < std::tie(x.shared, y.a, y.b);
  });
  if (!out.pairs.empty()) out.median = out.pairs[out.pairs.size() / 2].shared;
  if (out.pairs.size() > most) out.pairs.resize(most);
  return out;
}

}  // namespace grader
