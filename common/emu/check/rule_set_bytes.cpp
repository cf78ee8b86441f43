// Reports a cudaMemset whose value was meant for elements. The function sets bytes, so integers can only get
// 0, -1 and a few other useful values.
//
// A value that exceeds a byte is reported at once. A small value is reported when a kernel reads elements
// that have it; then the rule stops checking accesses. Larger bytes are assumed to be deliberate: 0x3f and
// 0x7f make large numbers, and 0xff makes NaNs.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <vector>

#include "checker.hpp"
#include "naming.hpp"

namespace cuemu::check {

namespace {

class SetBytesRule final : public RuleObserver {
 public:
  bool wants_accesses() const override { return true; }
  bool wants_every_access(BlockView) const override { return watched_.load(std::memory_order_relaxed); }
  void fill_asked(const FillView& fill, int value) override;
  void filled(const FillView& fill) override;
  void copied(const CopyView& copy) override { forget(copy.to.at, copy.box.bytes()); }
  void freed(const Allocation& memory) override {
    forget(reinterpret_cast<const void*>(memory.begin), memory.bytes);
  }
  void accessed(const Access& access) override;

 private:
  /// A range of bytes that were set to one small value.
  struct Set {
    std::uintptr_t begin, end;
    unsigned char value;
    std::uint32_t asked_at;
  };
  void forget(const void* begin, std::size_t bytes);
  void report(const Access& access, const Set& set);

  std::mutex mutex_;
  std::vector<Set> sets_;
  std::atomic<bool> watched_{false};       ///< `sets_` is not empty
  const void* reported_target_ = nullptr;  ///< target of a call with too large a value
};

/// The value of an element whose bytes are all equal to `byte`: "0x01010101".
std::string repeated(unsigned char byte, std::size_t size) {
  std::string text = "0x";
  char digits[3];
  std::snprintf(digits, sizeof digits, "%02x", byte);
  while (size-- > 0) text += digits;
  return text;
}

const char* const set_bytes_hint =
    "cudaMemset sets bytes: the only integers that it makes of whole elements are 0 and -1. For another "
    "value let a "
    "kernel store it, or copy an array of it from the host";

void SetBytesRule::fill_asked(const FillView& fill, int value) {
  if (value >= -128 && value <= 255) return;
  const Line line = line_of(call_stack());
  if (!line.known()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    reported_target_ = fill.to.at;
  }
  Finding finding;
  finding.rule = Rule::set_bytes;
  finding.parties = {{"set", line}};
  finding.headline = "cudaMemset sets bytes, and " + std::to_string(value) +
                     " is none: of its low 8 bits each element of 4 bytes becomes " +
                     repeated(static_cast<unsigned char>(value), 4);
  finding.hint = set_bytes_hint;
  Findings::get().add(std::move(finding), 0);
}

void SetBytesRule::filled(const FillView& fill) {
  forget(fill.to.at, fill.box.bytes());
  constexpr unsigned first_pattern = 0x3f;
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool reported = reported_target_ == fill.to.at;
  reported_target_ = nullptr;
  if (reported || fill.element != 1 || fill.value == 0 || fill.value >= first_pattern) return;
  constexpr std::size_t most = 4096;  // rows, or sets that are never read
  for (std::size_t z = 0; z < fill.box.depth; ++z)
    for (std::size_t y = 0; y < fill.box.height && sets_.size() < most; ++y) {
      const auto begin = reinterpret_cast<std::uintptr_t>(fill.to.at) + z * fill.to.slice + y * fill.to.row;
      sets_.push_back({begin, begin + fill.box.width, static_cast<unsigned char>(fill.value), fill.asked_at});
    }
  watched_ = !sets_.empty();
}

void SetBytesRule::forget(const void* memory, std::size_t bytes) {
  if (!watched_) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), end = begin + bytes;
  const std::lock_guard<std::mutex> lock(mutex_);
  sets_.erase(std::remove_if(sets_.begin(), sets_.end(),
                             [&](const Set& set) { return set.begin < end && begin < set.end; }),
              sets_.end());
  watched_ = !sets_.empty();
}

void SetBytesRule::accessed(const Access& access) {
  if (!watched_.load(std::memory_order_relaxed) || access.in_shared) return;
  if ((access.kind & writes) != 0 && (access.kind & keeps_old) == 0) return;
  if (access.size != 4 && access.size != 8) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto set = std::find_if(sets_.begin(), sets_.end(), [&](const Set& each) {
    return each.begin <= access.address && access.address + access.size <= each.end;
  });
  if (set == sets_.end()) return;
  unsigned char there[8], expected[8];
  std::memcpy(there, reinterpret_cast<const void*>(access.address), access.size);
  std::memset(expected, set->value, access.size);
  if (std::memcmp(there, expected, access.size) != 0) return;  // a kernel has written here since
  report(access, *set);
  const std::uint32_t asked_at = set->asked_at;
  sets_.erase(
      std::remove_if(sets_.begin(), sets_.end(), [&](const Set& each) { return each.asked_at == asked_at; }),
      sets_.end());
  watched_ = !sets_.empty();
}

void SetBytesRule::report(const Access& access, const Set& set) {
  const Line line = line_of_place(set.asked_at);
  if (!line.known()) return;
  const BlockState& state = access.block;
  Finding finding;
  finding.rule = Rule::set_bytes;
  finding.kernel = state.launch->kernel->info.name;
  const std::string element = element_name(state, access.region, access.address, access.size, finding);
  finding.headline = element + " is " + repeated(set.value, access.size) +
                     (access.size == 4 ? ", the int " + grouped(set.value * 0x01010101u) : "") +
                     ": cudaMemset has set each of its bytes to " + std::to_string(set.value);
  finding.parties = {{"set", line}, party_now(state, access.kind, access.site)};
  finding.hint = set_bytes_hint;
  Findings::get().add(std::move(finding), state.id());
}

}  // namespace

RulePtr make_set_bytes_rule() {
  return std::make_unique<SetBytesRule>();
}

}  // namespace cuemu::check
