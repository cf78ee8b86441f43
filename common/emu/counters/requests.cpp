#include "requests.hpp"

#include <algorithm>

namespace cuemu::counters {

namespace {

/// The lanes' addresses, sorted.
struct Sorted {
  explicit Sorted(const Request& request) {
    for (std::uint32_t rest = request.lanes; rest != 0; rest &= rest - 1)
      address[count++] = request.address[static_cast<unsigned>(__builtin_ctz(rest))];
    if (!std::is_sorted(address.begin(), address.begin() + count))
      std::sort(address.begin(), address.begin() + count);
  }
  std::array<std::uint64_t, lanes_of_warp> address{};
  unsigned count = 0;
};

/// The maximum number of different words in one bank that a group of lanes accesses.
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
  // Wide accesses fill the banks with fewer lanes; the first devices always served half a warp.
  const unsigned words = std::max(1u, request.bytes / 4);
  const unsigned together = banks.count == 32 ? banks.lanes_at_once / words : banks.lanes_at_once;
  const std::uint32_t group = together >= 32 ? ~0u : (1u << together) - 1;
  SharedCost cost;
  for (unsigned first = 0; first < lanes_of_warp; first += together) {
    const std::uint32_t lanes = request.lanes & group << first;
    if (lanes == 0) continue;
    const unsigned turns = degree(request, lanes, banks.count);
    cost.wavefronts += turns;
    cost.conflicts += turns - 1;
  }
  return cost;
}

namespace {

constexpr std::uint64_t line_bytes = 128;

/// The different lines of the L1 cache that some lanes touch.
unsigned lines_of(const Request& request, std::uint32_t lanes) {
  std::array<std::uint64_t, 2 * lanes_of_warp> touched{};
  unsigned count = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t begin = request.address[static_cast<unsigned>(__builtin_ctz(rest))];
    touched[count++] = begin / line_bytes;
    touched[count++] = (begin + request.bytes - 1) / line_bytes;
  }
  std::sort(touched.begin(), touched.begin() + count);
  return static_cast<unsigned>(std::unique(touched.begin(), touched.begin() + count) - touched.begin());
}

}  // namespace

GlobalCost global_cost(const Request& request) {
  const Sorted sorted(request);
  GlobalCost cost;
  const unsigned together = lanes_of_warp / std::max(1u, request.bytes / 4);
  const std::uint32_t group = together >= 32 ? ~0u : (1u << together) - 1;
  for (unsigned first = 0; first < lanes_of_warp; first += together)
    cost.turns += lines_of(request, request.lanes & group << first);
  std::uint64_t next_sector = 0;  // the first sector not counted yet
  std::uint64_t next_byte = 0;
  for (unsigned i = 0; i < sorted.count; ++i) {
    const std::uint64_t begin = sorted.address[i];
    const std::uint64_t end = begin + request.bytes;
    const std::uint64_t first = std::max(begin / sector_bytes, next_sector);
    const std::uint64_t behind = (end - 1) / sector_bytes + 1;
    if (behind > first) cost.sectors += static_cast<unsigned>(behind - first);
    if (end > next_byte) cost.bytes += static_cast<unsigned>(end - std::max(begin, next_byte));
    next_sector = std::max(next_sector, behind);
    next_byte = std::max(next_byte, end);
  }
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
