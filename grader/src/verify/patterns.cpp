// Defines the order of the hypotheses, and the hypotheses on content that is not a result.
#include "verify/patterns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "verify/hypotheses.hpp"

namespace grader {
namespace hypotheses {
namespace {

/// A kind of content of elements that is not a result.
struct Content {
  const char* name;
  const char* words;  ///< "They …"
  std::string cause;
};

const Content unwritten = {
    "unwritten", "still hold the mark that fresh device memory is filled with",
    "Nothing was stored there, or what was stored was computed from device memory that was never filled: "
    "does every thread reach its store, was each input copied whole before the launch, and does the sum "
    "begin at 0, not with what the output already holds (+=)?"};
const Content unset = {"unset-variable", "were computed from a local variable that was never set",
                       "Which variable of the kernel is read before anything is stored in it? A sum must "
                       "begin at 0: \"float sum = 0;\"."};
const Content infinite = {
    "infinite", "are infinite",
    "A sum or a product grew without bound, or there was a division by zero: does the sum begin at "
    "0, and do all indices stay inside their arrays?"};
const Content zeros = {
    "zeros", "are zero",
    "The result was never stored, or the memory was only cleared: does the kernel run and write to the "
    "array that is copied back, and does it not read an input that is still zero?"};

/// Zeros that were stored: fresh memory would hold its mark.
const Content stored_zeros = {"zeros", "are zero",
                              "Zeros were stored there, so no term came into the sum: does the loop run "
                              "at all (is the number of its rounds "
                              "rounded up, and does it begin with 0?), is every term added with +=, and "
                              "is the sum itself what is stored?"};

/// The advice for NaN that may have been in memory before the run, without causes that the profile disproves.
Content nan(const RunFacts& run) {
  const bool copied = run.inputs_copied && run.inputs_copied();
  const bool unshared = run.launch && !run.launch->shared;
  return {"nan", "are not numbers (NaN)",
          fmt::format(
              "They were computed from memory that was never filled, or by an invalid operation, such as 0 "
              "/ 0 or "
              "infinity minus infinity: {}{}does the sum begin at 0, and do all indices stay inside their "
              "arrays?",
              copied ? "" : "was each input copied to the device before the launch, ",
              unshared ? "" : "is every shared element filled before the barrier, ")};
}

Fit fit(bool yes) {
  return yes ? Fit::yes : Fit::no;
}

std::size_t flat_index(const Evidence& e, Position p) {
  return p.row * e.columns + p.column;
}

/// A NaN without the mark of unfilled memory, which emulation sets and arithmetic preserves.
const Content invalid = {
    "nan", "are not numbers (NaN)",
    "An invalid operation gave them, such as 0 / 0 or infinity minus infinity, or a variable that was never "
    "set: look at each division, and at what the sum begins with."};

/// The content that fits the evidence under a demand.
std::optional<Content> find_content(const Evidence& e, Demand demand) {
  demand.varied = false;
  demand.least = 1;
  if (holds(
          e, [&](Position p) { return fit(e.got.unwritten(flat_index(e, p))); }, demand))
    return unwritten;
  if (holds(
          e, [&](Position p) { return fit(e.got.from_unset_variable(flat_index(e, p))); }, demand))
    return unset;
  if (holds(
          e, [&](Position p) { return fit(std::isnan(e.got_at(p))); }, demand))
    return e.run.marked_memory ? invalid : nan(e.run);
  if (holds(
          e, [&](Position p) { return fit(std::isinf(e.got_at(p))); }, demand))
    return infinite;
  if (holds(
          e, [&](Position p) { return fit(e.got_at(p) == 0); }, demand))
    return e.run.marked_memory ? stored_zeros : zeros;
  return std::nullopt;
}

/// The one finite nonzero value that (nearly) all wrong elements have.
std::optional<double> find_constant(const Evidence& e, Demand demand) {
  demand.varied = false;
  const double value = e.got_at(e.wrong[e.wrong.size() / 2]);
  if (holds(
          e, [&](Position p) { return fit(e.got_at(p) == value); }, demand))
    return value;
  return std::nullopt;
}

constexpr Demand anywhere = {0.97, 0, 0, 4, false};

std::optional<Pattern> garbage(const Evidence& e) {
  double largest = 0, smallest = INFINITY;  // the largest and the smallest expected magnitude
  for (const auto* positions : {&e.wrong, &e.right}) {
    for (const Position p : *positions) {
      const double size = std::fabs(e.expected_at(p));
      largest = std::max(largest, size);
      if (size > 0) smallest = std::min(smallest, size);
    }
  }
  const auto infinitely_large = [&](Position p) { return fit(std::isinf(e.got_at(p))); };
  if (holds(e, infinitely_large, {0.6, 0, 0, 4, false}))
    return Pattern{"infinite", fmt::format("Most wrong elements are infinite. {}", infinite.cause)};
  // If all expected values are zero, no value is too small.
  const auto absurd = [&](Position p) {
    const double size = std::fabs(e.got_at(p));
    return fit(!(size <= 1e6 * std::max(largest, 1.0)) ||
               (size > 0 && largest > 0 && size < 1e-12 * smallest));
  };
  if (!holds(e, absurd, {0.6, 0, 0, 4, false})) return std::nullopt;
  return Pattern{
      "garbage",
      "Most wrong elements are absurdly large or small, like memory that was never written: does every sum "
      "begin "
      "at 0, is every element written before it is read, and do all indices stay inside their arrays?"};
}

}  // namespace

std::string ordinal(std::size_t n) {
  const char* ending = n % 100 / 10 == 1 ? "th"
                       : n % 10 == 1     ? "st"
                       : n % 10 == 2     ? "nd"
                       : n % 10 == 3     ? "rd"
                                         : "th";
  return std::to_string(n) + ending;
}

bool left_blank(const Evidence& e) {
  const auto content = find_content(e, anywhere);
  return content && (content->name == std::string("unwritten") || content->name == std::string("zeros"));
}

std::optional<Pattern> unfilled_shared(const Evidence& e) {
  const auto count = std::count_if(e.wrong.begin(), e.wrong.end(),
                                   [&](Position p) { return e.got.from_unfilled_shared(flat(e, p)); });
  if (count == 0) return std::nullopt;
  const bool all = static_cast<std::size_t>(count) == e.wrong.size();
  return Pattern{
      "unfilled-shared",
      fmt::format("{} computed from shared memory that no thread had filled. Does every thread of the block "
                  "fill its element, with 0 where there is no input, also a thread without an element of the "
                  "result? And is there a __syncthreads() between filling and reading?",
                  all ? "The wrong elements were" : "Some of the wrong elements (NaN) were")};
}

std::string content_words(const Evidence& e) {
  if (const auto content = find_content(e, anywhere)) return std::string(" They ") + content->words + ".";
  if (const auto value = find_constant(e, anywhere)) return " They are all " + e.got.text_of(*value) + ".";
  return {};
}

std::optional<Pattern> content_everywhere(const Evidence& e) {
  const Demand whole = {0.97, 0.9, 0, 4, false};
  // If fewer elements are wrong, their places or single values explain more.
  if (e.wrong_share < 0.2) return std::nullopt;
  if (const auto content = find_content(e, whole))
    return Pattern{content->name, fmt::format("All elements {}. {}", content->words, content->cause)};
  if (const auto value = find_constant(e, whole))
    return Pattern{
        "constant",
        fmt::format("All elements are {}. Every thread stored the same value: does the index of what is "
                    "read depend on blockIdx and threadIdx, and does the result depend on what was read?",
                    e.got.text_of(*value))};
  return std::nullopt;
}

std::optional<Pattern> content_scattered(const Evidence& e) {
  if (const auto content = find_content(e, anywhere))
    return Pattern{content->name, fmt::format("The wrong elements {}. {}", content->words, content->cause)};
  if (const auto value = find_constant(e, anywhere))
    return Pattern{"constant",
                   fmt::format("The wrong elements are all {}. Their threads stored a fixed value instead of "
                               "their result: look at the branch that they take.",
                               e.got.text_of(*value))};
  return garbage(e);
}

}  // namespace hypotheses

std::optional<Pattern> find_pattern(const Evidence& evidence) {
  if (evidence.wrong.empty()) return std::nullopt;
  for (const auto hypothesis : {hypotheses::unfilled_shared, hypotheses::content_everywhere,
                                hypotheses::other_sum, hypotheses::other_result, hypotheses::other_product,
                                hypotheses::region, hypotheses::nearly_right, hypotheses::content_scattered})
    if (auto pattern = hypothesis(evidence)) return pattern;
  return std::nullopt;
}

std::optional<Pattern> profile_pattern(const Profile& profile, std::uint64_t input_bytes,
                                       std::uint64_t output_bytes) {
  std::uint64_t in = 0, out = 0;
  bool kernel = false;
  for (const Activity& activity : profile.activities) {
    kernel |= activity.kind == Activity::Kind::kernel;
    if (activity.kind == Activity::Kind::h2d) in += activity.bytes;
    if (activity.kind == Activity::Kind::d2h) out += activity.bytes;
  }
  if (!kernel)
    return Pattern{"no-kernel",
                   "No kernel ran on the device, so nothing computed the result: is it launched, with "
                   "kernel<<<grid, block>>>(…)?"};
  if (out == 0)
    return Pattern{"output-not-copied", fmt::format("Nothing was copied back from the device, and the output "
                                                    "has {} bytes: copy it with cudaMemcpy and "
                                                    "cudaMemcpyDeviceToHost after the kernel.",
                                                    output_bytes)};
  if (in < input_bytes)
    return Pattern{
        "input-not-copied",
        fmt::format("{} copied to the device, and the inputs have {}: the kernel computed with memory "
                    "that was never filled. Copy every input whole with cudaMemcpy, in bytes, before the "
                    "launch.",
                    in == 0 ? std::string("Nothing was") : fmt::format("Only {} bytes were", in),
                    input_bytes)};
  if (out < output_bytes)
    return Pattern{
        "output-not-copied",
        fmt::format(
            "Only {} bytes were copied back from the device, and the output has {}: the third argument of "
            "cudaMemcpy counts bytes, not elements.",
            out, output_bytes)};
  return std::nullopt;
}

}  // namespace grader
