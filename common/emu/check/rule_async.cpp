// Reports data of asynchronous copies into shared memory that is used before the copying thread has waited.
// In the emulation a copy is complete when the call returns. So the program's result is always right here,
// but on a GPU only sometimes.
//
// Waits follow PTX: a thread commits a batch of copies, then waits for all its batches except the latest few.
// This rule ignores copies that complete on a barrier object, since that object orders them.
#include <algorithm>
#include <deque>
#include <map>

#include "checker.hpp"
#include "naming.hpp"

namespace cuemu::check {

namespace {

class AsyncRule final : public RuleObserver {
 public:
  bool wants_accesses() const override { return true; }
  void copied_asynchronously(const AsyncCopy& copy) override;
  void async_committed(BlockView block) override { ++blocks_[block].copiers[current_fiber->linear].batch; }
  void async_waited(BlockView block, std::size_t prior) override;
  void accessed(const Access& access) override;
  void block_ends(BlockView block) override { blocks_.erase(block); }
  void block_abandoned(BlockView block) override { blocks_.erase(block); }

 private:
  struct Pending {
    std::uintptr_t end;
    unsigned thread;
    std::uint64_t batch;  ///< the batch's number; committed when the thread's current number is greater
    Site site;
  };
  using ByBegin = std::multimap<std::uintptr_t, Pending>;
  struct Copier {
    std::uint64_t batch = 0;                ///< the batch of the next copy
    std::deque<ByBegin::iterator> pending;  ///< in the order of their batches
  };
  struct Copies {
    std::map<unsigned, Copier> copiers;  ///< by thread
    ByBegin pending;                     ///< thousands at a time, and each access searches them
    std::size_t longest = 0;             ///< bytes of a copy
  };
  void report(const Access& access, const Pending& copy, bool ended);

  std::map<BlockView, Copies> blocks_;
};

void AsyncRule::copied_asynchronously(const AsyncCopy& copy) {
  const bool in_shared = copy.address - copy.block.arena->begin < copy.block.arena->bytes;
  if (!in_shared || copy.size == 0 || copy.site == 0) return;  // a GPU copies to other memory at once
  Copies& copies = blocks_[this_block()];
  Copier& copier = copies.copiers[copy.thread];
  copier.pending.push_back(copies.pending.emplace(
      copy.address, Pending{copy.address + copy.size, copy.thread, copier.batch, copy.site}));
  copies.longest = std::max(copies.longest, copy.size);
}

void AsyncRule::async_waited(BlockView block, std::size_t prior) {
  Copies& copies = blocks_[block];
  Copier& copier = copies.copiers[current_fiber->linear];
  while (!copier.pending.empty() && copier.pending.front()->second.batch + prior < copier.batch) {
    copies.pending.erase(copier.pending.front());
    copier.pending.pop_front();
  }
}

void AsyncRule::accessed(const Access& access) {
  if (!access.in_shared || blocks_.empty()) return;
  const auto found = blocks_.find(this_block());
  if (found == blocks_.end()) return;
  const Copies& copies = found->second;
  const std::uintptr_t begin = access.address, end = begin + access.size;
  auto copy = copies.pending.lower_bound(begin - std::min(begin, copies.longest));
  for (; copy != copies.pending.end() && copy->first < end; ++copy) {
    const Pending& pending = copy->second;
    if (pending.end <= begin) continue;
    // A write by the copying thread is its next copy. If it comes too early, the rule reports the threads
    // that read the previous copy.
    if ((access.kind & writes) != 0 && pending.thread == access.thread) continue;
    return report(access, pending, pending.batch < copies.copiers.find(pending.thread)->second.batch);
  }
}

void AsyncRule::report(const Access& access, const Pending& copy, bool ended) {
  const BlockState& state = access.block;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::async_copy), access.site, copy.site,
       array_key(state, access.region, access.address)},
      state.id(), [&] {
        Finding finding;
        finding.rule = Rule::async_copy;
        finding.missing = {Lack::copy_wait, Group::thread, {}};
        finding.kernel = state.launch->kernel->info.name;
        const std::string element = element_name(state, access.region, access.address, access.size, finding);
        const std::string copier = "thread " + point(state.launch->block, copy.thread);
        const bool own = copy.thread == access.thread;
        finding.headline = (own ? copier : "thread " + point(state.launch->block, access.thread)) +
                           ((access.kind & writes) != 0 ? " writes " : " reads ") + element + ", which " +
                           (own ? "it" : copier) + " copies asynchronously and has not waited for";
        finding.parties = {party(state, writes, copy.site, copy.thread, state.clocks.block, true),
                           party_now(state, access.kind, access.site)};
        finding.parties.front().what =
            "asynchronous copy by " + copier + " of block " + point(state.launch->grid, state.clocks.block);
        finding.hint =
            ended ? "each thread waits for its own copies, then __syncthreads() lets the others see them: "
                    "__pipeline_wait_prior(n) leaves the latest n batches under way, so n counts only "
                    "batches that "
                    "are not used yet (cg::wait(block) does both; PTX: cp.async.wait_group)"
                  : "a wait is for batches that have ended: __pipeline_commit() after the copies, then "
                    "__pipeline_wait_prior() (PTX: cp.async.commit_group, cp.async.wait_group)";
        return finding;
      });
}

}  // namespace

RulePtr make_async_rule() {
  return std::make_unique<AsyncRule>();
}

}  // namespace cuemu::check
