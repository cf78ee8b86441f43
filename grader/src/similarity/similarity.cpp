// The steps: split texts into tokens; choose fingerprints; list pairs that share a rare fingerprint; find
// their common passages; keep the parts that are new; compute the probability that this is chance.
#include "similarity/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace grader {
namespace {

constexpr std::uint64_t no_gram = 0;
constexpr std::size_t assumed_runs = 10;

/// An answer as the tokens of its texts, one after the other. A gram that would extend into the next text is
/// no_gram.
struct Document {
  std::size_t answer = 0;
  unsigned owner = 0;
  std::vector<Token> tokens;
  std::vector<std::uint32_t> text_of;  ///< for each token, its text
  std::vector<std::uint64_t> gram;     ///< for each token, the hash of the `gram` tokens that begin with it
  std::vector<Fingerprint> prints;
  std::vector<char> own;  ///< for each token, whether it is neither given nor common; computed on first use
};

/// An occurrence of a run of tokens in an owner's answer.
struct Use {
  std::uint64_t gram = 0;
  unsigned owner = 0;
  friend auto operator<=>(const Use&, const Use&) = default;
};

/// The owners of each run of tokens, each of them once.
class Usage {
 public:
  void add(std::uint64_t gram, unsigned owner) { uses_.push_back({gram, owner}); }
  void sort() {
    std::sort(uses_.begin(), uses_.end());
    uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
    uses_.shrink_to_fit();
  }

  using Range = std::pair<std::vector<Use>::const_iterator, std::vector<Use>::const_iterator>;
  Range owners_of(std::uint64_t gram) const {
    return std::equal_range(uses_.begin(), uses_.end(), Use{gram, 0},
                            [](const Use& x, const Use& y) { return x.gram < y.gram; });
  }

 private:
  std::vector<Use> uses_;
};

/// A run that occurs in both documents.
struct Match {
  std::size_t a = 0, b = 0, length = 0;
};

/// The common text of two owners.
struct Compared {
  SimilarPair pair;
  std::vector<unsigned> circle;   ///< the two owners, and others who have much of the common text
  std::vector<std::size_t> runs;  ///< number of tokens of each new run
};

/// A new run that two owners share.
struct Run {
  double tokens = 0;
  unsigned a = 0, b = 0;
};

class Finder {
 public:
  Finder(const std::vector<Answer>& answers, const KnownTexts& known, const SimilarityRules& rules)
      : answers_(answers), rules_(rules), length_(std::max(2u, rules.winnowing.gram)) {
    number_owners();
    for (std::size_t i = 0; i < answers.size(); ++i) documents_.push_back(document(i));
    for (const std::string& text : known.given)
      for (const std::uint64_t gram : grams(tokens_of(text, rules.tokens), length_)) given_.insert(gram);
    for (const Document& one : documents_)
      for (const std::uint64_t gram : one.gram) usage_.add(gram, one.owner);
    for (const std::string& text : known.solution)
      for (const std::uint64_t gram : grams(tokens_of(text, rules.tokens), length_))
        usage_.add(gram, static_cast<unsigned>(owners_));
    usage_.sort();
    most_ = std::max(rules.few, static_cast<std::size_t>(rules.common * static_cast<double>(owners_)));
    const double n = static_cast<double>(owners_);
    pairs_possible_ = n * (n - 1) / 2;
    out_.owners = owners_;
    in_circle_.resize(owners_ + 1);
  }

  Similarity find() {
    post();
    std::vector<Compared> all;
    for (const auto& [a, b] : candidates()) {
      Compared best;
      for (const std::size_t x : of_owner_[a])
        for (const std::size_t y : of_owner_[b]) {
          Compared one = compared(documents_[x], documents_[y]);
          if (one.pair.tokens > best.pair.tokens) best = std::move(one);
        }
      if (!best.runs.empty()) all.push_back(std::move(best));
    }
    std::vector<Run> runs;
    for (const double tokens : assumed()) runs.push_back({tokens, 0, 0});
    for (const Compared& one : all)
      for (const std::size_t tokens : one.runs)
        runs.push_back({static_cast<double>(tokens), one.circle[0], one.circle[1]});
    std::sort(runs.begin(), runs.end(), [](const Run& x, const Run& y) { return x.tokens > y.tokens; });
    for (Compared& one : all) {
      if (one.pair.tokens < rules_.winnowing.shortest_found()) continue;
      one.pair.expected = expected(static_cast<double>(one.pair.tokens), outside(runs, one.circle));
      if (one.pair.expected <= rules_.by_chance) out_.pairs.push_back(std::move(one.pair));
    }
    std::sort(out_.pairs.begin(), out_.pairs.end(), [](const SimilarPair& x, const SimilarPair& y) {
      return std::tie(x.expected, y.tokens, x.a, x.b) < std::tie(y.expected, x.tokens, y.a, y.b);
    });
    return std::move(out_);
  }

 private:
  /// Numbers the owners in the order of their names, and takes the last attempts of each.
  void number_owners() {
    std::map<std::string, std::vector<std::size_t>> by_name;
    for (std::size_t i = 0; i < answers_.size(); ++i) by_name[answers_[i].owner].push_back(i);
    owner_of_.resize(answers_.size());
    for (auto& [name, attempts] : by_name) {
      for (const std::size_t i : attempts) owner_of_[i] = static_cast<unsigned>(owners_);
      if (attempts.size() > rules_.attempts)
        attempts.erase(attempts.begin(), attempts.end() - static_cast<std::ptrdiff_t>(rules_.attempts));
      of_owner_.push_back(std::move(attempts));
      ++owners_;
    }
  }

  Document document(std::size_t answer) const {
    Document out;
    out.answer = answer;
    out.owner = owner_of_[answer];
    const std::vector<AnswerText>& texts = answers_[answer].texts;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::vector<Token> tokens = tokens_of(texts[i].text, rules_.tokens - out.tokens.size());
      const std::size_t begin = out.tokens.size();
      out.tokens.insert(out.tokens.end(), tokens.begin(), tokens.end());
      out.text_of.resize(out.tokens.size(), static_cast<std::uint32_t>(i));
      const std::vector<std::uint64_t> whole = grams(tokens, length_);
      for (Fingerprint print : winnow(whole, rules_.winnowing.window)) {
        print.at += begin;
        out.prints.push_back(print);
      }
      out.gram.insert(out.gram.end(), whole.begin(), whole.end());
      out.gram.resize(out.tokens.size(), no_gram);
    }
    return out;
  }

  bool is_common(std::uint64_t gram) const {
    if (given_.count(gram) != 0) return true;
    const Usage::Range range = usage_.owners_of(gram);
    return static_cast<std::size_t>(range.second - range.first) > most_;
  }

  /// Makes the index: for each rare fingerprint, its owners.
  void post() {
    std::unordered_map<std::uint64_t, std::vector<unsigned>> lists;
    for (std::size_t owner = 0; owner < of_owner_.size(); ++owner)
      for (const std::size_t i : of_owner_[owner])
        for (const Fingerprint& print : documents_[i].prints)
          if (given_.count(print.hash) == 0) {
            std::vector<unsigned>& list = lists[print.hash];
            if (list.empty() || list.back() != owner) list.push_back(static_cast<unsigned>(owner));
          }
    const std::size_t longest = std::min(most_, rules_.longest_list);
    for (auto& [hash, list] : lists)
      if (list.size() >= 2 && list.size() <= longest) lists_.emplace(hash, std::move(list));
  }

  /// The pairs of owners that share the most rare fingerprints, on average at most twenty for each owner.
  std::vector<std::pair<unsigned, unsigned>> candidates() const {
    std::vector<std::uint64_t> met;
    for (const auto& [hash, list] : lists_)
      for (std::size_t x = 0; x < list.size(); ++x)
        for (std::size_t y = x + 1; y < list.size(); ++y)
          met.push_back(std::uint64_t{list[x]} << 32 | list[y]);
    std::sort(met.begin(), met.end());
    std::vector<std::pair<std::size_t, std::uint64_t>> counted;
    for (std::size_t i = 0; i < met.size();) {
      std::size_t end = i;
      while (end < met.size() && met[end] == met[i]) ++end;
      counted.emplace_back(end - i, met[i]);
      i = end;
    }
    std::sort(counted.begin(), counted.end(), [](const auto& x, const auto& y) {
      return std::tie(y.first, x.second) < std::tie(x.first, y.second);
    });
    const std::size_t most = std::max<std::size_t>(20'000, 20 * owners_);
    std::vector<std::pair<unsigned, unsigned>> out;
    for (std::size_t i = 0; i < counted.size() && i < most; ++i)
      out.emplace_back(static_cast<unsigned>(counted[i].second >> 32),
                       static_cast<unsigned>(counted[i].second));
    return out;
  }

  /// The owners who have at least three quarters of the rare fingerprints that the pair shares, including the
  /// pair. If one text was passed on to several students, it must not count as common.
  std::vector<unsigned> circle_of(const Document& a, const Document& b) const {
    std::unordered_set<std::uint64_t> of_a;
    for (const Fingerprint& print : a.prints) of_a.insert(print.hash);
    std::map<unsigned, std::size_t> shared;
    std::size_t all = 0;
    std::unordered_set<std::uint64_t> seen;
    for (const Fingerprint& print : b.prints) {
      const auto list = lists_.find(print.hash);
      if (list == lists_.end() || of_a.count(print.hash) == 0 || !seen.insert(print.hash).second) continue;
      ++all;
      for (const unsigned owner : list->second) ++shared[owner];
    }
    std::vector<unsigned> out = {a.owner, b.owner};
    for (const auto& [owner, count] : shared)
      if (owner != a.owner && owner != b.owner && 4 * count >= 3 * all) out.push_back(owner);
    if (all < 8 || out.size() > most_) out.resize(2);
    return out;
  }

  /// The longest common runs that don't overlap. The algorithm is greedy string tiling (M. J. Wise, 1993)
  /// over all runs that have at least the length of a gram.
  std::vector<Match> tiles(const Document& a, const Document& b) const {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> places;
    for (std::size_t j = 0; j < b.gram.size(); ++j)
      if (b.gram[j] != no_gram) {
        std::vector<std::size_t>& list = places[b.gram[j]];
        if (list.size() < 16) list.push_back(j);
      }
    std::vector<Match> found;
    std::size_t work = 5'000'000;  // limit for texts that repeat themselves without end
    for (std::size_t i = 0; i < a.gram.size(); ++i) {
      if (a.gram[i] == no_gram) continue;
      const auto list = places.find(a.gram[i]);
      if (list == places.end()) continue;
      for (const std::size_t j : list->second) {
        if (i > 0 && j > 0 && a.gram[i - 1] != no_gram && a.gram[i - 1] == b.gram[j - 1])
          continue;  // part of a longer match
        std::size_t runs = 0;
        while (i + runs < a.gram.size() && j + runs < b.gram.size() && a.gram[i + runs] != no_gram &&
               a.gram[i + runs] == b.gram[j + runs])
          ++runs;
        found.push_back({i, j, runs + length_ - 1});
        if (work < runs) return tiled(std::move(found), a, b);
        work -= runs;
      }
    }
    return tiled(std::move(found), a, b);
  }

  std::vector<Match> tiled(std::vector<Match> found, const Document& a, const Document& b) const {
    std::sort(found.begin(), found.end(), [](const Match& x, const Match& y) {
      return std::tie(y.length, x.a, x.b) < std::tie(x.length, y.a, y.b);
    });
    std::vector<char> taken_a(a.tokens.size()), taken_b(b.tokens.size());
    std::vector<Match> out;
    for (const Match& match : found)
      for (std::size_t k = 0; k < match.length;) {  // pieces that remain
        std::size_t end = k;
        while (end < match.length && !taken_a[match.a + end] && !taken_b[match.b + end]) ++end;
        if (end - k >= length_) {
          out.push_back({match.a + k, match.b + k, end - k});
          std::fill_n(taken_a.begin() + static_cast<std::ptrdiff_t>(match.a + k), end - k, 1);
          std::fill_n(taken_b.begin() + static_cast<std::ptrdiff_t>(match.b + k), end - k, 1);
        }
        k = std::max(end, k + 1);
      }
    std::sort(out.begin(), out.end(), [](const Match& x, const Match& y) { return x.a < y.a; });
    return out;
  }

  /// The number of pairs that are expected to share this many new tokens by chance. Independent authors share
  /// new runs at some rate, and each run is some tokens longer than a seam. The sum of these tokens is a
  /// compound Poisson variable with exponential terms, and the function computes its tail.
  /// @param runs the runs of all pairs outside of the circle, the longest first
  double expected(double tokens, const std::vector<double>& runs) const {
    const double rate = (static_cast<double>(runs.size() - assumed_runs) + 1) / pairs_possible_;
    // The scale is that of an exponential distribution with the same top tenth. If there are two kinds of
    // runs, this is too large, so that the result is cautious.
    const double mean = std::accumulate(runs.begin(), runs.end(), 0.0) / static_cast<double>(runs.size());
    const double scale = std::max(mean, runs[runs.size() / 10] / std::log(10.0)), x = tokens / scale;
    double tail = 0, poisson = std::exp(-rate), term = std::exp(-x), gamma = 0;
    for (int count = 1; count <= 200; ++count) {
      poisson *= rate / count;  // the probability of this many runs
      gamma += term;            // the probability of their sum: the tail of Gamma
      term *= x / count;
      tail += poisson * gamma;
    }
    return pairs_possible_ * std::min(1.0, tail);
  }

  /// Runs as they were observed between independent authors, which are added to the few runs of a small
  /// class. If fewer other owners could show that a run is not new, the added runs are longer.
  std::vector<double> assumed() const {
    const double others = static_cast<double>(std::max<std::size_t>(2, owners_) - 1);
    const double scale = 4 + 60 / others + 60 / (others * others);
    std::vector<double> out;
    for (std::size_t i = 0; i < assumed_runs; ++i)
      out.push_back(-scale * std::log((static_cast<double>(i) + 0.5) / assumed_runs));
    return out;
  }

  /// The runs of those pairs that are not both in the circle.
  std::vector<double> outside(const std::vector<Run>& runs, const std::vector<unsigned>& circle) {
    for (const unsigned owner : circle) in_circle_[owner] = 1;
    std::vector<double> out;
    for (const Run& run : runs)
      if (run.a == run.b || !in_circle_[run.a] || !in_circle_[run.b]) out.push_back(run.tokens);
    for (const unsigned owner : circle) in_circle_[owner] = 0;
    return out;
  }

  /// Whether this gram occurs neither in the solution nor in an answer of an owner outside of the circle.
  bool is_new(std::uint64_t gram) const {
    if (gram == no_gram || given_.count(gram) != 0) return false;
    const Usage::Range range = usage_.owners_of(gram);
    return std::all_of(range.first, range.second, [&](const Use& use) { return in_circle_[use.owner] != 0; });
  }

  /// Counts the new runs of a passage. Where two known runs meet, the grams across the seam are new, too. So
  /// of each run, only the part that is longer than a seam counts.
  void count_new(const Document& a, const Match& tile, Passage& passage, Compared& out) const {
    std::size_t run = 0;
    for (std::size_t k = 0; k + length_ <= tile.length + 1; ++k) {
      const bool ends = k + length_ > tile.length || !is_new(a.gram[tile.a + k]);
      if (!ends) {
        ++run;
        continue;
      }
      if (run >= length_) {
        const std::size_t tokens = run - (length_ - 1);
        passage.tokens += tokens;
        out.runs.push_back(tokens);
      }
      run = 0;
    }
  }

  const std::vector<char>& own_tokens(Document& one) const {
    if (one.own.size() == one.tokens.size()) return one.own;
    one.own.resize(one.tokens.size());
    for (std::size_t i = 0; i < one.gram.size(); ++i)
      if (one.gram[i] != no_gram && !is_common(one.gram[i]))
        std::fill_n(one.own.begin() + static_cast<std::ptrdiff_t>(i), length_, 1);
    return one.own;
  }

  Compared compared(Document& a, Document& b) {
    Compared out;
    out.pair.a = a.answer;
    out.pair.b = b.answer;
    out.circle = circle_of(a, b);
    for (const unsigned owner : out.circle) in_circle_[owner] = 1;
    const std::vector<char>&own_a = own_tokens(a), &own_b = own_tokens(b);
    std::size_t shared_a = 0, shared_b = 0;
    for (const Match& tile : tiles(a, b)) {
      shared_a += count(own_a, tile.a, tile.length);
      shared_b += count(own_b, tile.b, tile.length);
      Passage passage;
      count_new(a, tile, passage, out);
      if (passage.tokens == 0) continue;
      out.pair.tokens += passage.tokens;
      passage.text_a = a.text_of[tile.a];
      passage.text_b = b.text_of[tile.b];
      passage.first_a = a.tokens[tile.a].line;
      passage.last_a = a.tokens[tile.a + tile.length - 1].line;
      passage.first_b = b.tokens[tile.b].line;
      passage.last_b = b.tokens[tile.b + tile.length - 1].line;
      out.pair.passages.push_back(passage);
    }
    for (const unsigned owner : out.circle) in_circle_[owner] = 0;
    const auto share = [](std::size_t part, const std::vector<char>& own) {
      const std::size_t all = count(own, 0, own.size());
      return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
    };
    out.pair.share_a = share(shared_a, own_a);
    out.pair.share_b = share(shared_b, own_b);
    std::sort(out.pair.passages.begin(), out.pair.passages.end(), [](const Passage& x, const Passage& y) {
      return std::tie(y.tokens, x.text_a, x.first_a) < std::tie(x.tokens, y.text_a, y.first_a);
    });
    return out;
  }

  static std::size_t count(const std::vector<char>& own, std::size_t begin, std::size_t length) {
    return static_cast<std::size_t>(std::count(own.begin() + static_cast<std::ptrdiff_t>(begin),
                                               own.begin() + static_cast<std::ptrdiff_t>(begin + length), 1));
  }

  const std::vector<Answer>& answers_;
  const SimilarityRules rules_;
  const unsigned length_;
  std::size_t owners_ = 0, most_ = 0;
  double pairs_possible_ = 0;
  std::vector<unsigned> owner_of_;
  std::vector<std::vector<std::size_t>> of_owner_;
  std::vector<Document> documents_;
  std::unordered_set<std::uint64_t> given_;
  Usage usage_;
  std::unordered_map<std::uint64_t, std::vector<unsigned>> lists_;
  std::vector<char> in_circle_;
  Similarity out_;
};

}  // namespace

Similarity find_similar(const std::vector<Answer>& answers, const KnownTexts& known,
                        const SimilarityRules& rules) {
  return Finder(answers, known, rules).find();
}

}  // namespace grader
