#include "requests.hpp"

#include <algorithm>

namespace cuemu::counters {

namespace {

/// The sorted addresses of some lanes.
struct Sorted {
  explicit Sorted(const Request& request) : Sorted(request, request.lanes) {}
  Sorted(const Request& request, std::uint32_t lanes) {
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      address[count++] = request.address[static_cast<unsigned>(__builtin_ctz(rest))];
    if (!std::is_sorted(address.begin(), address.begin() + count))
      std::sort(address.begin(), address.begin() + count);
  }
  std::array<std::uint64_t, lanes_of_warp> address{};
  unsigned count = 0;
};

/// Calls `each` for each group of `at_once` neighbouring lanes, unless the group is empty.
template <class Each>
void each_group(const Request& request, unsigned at_once, const Each& each) {
  const std::uint32_t group = at_once >= 32 ? ~0u : (1u << at_once) - 1;
  for (unsigned first = 0; first < lanes_of_warp; first += at_once)
    if (const std::uint32_t lanes = request.lanes & group << first; lanes != 0) each(lanes);
}

/// Returns the number of words of 4 bytes that one lane accesses.
unsigned words_of(const Request& request) {
  return std::max(1u, request.bytes / 4);
}

/// Returns the maximum number of different words in one bank that a group of lanes accesses.
unsigned degree(const Request& request, std::uint32_t lanes, unsigned banks) {
  constexpr unsigned most_words = 4 * lanes_of_warp;
  std::array<std::uint64_t, most_words> words{};
  unsigned count = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t begin = request.address[static_cast<unsigned>(__builtin_ctz(rest))];
    for (std::uint64_t word = begin / 4; word <= (begin + request.bytes - 1) / 4 && count < most_words;
         ++word)
      words[count++] = word;
  }
  std::sort(words.begin(), words.begin() + count);
  const auto end = std::unique(words.begin(), words.begin() + count);
  std::array<unsigned, lanes_of_warp> wanted{};
  unsigned most = 0;
  for (auto word = words.begin(); word != end; ++word) most = std::max(most, ++wanted[*word % banks]);
  return most;
}

}  // namespace

Banks banks_of(int major) {
  return major >= 2 ? Banks{32, 32} : Banks{16, 16};
}

SharedCost shared_cost(const Request& request, const Banks& banks) {
  // With wide accesses, fewer lanes fill all banks. The first devices always served half a warp at a time.
  const unsigned at_once = banks.count == 32 ? banks.lanes_at_once / words_of(request) : banks.lanes_at_once;
  SharedCost cost;
  each_group(request, at_once, [&](std::uint32_t lanes) {
    const unsigned turns = degree(request, lanes, banks.count);
    cost.wavefronts += turns;
    cost.conflicts += turns - 1;
  });
  return cost;
}

namespace {

constexpr std::uint64_t line_bytes = 128;

/// Returns the number of different units of `unit` bytes (sectors, lines, or single bytes) that the accesses touch.
/// Each access has `bytes` bytes.
template <std::uint64_t unit>
unsigned units_of(const Sorted& sorted, unsigned bytes) {
  unsigned units = 0;
  std::uint64_t next = 0;  // the first unit that is not counted yet
  for (unsigned i = 0; i < sorted.count; ++i) {
    const std::uint64_t first = std::max(sorted.address[i] / unit, next);
    const std::uint64_t end = (sorted.address[i] + bytes - 1) / unit + 1;
    if (end > first) units += static_cast<unsigned>(end - first);
    next = std::max(next, end);
  }
  return units;
}

}  // namespace

GlobalCost global_cost(const Request& request) {
  const Sorted sorted(request);
  GlobalCost cost;
  cost.sectors = units_of<sector_bytes>(sorted, request.bytes);
  cost.bytes = units_of<1>(sorted, request.bytes);
  each_group(request, lanes_of_warp / words_of(request), [&](std::uint32_t lanes) {
    cost.turns += lanes == request.lanes ? units_of<line_bytes>(sorted, request.bytes)
                                         : units_of<line_bytes>(Sorted(request, lanes), request.bytes);
  });
  return cost;
}

unsigned contended_turns(const Request& request) {
  const Sorted sorted(request);
  unsigned most = 0;
  for (unsigned i = 0, same = 0; i < sorted.count; ++i) {
    same = i > 0 && sorted.address[i] == sorted.address[i - 1] ? same + 1 : 0;
    most = std::max(most, same);
  }
  return most;
}

unsigned distinct_turns(const Request& request) {
  const Sorted sorted(request);
  unsigned different = 0;
  for (unsigned i = 1; i < sorted.count; ++i) different += sorted.address[i] != sorted.address[i - 1];
  return different;
}

}  // namespace cuemu::counters
