#include "judge/stop_words.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/columns.hpp"

namespace grader {
namespace {

std::string triple(const unsigned (&of)[3]) {
  return fmt::format("({}, {}, {})", of[0], of[1], of[2]);
}

std::string at(const kit_wire::Place& place) {
  return place.known() ? " at " + words_of(place) : "";
}

std::string words_of_group(const kit_wire::ThreadGroup& group, unsigned all) {
  return fmt::format("{} of {} threads {}{}{}", group.threads, all, words_of(group.doing),
                     group.mask == 0 ? "" : fmt::format(" with mask 0x{:08x}", group.mask), at(group.place));
}

/// @param named whether the sentence has already named the block
void add_block(std::vector<std::string>& pieces, const kit_wire::BlockState& state, bool named) {
  std::vector<std::string> own;
  for (const kit_wire::ThreadGroup& group : state.groups) own.push_back(words_of_group(group, state.threads));
  if (state.not_begun != 0) own.push_back(fmt::format("{} threads have not begun", state.not_begun));
  if (state.returned != 0) own.push_back(fmt::format("{} threads have returned", state.returned));
  if (!own.empty() && !named) own.front() = fmt::format("in block {} {}", triple(state.block), own.front());
  pieces.insert(pieces.end(), own.begin(), own.end());
}

/// "thread (3, 0, 0) of block (0, 0, 0)"
std::string words_of_thread(const kit_wire::Stop& stop) {
  return fmt::format("{} of block {}",
                     stop.who == kit_wire::Who::thread ? "thread " + triple(stop.thread) : "a thread",
                     triple(stop.block));
}

}  // namespace

std::string words_of_threads(const kit_wire::Stop& stop) {
  std::vector<std::string> pieces;
  if (stop.was_running) pieces.push_back(words_of_thread(stop) + " was running" + at(stop.place));
  for (const kit_wire::BlockState& state : stop.blocks)
    add_block(pieces, state, &state == stop.blocks.data() && stop.was_running);
  if (stop.more_blocks != 0) pieces.push_back(fmt::format("and {} more blocks", stop.more_blocks));
  if (stop.children != 0)
    pieces.push_back(fmt::format(
        "{} that it launched will begin when its blocks have ended: a kernel that waits for its own launches "
        "never ends; what needs their results belongs in a tail launch",
        stop.children == 1 ? "1 grid" : fmt::format("{} grids", stop.children)));
  if (pieces.empty()) return {};
  std::string text = fmt::format("kernel {}: ", stop.kernel);
  for (std::size_t i = 0; i < pieces.size(); ++i) text += (i == 0 ? "" : "; ") + pieces[i];
  return printable(text);
}

std::string words_of_stop(const kit_wire::Stop& stop) {
  const std::string who = stop.who == kit_wire::Who::none ? "" : ", " + words_of_thread(stop);
  return printable(fmt::format("kernel {}{}: {}", stop.kernel, who, stop.why));
}

std::string words_of_error(const kit_wire::CudaError& error) {
  return printable(fmt::format("CUDA reported an error at {}{}{}", words_of(error.place),
                               error.call.empty() ? "" : ", " + error.call,
                               error.text.empty() ? "" : ": " + error.text));
}

}  // namespace grader
