#include "race_text.hpp"

#include <algorithm>

namespace cuemu::check {

namespace {

/// Threads of one warp, in a block of one: with more warps a kernel mostly wants a barrier of the block.
bool within_lone_warp(const RaceFacts& facts) {
  return facts.spread <= Spread::warp && facts.block_is_a_warp;
}

std::string number(int line) {
  return std::to_string(line);
}

/// Where a barrier is missing: between the lines of both parties, or, where the block has passed one there,
/// behind the later line, since it is the loop's next turn that comes too early.
std::string place(const RaceFacts& facts, const Finding& finding) {
  const Line& a = finding.parties[0].line;
  const Line& b = finding.parties[1].line;
  if (!a.known() || !b.known() || a.file != b.file) return "between the two";
  const auto [first, last] = std::minmax(a.line, b.line);
  if (facts.barriers.in_loop_between(loops_in(source_lines(a.file)), a.file, first, last))
    return "behind line " + number(last) + ", before the loop's next turn comes to line " + number(first);
  if (first == last) return "between its turns";
  return "between lines " + number(first) + " and " + number(last);
}

std::string barrier_at(const RaceFacts& facts, const Finding& finding) {
  if (within_lone_warp(facts)) return "a __syncwarp() belongs " + place(facts, finding);
  return "a __syncthreads() belongs " + place(facts, finding) +
         (facts.spread == Spread::warp ? " (or a __syncwarp(): the two are of one warp)" : "");
}

/// A read and a write of the same expression in one line: `x += y`.
bool is_update(const Finding& finding) {
  const Party& first = finding.parties[0];
  const Party& second = finding.parties[1];
  if (!(first.line == second.line)) return false;
  const auto expression = [&](const Party& party) {
    const Span part = part_of(finding, party);
    return part.known() ? source_lines(party.line.file)[static_cast<std::size_t>(party.line.line) - 1].substr(
                              static_cast<std::size_t>(part.begin) - 1,
                              static_cast<std::size_t>(part.end - part.begin))
                        : std::string();
  };
  return !expression(first).empty() && expression(first) == expression(second);
}

}  // namespace

std::string who_races(const RaceFacts& facts, const std::string& block) {
  if (facts.spread == Spread::grid) return "two blocks";
  return (within_lone_warp(facts) ? "two threads of a warp of block " : "two threads of block ") + block;
}

std::string missing_order(const RaceFacts& facts) {
  if (facts.spread == Spread::grid) return "with no order between them";
  return within_lone_warp(facts) ? "with no __syncwarp() or barrier between them"
                                 : "with no barrier between them";
}

std::string first_turn(const RaceFacts& facts, const Finding& finding) {
  for (auto party = finding.parties.rbegin(); party != finding.parties.rend(); ++party) {
    const Line& line = party->line;
    const std::string turn = facts.barriers.turn_at(loops_in(source_lines(line.file)), line.file, line.line);
    if (!turn.empty()) return turn;
  }
  return "";
}

std::string race_hint(const RaceFacts& facts, const Finding& finding) {
  if (facts.spread == Spread::grid && facts.atomics)
    return "atomics that end in _block order the threads of one block only: use the plain form";
  if (facts.before_writes != facts.now_writes && is_update(finding))
    return "one thread reads, another one writes before it has written back, and its update is lost: use "
           "atomicAdd or its like, or sum up in a reduction";
  if (facts.before_writes && facts.now_writes)
    return facts.spread == Spread::grid
               ? "blocks run in any order, so which value stays is chance: give each thread its own element, "
                 "or use an atomic function"
               : "which value stays is chance: give each thread its own element, or use an atomic function; "
                 "if "
                 "the later one is to stay, " +
                     barrier_at(facts, finding);
  if (facts.spread == Spread::grid)
    return "blocks run in any order and __syncthreads() does not order them: end the kernel here and go on "
           "in another one, or hand the data over with __threadfence() and an atomic flag";
  const std::string where = barrier_at(facts, finding);
  const bool next_turn = where.find("next turn") != where.npos;
  return std::string(facts.in_shared ? "the array" : "the memory") +
         (facts.now_writes || next_turn ? " is overwritten while other threads may still read it: "
                                        : " is read while other threads may still be filling it: ") +
         where;
}

}  // namespace cuemu::check
