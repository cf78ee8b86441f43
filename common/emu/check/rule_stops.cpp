// Reports kernels that were stopped: by an assert, a trap, a division by zero, a stack overflow, the time
// limit, a call through a null function pointer, or an access that could not be suppressed. Also reports
// kernels that stopped at barriers. The runtime gives the reason in a sentence, with the location if a warp
// function was called.
#include <cstdlib>
#include <string>

#include "checker.hpp"
#include "naming.hpp"

namespace cuemu::check {

namespace {

class StopRule final : public RuleObserver {
 public:
  void kernel_stopped(const char* why) override;
  void kernel_faulted(const KernelFault& fault) override;
};

/// Splits a sentence such as "deadlock: who waits". The headline is the text before the first `;` or `:`, and
/// the hint is the rest.
void report(Finding& finding, const std::string& sentence) {
  const std::size_t more = sentence.find_first_of(";:");
  finding.headline = sentence.substr(0, more);
  if (more != sentence.npos) finding.hint = sentence.substr(more + 2);
}

/// Whether a thread that runs at a line may be waiting for another thread by plain reads of its loop
/// condition. Polling by `volatile` or atomic functions lets other threads run, and a livelock there is
/// reported separately.
bool may_poll_plainly(const Line& line) {
  if (!line.known()) return false;
  const auto& lines = source_lines(line.file);
  const auto number = static_cast<std::size_t>(line.line);
  return number <= lines.size() && has_word(without_comment(lines[number - 1]), "while");
}

void StopRule::kernel_stopped(const char* why) {
  const auto* const state = running_block();
  const std::string text = why;
  if (state == nullptr) return;
  Finding finding;
  finding.rule = Rule::barrier;
  finding.kernel = state->launch->kernel->info.name;
  // Messages about warp functions begin with the location of the call: "x.cu:12: lane 3 calls …".
  const std::size_t mark = text.find(": lane ");
  const std::size_t colon = mark != text.npos ? text.rfind(':', mark - 1) : text.npos;
  const Line here = cuemu::line_of(call_stack());
  if (colon != text.npos) {
    report(finding, text.substr(mark + 2));
    finding.parties = {{"waits", {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)}}};
  } else if (text.rfind("grid.sync()", 0) == 0) {
    report(finding, text);
    finding.parties = {party_here("wait for the grid: ", here)};
  } else if (text.rfind("livelock: ", 0) == 0) {
    report(finding,
           text.substr(10) +
               "; the thread that sets it must run at the same time, and write by an atomic function or "
               "volatile; a lock that is taken has to be released");
    finding.parties = {party_here("looks again and again: ", here)};
  } else if (text.rfind("an assertion failed", 0) == 0) {
    finding.rule = Rule::assertion;
    finding.headline = "an assertion of thread " + point(current_fiber->thread_index) + " failed";
    finding.parties = {party_here("assert by ", here)};
    finding.hint =
        "what it says is false for this thread: findings above may tell why, or print the values in it "
        "before it";
  } else {
    finding.rule = Rule::stopped;
    finding.headline = text;
    finding.parties = {party_here("stopped: ", here)};
    finding.hint = "the kernel ends here, and each call of CUDA after it gives an error";
  }
  Findings::get().add(std::move(finding), state->id());
}

void StopRule::kernel_faulted(const KernelFault& fault) {
  const auto* const state = running_block();
  if (state == nullptr) return;
  const bool calls_null =
      !fault.is_access && fault.is_known && fault.address < near_null && fault.code.front() < near_null;
  Line line;
  for (std::size_t i = 0; i < fault.code.size() && !line.known(); ++i) {
    const auto* const code = reinterpret_cast<const char*>(fault.code[i]) + 1;
    if (code_at(code) != Code::foreign) line = cuemu::line_of(code);
  }
  Finding finding;
  finding.kernel = state->launch->kernel->info.name;
  finding.rule = Rule::stopped;
  if (calls_null) {
    finding.rule = Rule::null_pointer;
    finding.headline = "a thread calls a function through a null pointer";
    finding.hint =
        "a function pointer for a kernel is the address of a __device__ function, taken in device code "
        "(in a __device__ variable, copied with cudaMemcpyFromSymbol): was it set?";
  } else if (turned_back(fault.address).kind == Unreachable::Kind::hosts_function) {
    finding.rule = Rule::host_pointer;
    finding.headline = "a thread calls a __device__ function at the address that host code took";
    finding.hint =
        "on a GPU the function has another address: take it in device code, as the value of a __device__ "
        "variable, and read that with cudaMemcpyFromSymbol; or pass an object with a __device__ operator()";
  } else if (fault.is_access && fault.is_known && fault.address < near_null) {
    finding.rule = Rule::null_pointer;
    finding.headline = "a thread accesses memory through a null pointer";
    finding.hint = "check that cudaMalloc succeeded, and that the right pointer is passed to the kernel";
  } else if (fault.is_access) {
    finding.rule = Rule::wild_pointer;
    finding.headline = fault.is_known ? "a thread accesses an address where no memory is"
                                      : "a thread makes an access that the processor refuses";
    finding.hint = "was the pointer set before it is used, and to memory of the device?";
  } else {
    finding.headline = fault.why;
    finding.hint =
        fault.is_time_limit && may_poll_plainly(line)
            ? "if this loop waits for another thread to write what it reads, that has to be volatile, or "
              "read by an atomic function: a compiler may read it once, before the loop, and wait "
              "forever"
            : "the kernel ends here, and each call of CUDA after it gives an error";
  }
  finding.parties = {party_here(finding.rule == Rule::stopped ? "stopped: " : "access by ", line)};
  // An access that was reported before the stop is not reported again.
  Findings::get().add(std::move(finding), state->id());
}

}  // namespace

RulePtr make_stop_rule() {
  return std::make_unique<StopRule>();
}

}  // namespace cuemu::check
