#include "findings.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

#include "loops.hpp"
#include "options.hpp"

namespace cuemu::check {

namespace {

struct RuleNames {
  Rule rule;
  const char* name;
  const char* group;
  bool error;
};
constexpr RuleNames rules[] = {
    {Rule::launch, "launch", "api", true},
    {Rule::out_of_bounds, "out-of-bounds", "memory", true},
    {Rule::use_after_free, "use-after-free", "memory", true},
    {Rule::host_pointer, "host-pointer", "memory", true},
    {Rule::null_pointer, "null-pointer", "memory", true},
    {Rule::wild_pointer, "wild-pointer", "memory", true},
    {Rule::one_memory, "one-memory", "memory", true},
    {Rule::barrier, "barrier", "barriers", true},
    {Rule::race, "race", "races", true},
    {Rule::async_copy, "async-copy", "races", true},
    {Rule::constant_write, "constant-write", "memory", true},
    {Rule::device_pointer, "device-pointer", "memory", true},
    {Rule::misaligned, "misaligned", "memory", true},
    {Rule::uninitialised, "uninitialised", "memory", true},
    {Rule::assertion, "assert", "api", true},
    {Rule::stopped, "stopped", "api", true},
    {Rule::copy, "copy", "memory", true},
    {Rule::unchecked, "unchecked", "api", true},
    {Rule::early_event, "early-event", "api", true},
    {Rule::lost_output, "lost-output", "api", true},
    {Rule::bad_free, "bad-free", "memory", true},
    {Rule::timing, "timing", "api", false},
    {Rule::set_bytes, "set-bytes", "memory", false},
    {Rule::early_exit, "barrier-exited", "barriers", false},
    {Rule::absent_lane, "absent-lane", "barriers", false},
    {Rule::same_work, "same-work", "races", false},
    {Rule::leak, "leak", "leaks", false},
};
/// Returns whether row i describes rule i, for all rows; a static_assert checks this.
constexpr bool rules_are_in_order() {
  for (int i = 0; i < rule_count; ++i)
    if (rules[i].rule != static_cast<Rule>(i)) return false;
  return std::size(rules) == rule_count;
}
static_assert(rules_are_in_order());

constexpr std::array<const char*, lack_count> lacks = {"",
                                                       "atomic",
                                                       "own-element",
                                                       "warp-barrier",
                                                       "warp-or-block-barrier",
                                                       "block-barrier",
                                                       "mbarrier",
                                                       "mbarrier-wait",
                                                       "cluster-barrier",
                                                       "grid-barrier",
                                                       "grid-order",
                                                       "copy-wait"};

/// Returns a key. Findings with equal keys are merged.
auto identity(const Finding& finding) {
  std::vector<Line> lines;
  for (const Party& party : finding.parties) lines.push_back(party.line);
  std::sort(lines.begin(), lines.end());  // the order of the parties depends on the order of threads
  return std::make_tuple(finding.rule, lines, finding.array);
}

/// Returns whether the finding follows from an access outside an array. It may be a read of an element that
/// the misplaced write should have written, an effect of an overwritten stack, or an access of the same line
/// further outside.
bool follows_from_outside(const Finding& finding, const Finding& outside) {
  if (outside.rule != Rule::out_of_bounds || outside.parties.empty() || finding.kernel != outside.kernel)
    return false;
  if (finding.rule == Rule::wild_pointer || finding.rule == Rule::null_pointer ||
      finding.rule == Rule::stopped) {
    if (finding.parties.empty()) return false;
    const Party &by = finding.parties.front(), &other = outside.parties.front();
    const bool is_same = by.access == other.access || by.access == kit_wire::Access::none;
    return !by.line.known() || (finding.rule == Rule::wild_pointer && by.line == other.line && is_same);
  }
  if (finding.rule != Rule::uninitialised) return false;
  const bool of_local = finding.headline.find("local variable") != std::string::npos;
  return of_local || (!outside.array.empty() && outside.array == finding.array);
}

/// Returns whether the memory was read unwritten because the reader races with the thread that writes it.
bool follows_from_race(const Finding& finding, const Finding& race) {
  return finding.rule == Rule::uninitialised && race.rule == Rule::race && race.array == finding.array &&
         std::any_of(race.parties.begin(), race.parties.end(),
                     [&](const Party& party) { return party.line == finding.parties.front().line; });
}

/// Returns whether the address was read from host memory at the same line. That read was suppressed and
/// returned zeros.
bool follows_from_host(const Finding& finding, const Finding& host) {
  return (finding.rule == Rule::null_pointer || finding.rule == Rule::wild_pointer) &&
         host.rule == Rule::host_pointer && finding.kernel == host.kernel &&
         finding.parties.front().line == host.parties.front().line;
}

/// Returns whether an atomic function updates memory that was never written, and the result is copied to the
/// host.
bool follows_from_atomic(const Finding& finding, const Finding& update) {
  const auto begins = [](const Finding& each, const char* word) {
    return each.parties.front().what.rfind(word, 0) == 0;
  };
  return finding.rule == Rule::uninitialised && update.rule == Rule::uninitialised &&
         !finding.array.empty() && finding.array == update.array && begins(finding, "copy") &&
         begins(update, "atomic");
}

/// Returns whether a block of a cluster may not have begun when its shared memory is used. The barrier that
/// the race lacks would also wait until the block has begun.
bool begins_behind_race(const Finding& finding, const Finding& race) {
  return finding.rule == Rule::use_after_free &&
         finding.headline.find("may not have begun") != std::string::npos && race.rule == Rule::race &&
         race.missing.what == Lack::cluster_barrier && race.array == finding.array &&
         std::any_of(race.parties.begin(), race.parties.end(),
                     [&](const Party& party) { return party.line == finding.parties.front().line; });
}

/// Returns whether one finding is a race between threads of one launch, and the other a barrier in the same
/// kernel that not all threads reach.
bool are_race_and_barrier(const Finding& race, const Finding& barrier) {
  return race.rule == Rule::race && barrier.rule == Rule::barrier && race.kernel == barrier.kernel &&
         race.parties.size() == 2 && race.notes.empty();
}

/// Returns whether threads that read different values in the race take different branches, so that some miss
/// the barrier.
bool decides_who_comes(const Finding& race, const Finding& barrier) {
  if (!are_race_and_barrier(race, barrier)) return false;
  return std::any_of(race.parties.begin(), race.parties.end(), [&](const Party& read) {
    return read.what.rfind("read", 0) == 0 && read.line.known() &&
           std::any_of(barrier.parties.begin(), barrier.parties.end(), [&](const Party& at) {
             return is_same_file(read.line.file, at.line.file) &&
                    decides_about(source_lines(read.line.file), read.line.line, at.line.line);
           });
  });
}

/// Returns whether the accesses race because not all threads reach the barrier between their lines.
bool follows_from_barrier(const Finding& race, const Finding& barrier) {
  if (!are_race_and_barrier(race, barrier) || decides_who_comes(race, barrier)) return false;
  const auto [first, last] = std::minmax(race.parties[0].line, race.parties[1].line);
  return std::any_of(barrier.parties.begin(), barrier.parties.end(),
                     [&, first = first, last = last](const Party& at) {
                       return is_same_file(first.file, at.line.file) && first.file == last.file &&
                              first < last && first.line < at.line.line && at.line.line < last.line;
                     });
}

/// Returns whether a thread read shared memory that was never written. The headline then describes the array.
bool misses_shared(const Finding& finding) {
  return finding.rule == Rule::uninitialised && finding.headline.find("shared") != std::string::npos;
}

/// Reports threads that return before a barrier first, if other threads read shared memory that the returned
/// threads should have written. Then the return is the cause; otherwise it does no harm.
void name_threads_that_left(std::vector<Finding>& findings) {
  for (Finding& exit : findings)
    if (exit.rule == Rule::early_exit &&
        std::any_of(findings.begin(), findings.end(), [&](const Finding& other) {
          return misses_shared(other) && other.kernel == exit.kernel;
        })) {
      exit.rule = Rule::barrier;
      exit.notes.push_back("what they should have put into shared memory is missing below");
    }
}

/// Returns whether memory was not freed because the call was refused, or because a bad free() stopped the
/// kernel.
bool follows_from_bad_free(const Finding& finding, const Finding& free) {
  if (free.rule != Rule::bad_free) return false;
  const bool stops = finding.rule == Rule::stopped && finding.headline.rfind("free()", 0) == 0;
  return (stops && finding.kernel == free.kernel) ||
         (finding.rule == Rule::leak && !finding.array.empty() && finding.array == free.array);
}

/// Drops findings that are consequences of another finding.
void drop_consequences(std::vector<Finding>& findings) {
  std::vector<Finding> kept;
  for (const Finding& finding : findings)
    if (std::none_of(findings.begin(), findings.end(), [&](const Finding& cause) {
          return follows_from_race(finding, cause) || begins_behind_race(finding, cause) ||
                 follows_from_barrier(finding, cause) || decides_who_comes(cause, finding) ||
                 follows_from_outside(finding, cause) || follows_from_host(finding, cause) ||
                 follows_from_atomic(finding, cause) || follows_from_bad_free(finding, cause);
        }))
      kept.push_back(finding);
  findings = std::move(kept);
}

/// Returns whether CUDA refused a call, which then had no effect.
bool is_refusal(const Finding& finding) {
  return finding.rule == Rule::copy || finding.rule == Rule::unchecked;
}

/// Moves a refused call before the findings after it, since they may be its consequences.
void put_refusals_first(std::vector<Finding>& findings) {
  const auto others = std::stable_partition(findings.begin(), findings.end(), is_refusal);
  std::vector<Finding> refusals(findings.begin(), others);
  findings.erase(findings.begin(), others);
  std::stable_sort(refusals.begin(), refusals.end(),
                   [](const Finding& a, const Finding& b) { return a.time < b.time; });
  for (Finding& refusal : refusals) {
    const auto behind = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
      return refusal.time < other.time || (!is_refusal(other) && identity(refusal) < identity(other));
    });
    findings.insert(behind, std::move(refusal));
  }
}

/// Returns whether the finding consists of forgiven races in which both threads wrote the same value. If
/// blocks do so over a whole array, each block repeats the same work. Usually the index lacks blockIdx.
bool is_same_work(const Finding& finding) {
  constexpr std::uint64_t many = 32;
  return finding.rule == Rule::race && finding.count == 0 && finding.repeated >= many;
}

/// Replaces the hint of a race if all its pairs of threads share a property that explains more.
void choose_hint(Finding& finding) {
  if (finding.twins.of_several_only() && !finding.twins_hint.empty()) {
    finding.hint = finding.twins_hint;
  } else if (!finding.apart_hint.empty()) {
    const std::string question = finding.apart.question(finding.grid, finding.block);
    if (!question.empty()) finding.hint = question + " " + finding.apart_hint;
  }
}

void say_same_work(Finding& finding) {
  finding.rule = Rule::same_work;
  finding.missing = {};
  finding.between = Group::thread;
  finding.count = finding.repeated;
  const std::string place = finding.headline.substr(finding.headline.find(" touch ") + 7);
  finding.headline = "threads with the same threadIdx of several blocks write the same value to " +
                     place.substr(0, place.find(" with no order")) + ", and to others";
  finding.hint =
      "does the index lack blockIdx? That way each block computes what another one has computed already";
  finding.twins_hint.clear();
  finding.apart_hint.clear();
}

/// Writes the text for races in which all threads write the same value. Only a strict check reports these
/// races.
void say_same_value(Finding& finding) {
  finding.hint =
      "all write the same value, and no GPU makes anything else of it; but CUDA's memory model calls it a "
      "race: let one "
      "thread write it, or write it by atomicExch()";
  finding.twins_hint.clear();
  finding.apart_hint.clear();
}

/// Merges races of one line with `many` or more other lines over one array, as in an unrolled loop.
void join_alike(std::vector<Finding>& findings) {
  constexpr std::size_t many = 3;
  using Key = std::tuple<std::string, std::string, std::string, Line>;  // kernel, array, which threads
  std::map<Key, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (finding.rule != Rule::race || finding.parties.size() != 2 || !finding.notes.empty() ||
        finding.array.empty() || finding.parties[0].line == finding.parties[1].line)
      continue;
    const std::string who = finding.headline.substr(0, finding.headline.find(" touch "));
    for (const Party& party : finding.parties)
      if (party.line.known()) groups[{finding.kernel, finding.array, who, party.line}].push_back(i);
  }
  std::set<std::size_t> gone;
  for (auto& [key, members] : groups) {
    members.erase(
        std::remove_if(members.begin(), members.end(), [&](std::size_t i) { return gone.count(i) != 0; }),
        members.end());
    if (members.size() < many) continue;
    const Line& common = std::get<Line>(key);
    Finding& first = findings[members.front()];
    std::string note = "line " + std::to_string(common.line) + " races in the same way with ";
    for (std::size_t i = 1; i < members.size(); ++i) {
      const Finding& other = findings[members[i]];
      const Line& line = other.parties[other.parties[0].line == common ? 1 : 0].line;
      note += (i == 1                    ? "line "
               : i + 1 == members.size() ? " and line "
                                         : ", line ") +
              std::to_string(line.line);
      first.count += other.count;
      first.blocks.insert(other.blocks.begin(), other.blocks.end());
      gone.insert(members[i]);
    }
    first.notes.push_back(note);
  }
  std::vector<Finding> kept;
  for (std::size_t i = 0; i < findings.size(); ++i)
    if (gone.count(i) == 0) kept.push_back(std::move(findings[i]));
  findings = std::move(kept);
}

}  // namespace

const char* name_of(Rule rule) {
  return rules[static_cast<std::size_t>(rule)].name;
}
const char* group_of(Rule rule) {
  return rules[static_cast<std::size_t>(rule)].group;
}
bool is_error(Rule rule) {
  return rules[static_cast<std::size_t>(rule)].error;
}

const char* name_of(Lack lack) {
  return lacks[static_cast<std::size_t>(lack)];
}

Span part_of(const Finding& finding, const Party& party) {
  const auto& lines = source_lines(party.line.file);
  const auto number = static_cast<std::size_t>(party.line.line);
  if (!party.line.known() || party.line.line < 1 || number > lines.size()) return {};
  const auto begins = [&](const char* word) { return party.what.rfind(word, 0) == 0; };
  if (party.what.find(" by other threads") != party.what.npos)
    return {};  // it is unknown which part of the line the threads read
  if (begins("launch of")) return {};
  const bool by_thread = begins("read") || begins("write") || begins("access") || begins("host");
  const char* const function = begins("atomic")                      ? "atomic"
                               : by_thread                           ? ""
                               : begins("wait") || begins("shuffle") ? "__"
                                                                     : "cuda";
  const std::size_t member = finding.array.find_last_of(".>") + 1;  // a kernel knows the array `d.x` as `x`
  return accessed_part(lines[number - 1], party.line.column, finding.array.substr(member), function,
                       begins("read"));
}

Findings& Findings::get() {
  static auto* const findings = new Findings;
  return *findings;
}

void Findings::add(Finding finding, std::uint64_t block) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (finding.time == 0) finding.time = now();
  finding.blocks.insert(block);
  all_.push_back(std::move(finding));
}

bool Findings::count(const std::vector<std::uint64_t>& key, std::uint64_t block) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return false;
  Finding& finding = all_[found->second];
  if (finding.count == 0) return false;  // all were forgiven: the finding represents the later ones
  ++finding.count;
  finding.blocks.insert(block);
  return true;
}

void Findings::forgive(const std::vector<std::uint64_t>& key, bool repeated) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end() || all_[found->second].count == 0) return;
  --all_[found->second].count;
  if (repeated) ++all_[found->second].repeated;
}

void Findings::note_same_value(const std::vector<std::uint64_t>& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto found = by_key_.find(key); found != by_key_.end()) ++all_[found->second].same_values;
}

void Findings::note_threads(const std::vector<std::uint64_t>& key, const RacingThreads& pair) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  Finding& finding = all_[found->second];
  if (pair.between_blocks) finding.twins.met(pair.first_thread == pair.second_thread, pair.second_thread);
  finding.apart.met(pair);
}

void Findings::keep(const std::vector<std::uint64_t>& key, Finding finding, std::uint64_t block) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    Finding& forgiven = all_[known->second];
    finding.time = forgiven.time;
    finding.repeated = forgiven.repeated;
    finding.twins = forgiven.twins;
    finding.apart = forgiven.apart;
    finding.blocks = std::move(forgiven.blocks);
    finding.blocks.insert(block);
    forgiven = std::move(finding);
    return;
  }
  if (finding.time == 0) finding.time = now();
  finding.blocks.insert(block);
  by_key_[key] = all_.size();
  all_.push_back(std::move(finding));
}

std::size_t Findings::count() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return all_.size();
}

std::vector<Finding> Findings::merged() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Finding> result;
  std::map<decltype(identity(Finding{})), std::size_t> known;
  // The counts of an access that is reported both by its index and by its address. Such an access counts
  // once.
  std::vector<std::array<std::uint64_t, 2>> counts_of;
  for (Finding finding : all_) {
    if (is_same_work(finding)) say_same_work(finding);
    if (finding.same_values != 0 && finding.same_values == finding.count) say_same_value(finding);
    if (finding.count == 0) continue;
    if (!options().wants(group_of(finding.rule)) || options().suppresses(finding)) continue;
    const auto [at, fresh] = known.try_emplace(identity(finding), result.size());
    if (fresh) {
      result.push_back(finding);
      counts_of.push_back({});
      counts_of.back()[finding.by_index ? 1 : 0] = finding.count;
      continue;
    }
    Finding& same = result[at->second];
    auto& counts = counts_of[at->second];
    counts[finding.by_index ? 1 : 0] += finding.count;
    Finding both = finding.weight > same.weight ? finding : same;
    both.count = std::max(counts[0], counts[1]);
    both.time = std::min(same.time, finding.time);
    both.blocks = same.blocks;
    both.blocks.insert(finding.blocks.begin(), finding.blocks.end());
    both.twins = same.twins;
    both.twins.add(finding.twins);
    both.apart = same.apart;
    both.apart.add(finding.apart);
    same = std::move(both);
  }
  for (Finding& finding : result) choose_hint(finding);
  drop_consequences(result);
  name_threads_that_left(result);
  std::stable_sort(result.begin(), result.end(),
                   [](const Finding& a, const Finding& b) { return identity(a) < identity(b); });
  put_refusals_first(result);
  join_alike(result);
  return result;
}

}  // namespace cuemu::check
