// Reports mistakes with the device's heap: accesses outside memory that malloc() or new gave to a kernel,
// accesses after free(), and double frees.
#include <string>
#include <utility>

#include "checker.hpp"
#include "loops.hpp"
#include "memory_map.hpp"
#include "naming.hpp"

namespace cuemu::check {

namespace {

class HeapRule final : public RuleObserver {
 public:
  explicit HeapRule(MemoryMap& map) : map_(map) {}
  void strayed(const Stray& stray) override;
  void heap_free_refused(const void* memory) override;

 private:
  MemoryMap& map_;
};

void HeapRule::strayed(const Stray& stray) {
  if (stray.where != Stray::Where::heap) return;
  std::uintptr_t begin = 0;
  const Region* const heap = map_.at(stray.address);
  const HeapPiece* const piece = heap->piece_at(stray.address, begin);
  const bool in_freed = piece != nullptr && piece->freed && stray.address - begin < piece->bytes;
  const Rule rule = in_freed ? Rule::use_after_free : Rule::out_of_bounds;
  Findings::get().add({static_cast<std::uint64_t>(rule), stray.site}, stray.block.id(), [&] {
    Finding finding;
    finding.rule = rule;
    finding.kernel = stray.block.launch->kernel->info.name;
    finding.parties = {party_now(stray.block, stray.kind, stray.site)};
    const std::string does = (stray.kind & writes) != 0 ? "writes " : "reads ";
    finding.headline = "a thread " + does + bytes_text(stray.size);
    if (piece == nullptr) {
      finding.headline += " of the device's heap that malloc() has not given to a kernel";
      return finding;
    }
    const std::uint64_t past = stray.address - begin;
    if (in_freed) {
      finding.headline += " of memory of malloc() or new after it was freed";
      finding.notes.push_back("freed" + at_line_of(piece->freed_at));
      finding.hint =
          "call free() or delete after the last access of any thread: a barrier before it lets the others "
          "end theirs";
    } else {
      finding.headline += (past > piece->bytes ? ", " + bytes_text(past - piece->bytes) + " past the end of "
                           : past == piece->bytes ? " just past the end of "
                                                  : " that reach past the end of ") +
                          std::string("what malloc() or new gave");
      const std::string text = text_of(line_of(piece->made_at));
      finding.hint =
          has_word(text, "new") && !has_word(text, "malloc")
              ? "the elements of `new T[count]` have the indices 0 to count - 1: is that so for every thread?"
              : "malloc() counts bytes, not elements: count * sizeof(type). If that is right, is the index "
                "below count for every thread?";
    }
    finding.notes.push_back("malloc() or new gave " + bytes_text(piece->bytes) + at_line_of(piece->made_at) +
                            (piece->bytes % stray.size == 0 && piece->bytes > stray.size
                                 ? ": " + grouped(piece->bytes / stray.size) + " elements of this size"
                                 : ""));
    return finding;
  });
}

void HeapRule::heap_free_refused(const void* memory) {
  const BlockState* const state = running_block();
  const Line line = cuemu::line_of(call_stack());
  if (state == nullptr || !line.known()) return;
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  std::uintptr_t begin = 0;
  const Region* const region = map_.at(address);
  const HeapPiece* const piece =
      region != nullptr && region->is_heap ? region->piece_at(address, begin) : nullptr;
  Finding finding;
  finding.rule = Rule::bad_free;
  finding.kernel = state->launch->kernel->info.name;
  finding.parties = {party_here("free() by ", line)};
  if (piece != nullptr && piece->freed && address == begin) {
    finding.headline = "memory of malloc() or new is freed a second time";
    finding.notes.push_back("freed before" + at_line_of(piece->freed_at));
    finding.hint = "let one thread free it, once: the one that got it, or thread 0 after a barrier";
  } else if (piece != nullptr && !piece->freed && address - begin < piece->bytes) {
    finding.headline =
        "the address that is freed lies " + bytes_text(address - begin) + " into what malloc() or new gave";
    finding.hint = "free the pointer that malloc() returned, and count with another one";
  } else {
    finding.headline = "a kernel frees memory that neither malloc() nor new gave to a kernel";
    finding.hint = "what the host allocates the host frees: cudaFree() for memory of cudaMalloc()";
  }
  Findings::get().add(std::move(finding), 0);
}

}  // namespace

RulePtr make_heap_rule(MemoryMap& map) {
  return std::make_unique<HeapRule>(map);
}

}  // namespace cuemu::check
