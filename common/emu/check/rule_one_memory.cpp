// Reports kernels with two `extern __shared__` arrays, which begin at the same address, when a value that was
// written by one name is read by the other.
#include <algorithm>
#include <map>

#include "checker.hpp"
#include "naming.hpp"

namespace cuemu::check {

namespace {

class OneMemoryRule final : public RuleObserver {
 public:
  bool wants_accesses() const override { return true; }
  bool wants_every_access(BlockView block) const override {
    return has_several(*block.data<BlockState>(checker_slot));
  }
  void accessed(const Access& access) override;

 private:
  /// Whether the kernel has memory for dynamic arrays, and its file declares several. Every access needs the
  /// answer, so it is kept for successive blocks of one kernel.
  bool has_several(const BlockState& state) const;
  /// Returns the array that an access names; empty if it names none, or if the name is unknown.
  const std::string& name_at(Site site, bool read);

  std::map<Site, std::string> names_;
  mutable const Kernel* kernel_ = nullptr;  ///< the kernel for which several_ is valid
  mutable bool several_ = false;
};

bool OneMemoryRule::has_several(const BlockState& state) const {
  if (state.launch->dynamic_shared == 0) return false;
  if (kernel_ != state.launch->kernel) {
    kernel_ = state.launch->kernel;
    several_ = dynamic_arrays(state).size() > 1;
  }
  return several_;
}

const std::string& OneMemoryRule::name_at(Site site, bool read) {
  const auto [known, is_new] = names_.try_emplace(site);
  if (!is_new) return known->second;
  const Line line = line_of(address_of(site));
  const std::string& text = raw_text(line);
  const Span part = accessed_part(text, line.column, "", "", read);
  if (!part.known()) return known->second;
  const auto begin = static_cast<std::size_t>(part.begin) - 1;
  std::size_t end = begin;
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string name = text.substr(begin, end - begin);
  const auto& arrays = dynamic_arrays_in(line.file);
  if (std::find(arrays.begin(), arrays.end(), name) != arrays.end()) known->second = name;
  return known->second;
}

void OneMemoryRule::accessed(const Access& access) {
  const BlockState& state = access.block;
  if (!access.in_shared || access.address < access.home.dynamic_begin) return;
  if ((access.kind & writes) != 0 && (access.kind & keeps_old) == 0) return;
  if (access.cells[0].write.empty() || !has_several(state)) return;
  const Stamp last = access.cells[0].write.stamp();
  const std::string& name = name_at(access.site, true);
  const std::string& other = name_at(last.site, false);
  if (name.empty() || other.empty() || name == other) return;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::one_memory), access.site, last.site}, state.id(), [&] {
        const std::string index =
            "[" + std::to_string((access.address - access.home.dynamic_begin) / access.size) + "]";
        Finding finding;
        finding.rule = Rule::one_memory;
        finding.kernel = state.launch->kernel->info.name;
        finding.array = name;
        finding.headline = "a thread reads " + name + index + ", but the value there was written to " +
                           other + ": both arrays are the same memory";
        finding.parties = {party(state, writes, last.site, last.thread, last.block, true),
                           party_now(state, access.kind, access.site)};
        finding.hint =
            "all extern __shared__ arrays of a kernel begin at the same address: declare one of them, let a "
            "pointer to its later elements be the other, and launch with the bytes of both";
        return finding;
      });
}

}  // namespace

RulePtr make_one_memory_rule() {
  return std::make_unique<OneMemoryRule>();
}

}  // namespace cuemu::check
