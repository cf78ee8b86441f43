#include "trace_log.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <tuple>
#include <utility>

#include "lockstep.hpp"

namespace cuemu::check {

namespace {

constexpr std::size_t hashes = 256;

std::size_t hash_of(const DeedKind& kind) {
  return (kind.site * 31u + kind.array * 7u + kind.place + static_cast<std::size_t>(kind.does) * 3u) % hashes;
}

/// A key by which kinds of steps are sorted. Lanes act together if they access one array in the same way,
/// from one place in the code.
auto order_of(const DeedKind& kind) {
  return std::make_tuple(kind.site, kind.place, kind.array, kind.does, kind.size);
}

template <class Number>
void append(std::string& text, Number number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_hex(std::string& text, const unsigned char* bytes, std::size_t count) {
  static const char digits[] = "0123456789abcdef";
  char hex[32];
  for (std::size_t i = 0; i < count; ++i) {
    hex[2 * i] = digits[bytes[i] >> 4];
    hex[2 * i + 1] = digits[bytes[i] & 15u];
  }
  text.append(hex, 2 * count);
}

}  // namespace

void TraceLog::begin(std::size_t threads) {
  deeds_.clear();
  last_.assign(threads, 0);
  kinds_.clear();
  ranks_.clear();
  by_hash_.assign(hashes, 0);
}

void TraceLog::clear() {
  deeds_.clear();
  std::fill(last_.begin(), last_.end(), 0u);
}

std::uint32_t TraceLog::number_of(const DeedKind& kind) {
  std::uint32_t& guess = by_hash_[hash_of(kind)];
  if (guess != 0 && kinds_[guess - 1] == kind) return guess - 1;
  const auto known = std::find(kinds_.begin(), kinds_.end(), kind);
  guess = static_cast<std::uint32_t>(known - kinds_.begin()) + 1;
  if (known == kinds_.end()) kinds_.push_back(kind);
  return guess - 1;
}

void TraceLog::add(std::uint32_t thread, const DeedKind& kind, std::int64_t at, std::uintptr_t address) {
  Deed& deed = deeds_.emplace_back();
  deed.at = at;
  deed.kind = number_of(kind);
  deed.thread = thread;
  last_[thread] = static_cast<std::uint32_t>(deeds_.size());
  if (!kind.strays && kind.size != 0) renew(deeds_.size() - 1, address);
}

void TraceLog::renew(std::size_t position, std::uintptr_t address) {
  Deed& deed = deeds_[position];
  const void* const from = reinterpret_cast<const void*>(address);
  const std::uint32_t size = kinds_[deed.kind].size;
  if (size == 4)
    std::memcpy(deed.value.data(), from, 4);
  else
    std::memcpy(deed.value.data(), from, std::min<std::size_t>(size, deed.value.size()));
}

const Deed* TraceLog::last_of(std::uint32_t thread) const {
  return last_[thread] != 0 ? &deeds_[last_[thread] - 1] : nullptr;
}

void TraceLog::drop_last_of(std::uint32_t thread) {
  if (last_[thread] == deeds_.size())
    deeds_.pop_back();
  else
    deeds_[last_[thread] - 1].thread = Deed::none;
  last_[thread] = 0;
}

/// Numbers the kinds in the order of the code, which does not depend on the order in which lanes arrive.
void TraceLog::rank_kinds() {
  if (ranks_.size() == kinds_.size()) return;
  std::vector<std::uint32_t> order(kinds_.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return order_of(kinds_[a]) < order_of(kinds_[b]);
  };
  std::sort(order.begin(), order.end(), before);
  ranks_.resize(kinds_.size());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && before(order[i - 1], order[i])) ++rank;
    ranks_[order[i]] = rank;
  }
}

bool TraceLog::write_to(std::string& text, const std::function<bool(std::size_t)>& has_room) {
  rank_kinds();
  // Groups the deeds by thread.
  std::vector<std::uint32_t> begin(threads() + 1);
  for (const Deed& deed : deeds_)
    if (deed.thread != Deed::none) ++begin[deed.thread + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> sorted(begin.back());
  {
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < deeds_.size(); ++i)
      if (deeds_[i].thread != Deed::none) sorted[next[deeds_[i].thread]++] = static_cast<std::uint32_t>(i);
  }
  bool is_first = true;
  std::size_t written = 0;
  std::vector<std::vector<std::uint32_t>> lanes;
  for (std::size_t first = 0; first < threads(); first += warp_width) {
    const std::size_t count = std::min<std::size_t>(warp_width, threads() - first);
    lanes.resize(count);
    for (std::size_t lane = 0; lane < count; ++lane) {
      lanes[lane].clear();
      for (std::uint32_t i = begin[first + lane]; i < begin[first + lane + 1]; ++i)
        lanes[lane].push_back(ranks_[deeds_[sorted[i]].kind]);
    }
    for (const LockStep& step : in_lockstep(lanes)) {
      if (!has_room(std::exchange(written, 0))) return false;
      std::uint32_t deeds[warp_width];
      std::size_t i = 0;
      for (std::uint32_t rest = step.lanes; rest != 0; rest &= rest - 1, ++i)
        deeds[i] = sorted[begin[first + static_cast<std::size_t>(__builtin_ctz(rest))] + step.positions[i]];
      const std::size_t before = text.size();
      if (!is_first) text += ',';
      is_first = false;
      write_step(text, first / warp_width, step.lanes, deeds);
      written = text.size() - before;
    }
  }
  has_room(written);
  return true;
}

void TraceLog::write_step(std::string& text, std::size_t warp, std::uint32_t lanes,
                          const std::uint32_t* deeds) const {
  const DeedKind& kind = kinds_[deeds_[deeds[0]].kind];
  text += '[';
  append(text, warp);
  for (const std::uint32_t number : {kind.place, kind.array, static_cast<std::uint32_t>(kind.does), lanes}) {
    text += ',';
    append(text, number);
  }
  if (kind.site == 0) {
    text += ']';
    return;
  }
  text += ',';
  append(text, kind.size);
  text += ",[";
  const auto count = static_cast<std::size_t>(__builtin_popcount(lanes));
  const auto at = [&](std::size_t i) { return deeds_[deeds[i]].at; };
  const std::int64_t way = count > 1 ? at(1) - at(0) : 0;
  bool even = count > 2;
  for (std::size_t i = 1; i < count && even; ++i) even = at(i) - at(i - 1) == way;
  append(text, at(0));
  if (even) {
    text += ',';
    append(text, way);
  } else {
    for (std::size_t i = 1; i < count; ++i) {
      text += ',';
      append(text, at(i));
    }
  }
  text += even ? "],1,\"" : "],0,\"";
  const std::size_t bytes = std::min<std::size_t>(kind.size, Deed().value.size());
  bool same = true;
  for (std::size_t i = 1; i < count && same; ++i)
    same = deeds_[deeds[i]].value == deeds_[deeds[0]].value &&
           kinds_[deeds_[deeds[i]].kind].strays == kind.strays;
  for (std::size_t i = 0; i < (same ? 1 : count); ++i) {
    const Deed& deed = deeds_[deeds[i]];
    if (kinds_[deed.kind].strays)
      text.append(2 * bytes, 'x');
    else
      append_hex(text, deed.value.data(), bytes);
  }
  text += "\"]";
}

std::string ranges_text(std::vector<std::uint32_t> threads) {
  std::sort(threads.begin(), threads.end());
  std::string text = "[";
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t end = i + 1;
    while (end < threads.size() && threads[end] == threads[end - 1] + 1) ++end;
    text +=
        (text.size() > 1 ? "," : "") + std::to_string(threads[i]) + "," + std::to_string(threads[end - 1]);
    i = end;
  }
  return text + "]";
}

}  // namespace cuemu::check
