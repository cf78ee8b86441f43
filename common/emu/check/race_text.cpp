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

const std::string& raw_text(const Line& line) {
  static const std::string none;
  const auto& lines = source_lines(line.file);
  const auto number = static_cast<std::size_t>(line.line);
  return line.line >= 1 && number <= lines.size() ? lines[number - 1] : none;
}

/// Where a barrier is missing: between the lines of both parties, or, where the block has passed one there,
/// behind the later line, since it is the loop's next turn,
/// or the function's next call, that comes too early.
std::string place(const RaceFacts& facts, const Finding& finding) {
  const Line& a = finding.parties[0].line;
  const Line& b = finding.parties[1].line;
  if (!a.known() || !b.known() || a.file != b.file) return "between the two";
  const auto [first, last] = std::minmax(a.line, b.line);
  if (first == last) return "between its turns";
  const auto& lines = source_lines(a.file);
  if (begins_function_in(lines, first + 1, last)) return "between the two";
  if (facts.barriers.passed_between(a.file, first, last))
    return "behind line " + number(last) +
           (in_one_loop(loops_in(lines), first, last) ? ", before the loop's next turn comes to line "
                                                      : ", before the next call comes to line ") +
           number(first);
  return "between lines " + number(first) + " and " + number(last);
}

std::string barrier_at(const RaceFacts& facts, const Finding& finding) {
  if (within_lone_warp(facts)) return "a __syncwarp() belongs " + place(facts, finding);
  // Outside of branches a barrier of the block is always right; that two threads of one warp were seen does not
  // say that no others use the array.
  const Line& line = finding.parties[0].line;
  if (facts.spread != Spread::warp || (line.known() && !in_condition(source_lines(line.file), line.line)))
    return "a __syncthreads() belongs " + place(facts, finding);
  return "a __syncwarp() belongs " + place(facts, finding) +
         " (the two are of one warp, whose threads need not run in step), or a __syncthreads() where all "
         "threads of the block come by";
}

/// The part of its line that a party is about,
/// without what only tells how it is used: `count` of `(*count)++`.
std::string variable(const Finding& finding, const Party& party) {
  const Span part = part_of(finding, party);
  if (!part.known()) return "";
  const std::string text =
      raw_text(party.line)
          .substr(static_cast<std::size_t>(part.begin) - 1, static_cast<std::size_t>(part.end - part.begin));
  const std::size_t begin = text.find_first_not_of("*&(+- ");
  const std::size_t end = text.find_last_not_of(")+- ");
  return begin != text.npos && end >= begin ? text.substr(begin, end + 1 - begin) : "";
}

/// What stands around a part of a line, up to signs that end statements.
Span statement_around(const std::string& text, const Span& part) {
  const std::size_t before = text.find_last_of(";{}", static_cast<std::size_t>(part.begin) - 1);
  const std::size_t behind = text.find_first_of(";{}", static_cast<std::size_t>(part.end) - 1);
  return {before != text.npos ? static_cast<int>(before) + 2 : 1,
          static_cast<int>(behind != text.npos ? behind : text.size()) + 1};
}

/// A read and a write of one line.
struct OneLine {
  const Party* read = nullptr;
  const Party* write = nullptr;
  bool known() const { return read != nullptr && write != nullptr; }
};

OneLine one_line(const Finding& finding) {
  OneLine both;
  if (!(finding.parties[0].line == finding.parties[1].line)) return both;
  for (const Party& party : finding.parties)
    (party.what.rfind("read", 0) == 0 ? both.read : both.write) = &party;
  return both;
}

bool is_one_statement(const std::string& text, const Span& a, const Span& b) {
  const Span whole = statement_around(text, a);
  return whole.begin <= b.begin && b.end <= whole.end;
}

/// One statement that reads a variable and writes it back: `x += y`, `if (y > x) x = y`.
bool is_update(const Finding& finding) {
  const OneLine both = one_line(finding);
  if (!both.known() || variable(finding, *both.read) != variable(finding, *both.write)) return false;
  const Span read = part_of(finding, *both.read);
  const Span write = part_of(finding, *both.write);
  if (!read.known() || !write.known()) return false;
  const std::string& text = raw_text(both.write->line);
  if (read.end > write.begin && write.end > read.begin) return true;  // `x += y`, `x++`
  return is_one_statement(text, read, write);
}

/// One statement that reads what other threads write by it: `x[i] += x[i + 1]`. If its loop has barriers (for
/// all turns), or there is no loop, the two are of the same turn.
bool is_shift(const Finding& finding) {
  const OneLine both = one_line(finding);
  if (!both.known()) return false;
  const Span read = part_of(finding, *both.read);
  const Span write = part_of(finding, *both.write);
  const Line& line = both.write->line;
  if (!read.known() || !write.known() || !is_one_statement(raw_text(line), read, write)) return false;
  const auto& lines = source_lines(line.file);
  bool in_loop = false;
  bool with_barrier = false;
  for (const Loop& loop : loops_in(lines)) {
    if (line.line < loop.first || line.line > loop.last) continue;
    in_loop = true;
    for (int at = loop.first; at <= loop.last; ++at) {
      const std::string& text = raw_text({line.file, at});
      with_barrier |= text.find("sync") != text.npos && text.find("if (") == text.npos;
    }
  }
  return !in_loop || with_barrier;
}

/// One of the two by an atomic function, the other one plainly.
std::string mixed_hint(const RaceFacts& facts, const Finding& finding) {
  const Party& plain = finding.parties[facts.before_atomic ? 1 : 0];
  const bool plain_writes = facts.before_atomic ? facts.now_writes : facts.before_writes;
  const std::string line = plain.line.known() ? "line " + number(plain.line.line) : "one of the two";
  if (facts.spread != Spread::grid)
    return line + (plain_writes ? " writes" : " reads") +
           " without an atomic function what other threads change by one: " + barrier_at(facts, finding);
  return plain_writes
             ? line +
                   " writes without an atomic function what other blocks change by one: use atomicExch() "
                   "there, or set it before the kernel (cudaMemset)"
             : line +
                   " reads while other blocks still change it: read the result in the next kernel, or in "
                   "the last block that comes (__threadfence() and an atomic counter); where any value in "
                   "between will do, by an atomic function";
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
  const bool one_reads = facts.before_writes != facts.now_writes;
  if (facts.before_atomic && facts.now_atomic && facts.spread == Spread::grid)
    return "atomics that end in _block order the threads of one block only: use the plain form";
  if (facts.before_atomic != facts.now_atomic) return mixed_hint(facts, finding);
  if (one_reads && is_update(finding))
    return "two threads read the same old value, and one of their updates is lost: use atomicAdd or its like "
           "(atomicMax …), or sum up in a reduction";
  if (one_reads && facts.spread != Spread::grid && is_shift(finding))
    return std::string(
               "a thread reads what another one writes by the same statement: are some threads to be kept "
               "out of it by an if? Or let each read into a variable of its own, then ") +
           (within_lone_warp(facts) ? "__syncwarp()" : "__syncthreads()") + ", and write only then";
  if (facts.before_writes && facts.now_writes) {
    if (facts.spread == Spread::grid)
      return "blocks run in any order, so which value stays is chance: give each thread its own element, or "
             "use an atomic function";
    const std::string hint =
        "which value stays is chance: give each thread its own element, or use an atomic function";
    return finding.parties[0].line == finding.parties[1].line
               ? hint
               : hint + "; if the later one is to stay, " + barrier_at(facts, finding);
  }
  if (facts.spread == Spread::grid)
    return "blocks run in any order and __syncthreads() does not order them: write to another array than is "
           "read, end the kernel here and go on in another one, or hand the data over with __threadfence() "
           "and an atomic flag";
  const std::string where = barrier_at(facts, finding);
  const bool next_turn = where.find(", before the ") != where.npos;
  return (finding.array.empty() ? "the memory" : finding.array) +
         (facts.now_writes || next_turn ? " is overwritten while other threads may still read it: "
                                        : " is read while other threads may still be filling it: ") +
         where;
}

}  // namespace cuemu::check
