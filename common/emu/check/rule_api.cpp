// Reports refused launches, and calls whose errors were never read.
#include <array>
#include <cctype>
#include <mutex>
#include <utility>

#include "checker.hpp"
#include "cuda_runtime_api.h"
#include "memory_map.hpp"
#include "naming.hpp"
#include "pointer_names.hpp"
#include "services.hpp"

namespace cuemu::check {

namespace {

/// The place of the calling thread's last call whose error another rule has reported.
thread_local const void* reported_at = nullptr;

class ApiRule final : public RuleObserver {
  struct Refused {
    std::string kernel;
    cudaError_t error;
    std::string why;
    std::vector<void*> stack;
    dim3 grid, block;
    std::uint64_t time;
  };

 public:
  void launch_refused(const LaunchView& launch, cudaError_t error, const std::string& why) override;
  void copy_refused(const CopyView&, cudaError_t) override { leave_to_others(); }
  void fill_refused(const FillView&, cudaError_t) override { leave_to_others(); }
  void free_refused(const void*) override { leave_to_others(); }
  void error_returned(cudaError_t error) override;
  void error_asked() override;
  void program_ends() override;

 private:
  void report_failed();
  void report_refused(const Refused& refused);
  static void leave_to_others();

  std::mutex mutex_;
  struct Failed {
    std::string call;
    cudaError_t error;
    Line line;
    std::uint64_t time;
    std::size_t refused_bytes;  ///< the size of a refused allocation; else 0
  };
  std::vector<Failed> failed_;    ///< calls with an ignored result, since the host last read the error
  std::vector<Refused> refused_;  ///< launches since the host last read the error
};

void ApiRule::launch_refused(const LaunchView& launch, cudaError_t error, const std::string& why) {
  const std::lock_guard<std::mutex> lock(mutex_);
  refused_.push_back(
      {launch.kernel->info.name, error, why, call_stack(), launch.grid, launch.block, Findings::get().now()});
}

void ApiRule::leave_to_others() {
  reported_at = users_address(call_stack());
}

void ApiRule::error_asked() {
  const std::lock_guard<std::mutex> lock(mutex_);
  refused_.clear();
  failed_.clear();
}

/// Returns the call whose result a line ignores: "cudaMalloc" for `cudaMalloc(&p, bytes);`. Empty if the line
/// uses the result or can't be read.
std::string dropped_call(const Line& line) {
  const std::string text = text_of(line);
  const std::string call = text_of_call(line, "cuda");
  const std::size_t begin = text.find(call);
  if (call.empty() || begin == text.npos) return "";
  const std::size_t before = begin != 0 ? text.find_last_not_of(' ', begin - 1) : text.npos;
  if (before != text.npos && std::string(";{}").find(text[before]) == text.npos) return "";
  return call.substr(0, call.find_first_of(" ("));
}

void ApiRule::error_returned(cudaError_t error) {
  // Other rules report a kernel's errors, and cudaErrorNotReady is no error.
  if (error >= cudaErrorIllegalAddress || error == cudaErrorNotReady) return;
  const std::vector<void*> stack = call_stack();
  const void* const reported = std::exchange(reported_at, nullptr);
  if (reported != nullptr && reported == users_address(stack)) return;
  const Line line = line_of(stack);
  if (!line.known()) return;
  const std::string call = dropped_call(line);
  if (call.empty()) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (failed_.empty() || !(failed_.back().line == line))
    failed_.push_back({call, error, line, Findings::get().now(),
                       error == cudaErrorMemoryAllocation ? refused_allocation() : 0});
}

/// Returns the symbol in a call's arguments: "&c" for `cudaMemcpyToSymbol(&c, …)`; empty if it is unknown.
std::string symbol_in(const std::string& call, const Line& line) {
  const std::string text = text_of_call(line, call);
  const bool is_first = call.rfind("cudaMemcpyToSymbol", 0) == 0;
  const std::size_t open = text.find(is_first ? '(' : ',');
  if (open == text.npos) return "";
  const std::size_t begin = text.find_first_not_of(' ', open + 1);
  const std::size_t end = text.find_first_of(",)", open + 1);
  return begin != text.npos && end != text.npos && begin < end ? text.substr(begin, end - begin) : "";
}

/// A size of at least this number is a negative number that was converted to unsigned.
constexpr std::size_t first_negative = std::size_t{1} << 63;

std::string hint_of_failed(const std::string& call, cudaError_t error, const Line& line, std::size_t bytes) {
  if (bytes >= first_negative)
    return "the call asks for " + grouped(bytes) +
           " bytes: is a number negative, or a product of ints too large for an int? Let a size_t be its "
           "first "
           "factor: (size_t)n * n";
  if (const std::string hint = hint_without_address(line); error == cudaErrorInvalidValue && !hint.empty())
    return hint;
  if (error != cudaErrorInvalidSymbol)
    return "check what every call returns: results after the first failure mean nothing";
  const std::string symbol = symbol_in(call, line);
  const std::string is = "a symbol is the __device__ or __constant__ variable itself";
  if (symbol.size() > 1 && symbol[0] == '&')
    return is + ", not its address: write " + symbol.substr(1) + " in place of " + symbol;
  if (symbol.size() > 2 && symbol[0] == '"')
    return is + ", not its name as a text: write it without the quotes";
  return is + ", by the name of its declaration: is it one?";
}

/// Reports only the first failed call, since later calls may have failed because of it.
void ApiRule::report_failed() {
  if (failed_.empty()) return;
  const Failed& first = failed_.front();
  Finding finding;
  finding.rule = Rule::unchecked;
  finding.time = first.time;
  finding.headline = first.call + " failed (" + cudaGetErrorName(first.error) + ": " +
                     cudaGetErrorString(first.error) + "), and the program did not check";
  finding.parties = {{"call", first.line}};
  constexpr std::size_t shown = 3;
  for (std::size_t i = 1; i < failed_.size() && i <= shown; ++i)
    finding.notes.push_back(failed_[i].call + " failed later, at line " +
                            std::to_string(failed_[i].line.line) + " (" + cudaGetErrorName(failed_[i].error) +
                            ")");
  finding.hint = hint_of_failed(first.call, first.error, first.line, first.refused_bytes);
  Findings::get().add(std::move(finding), 0);
}

/// Returns the names of the grid's and the block's size in a launch's <<<…>>>: {"blocks", "threads"}. Empty
/// if they are unknown.
std::array<std::string, 2> sizes_in(const Line& launch) {
  const std::string text = text_of(launch);
  const std::size_t open = text.find("<<<");
  if (open == text.npos || text.find("<<<", open + 3) != text.npos) return {};
  std::array<std::string, 2> sizes;
  std::size_t which = 0;
  int depth = 0;
  for (std::size_t at = open + 3; at < text.size() && text.compare(at, 3, ">>>") != 0; ++at) {
    const char c = text[at];
    depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
    if (depth == 0 && c == ',') {
      if (++which == 2) break;
    } else if (c != ' ') {
      sizes[which] += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return which != 0 ? sizes : std::array<std::string, 2>{};
}

/// Returns whether both names show that the second value was meant to be the grid's size.
bool are_exchanged(const std::array<std::string, 2>& sizes) {
  const auto has = [&](int which, const char* word) { return sizes[which].find(word) != std::string::npos; };
  const bool first_is_block = has(0, "thread") || (has(0, "block") && !has(0, "grid") && !has(0, "blocks"));
  const bool second_is_grid = (has(1, "grid") || has(1, "blocks")) && !has(1, "thread");
  return first_is_block && second_is_grid;
}

void ApiRule::report_refused(const Refused& refused) {
  Finding finding;
  finding.rule = Rule::launch;
  finding.time = refused.time;
  finding.kernel = refused.kernel;
  finding.headline = "kernel " + refused.kernel + " never ran (" + cudaGetErrorName(refused.error) +
                     "), and the program did not check";
  const Line line = launch_line_of(refused.stack);
  finding.parties = {{"launch", line}};
  if (!refused.why.empty()) finding.notes.push_back(refused.why);
  // The sizes would be valid in exchanged order, and the value given for the grid is a typical size of a
  // block.
  constexpr std::uint64_t most_threads = 1024, warp = 32;
  const std::uint64_t blocks = volume(refused.grid), threads = volume(refused.block);
  const bool fit_exchanged = threads > most_threads && blocks <= most_threads;
  if (fit_exchanged && are_exchanged(sizes_in(line)))
    finding.hint =
        "the first value of <<<…>>> is the number of blocks, and the second one that of the threads of a "
        "block: here they are exchanged";
  else
    finding.hint =
        std::string("a launch returns nothing: call cudaGetLastError() after it and check what it returns") +
        (fit_exchanged && blocks % warp == 0 ? ". Are grid and block exchanged? The number of blocks comes "
                                               "first, the number of threads in a block second"
                                             : "");
  Findings::get().add(std::move(finding), 0);
}

void ApiRule::program_ends() {
  const std::lock_guard<std::mutex> lock(mutex_);
  report_failed();
  for (const Refused& refused : refused_) report_refused(refused);
}

}  // namespace

RulePtr make_api_rule() {
  return std::make_unique<ApiRule>();
}

}  // namespace cuemu::check
