// Barriers: threads of a block that meet at different ones, or wait for others that never come.
#include <algorithm>
#include <cstdlib>

#include "checker.hpp"
#include "launch_state.hpp"
#include "naming.hpp"
#include "report.hpp"
#include "worker.hpp"

namespace cuemu::check {

namespace {

Line line_of(const SourceLine& where) {
  return where.file != nullptr ? Line{where.file, where.line} : Line{};
}

class BarrierRule final : public RuleObserver {
 public:
  void block_synchronised(Block& block) override;
  void block_deadlocked(Block& block) override;
  void kernel_stopped(const char* why) override;
};

void BarrierRule::block_synchronised(Block& block) {
  auto& state = *static_cast<BlockState*>(block.observed);
  const Fiber* const first = block.barrier.waiting.head;
  const Fiber* other = nullptr;
  for (const Fiber* fiber = first; fiber != nullptr && other == nullptr; fiber = fiber->next)
    if (fiber->where.line != first->where.line) other = fiber;
  if (other != nullptr) {
    Findings::get().add(
        {static_cast<std::uint64_t>(Rule::barrier), static_cast<std::uint64_t>(first->where.line),
         static_cast<std::uint64_t>(other->where.line)},
        state.id(), [&] {
          Finding finding;
          finding.rule = Rule::barrier;
          finding.kernel = state.launch->kernel->info.name;
          finding.headline = "threads of block " + point(block.block_index) + " meet at different barriers";
          for (const Fiber* fiber : {first, other})
            finding.parties.push_back({"waits: thread " + point(fiber->thread_index), line_of(fiber->where)});
          finding.hint =
              "__syncthreads() in a branch is allowed only where all threads of the block take the "
              "same branch: move it out of the if";
          return finding;
        });
  }
}

void BarrierRule::block_deadlocked(Block& block) {
  const auto& state = *static_cast<BlockState*>(block.observed);
  Finding finding;
  finding.rule = Rule::barrier;
  finding.kernel = state.launch->kernel->info.name;
  finding.headline = "threads of block " + point(block.block_index) + " wait for others that never come";
  std::string waiting = describe_waiting(block);
  for (std::size_t at = 0; at < waiting.size();) {
    const std::size_t end = std::min(waiting.find('\n', at), waiting.size());
    const std::size_t begin = std::min(waiting.find_first_not_of(' ', at), end);
    finding.notes.push_back(waiting.substr(begin, end - begin));
    at = end + 1;
  }
  const Fiber* first = block.barrier.waiting.head;
  for (unsigned warp = 0; first == nullptr && warp * warp_width < block.thread_count; ++warp)
    if (block.warps[warp].arrived != 0)
      first = block.warps[warp].waiting[__builtin_ctz(block.warps[warp].arrived)];
  if (first != nullptr)
    finding.parties = {{"waits: thread " + point(first->thread_index), line_of(first->where)}};
  finding.hint =
      "a barrier needs every thread that it names: put it where all of them come, outside of branches "
      "and loops that only some of them take";
  Findings::get().add(std::move(finding), state.id());
}

void BarrierRule::kernel_stopped(const char* why) {
  const auto* const state = static_cast<const BlockState*>(current_fiber->block->observed);
  const std::string text = why;
  // Messages on warp functions begin with their place: "x.cu:12: lane 3 calls …".
  const std::size_t mark = text.find(": lane ");
  const std::size_t colon = mark != text.npos ? text.rfind(':', mark - 1) : text.npos;
  if (state == nullptr || colon == text.npos) return;
  Finding finding;
  finding.rule = Rule::barrier;
  finding.kernel = state->launch->kernel->info.name;
  const std::string sentence = text.substr(mark + 2);
  finding.headline = sentence.substr(0, sentence.find_first_of(";:"));
  finding.parties = {{"call", {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)}}};
  const std::size_t more = sentence.find_first_of(";:");
  if (more != sentence.npos) finding.hint = sentence.substr(more + 2);
  Findings::get().add(std::move(finding), state->id());
}

}  // namespace

RulePtr make_barrier_rule() {
  return std::make_unique<BarrierRule>();
}

}  // namespace cuemu::check
