// Compares the checker's findings about barriers with a reference, on random programs (barrier_programs.hpp).
// The findings are: barriers at different lines that met, barriers that continued without returned threads,
// and threads that wait for others that never come. The threads that each finding names are compared, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../../tests/barrier_programs.hpp"
#include "checker.hpp"

namespace {

using namespace barrier_programs;
using namespace cuemu::check;
using cuemu::Line;
using For = WaitingThread::For;

using Threads = std::set<unsigned>;

/// The threads that a party names: all of them for `(0..15,0,0) (2,1,0)`; only the first ones before an
/// ellipsis.
struct Named {
  Threads threads;
  bool more = false;
};
Named named(const std::string& what, const dim3& dim) {
  Named result;
  result.more = what.find("…") != what.npos;
  for (std::size_t at = what.find('('); at != what.npos; at = what.find('(', at + 1)) {
    unsigned first[3], last[3];
    std::size_t next = at + 1;
    for (int axis = 0; axis < 3; ++axis) {
      const auto number = [&] {
        std::size_t end = next;
        while (end < what.size() && what[end] >= '0' && what[end] <= '9') ++end;
        const auto value = static_cast<unsigned>(std::stoul(what.substr(next, end - next)));
        next = end;
        return value;
      };
      first[axis] = last[axis] = number();
      if (what.compare(next, 2, "..") == 0) {
        next += 2;
        last[axis] = number();
      }
      ++next;  // a comma, or the bracket
    }
    for (unsigned z = first[2]; z <= last[2]; ++z)
      for (unsigned y = first[1]; y <= last[1]; ++y)
        for (unsigned x = first[0]; x <= last[0]; ++x) result.threads.insert(x + dim.x * (y + dim.y * z));
  }
  return result;
}

struct Group {
  For what;
  std::uint32_t mask;
  Line line;
  Threads threads;
};

/// Groups the threads, in the order of their first threads.
std::vector<Group> groups_of(std::vector<Place> places) {
  std::sort(places.begin(), places.end());
  std::vector<Group> groups;
  for (const Place& one : places) {
    const Line line{one.file, one.line};
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& known) {
      return known.what == one.what && known.mask == one.mask && known.line == line;
    });
    if (same != groups.end())
      same->threads.insert(one.thread);
    else
      groups.push_back({one.what, one.mask, line, {one.thread}});
  }
  return groups;
}

/// An expected finding.
struct Wanted {
  Rule rule;
  std::string headline;
  std::vector<Group> parties;
  std::vector<std::string> notes;
  std::uint64_t count = 1;

  std::vector<Line> lines() const {
    std::vector<Line> lines;
    for (const Group& party : parties) lines.push_back(party.line);
    std::sort(lines.begin(), lines.end());
    return lines;
  }
};

/// The expected findings. They follow from the rule's definition and from the outcome of a program.
class Expectation {
 public:
  Expectation(const Program& program, const Outcome& outcome) : threads_(std::to_string(program.count())) {
    for (const Release& release : outcome.releases)
      if (release.what == For::block) meets(release);
    if (outcome.error == cudaErrorLaunchTimeout) hangs(outcome);
  }
  std::vector<Wanted> findings;

 private:
  void meets(const Release& release) {
    const std::vector<Group> groups = groups_of(release.members);
    const Place& first = release.members.front();
    if (release.returned != 0)
      add({Rule::early_exit,
           std::to_string(release.returned) + " of " + threads_ +
               " threads of block (0,0,0) never reach this barrier: they have returned",
           {groups.front()},
           {}},
          {first});
    const auto other = std::find_if(release.members.begin(), release.members.end(), [&](const Place& one) {
      return one.line != first.line || one.file != first.file;
    });
    if (other != release.members.end())
      add({Rule::barrier,
           "threads of block (0,0,0) meet at different barriers",
           {groups.begin(), groups.begin() + static_cast<long>(std::min<std::size_t>(groups.size(), 4))},
           {}},
          {first, *other});
  }
  void hangs(const Outcome& outcome) {
    const std::vector<Group> groups = groups_of(outcome.stuck);
    const std::size_t told = std::min<std::size_t>(groups.size(), 6);
    Wanted wanted{Rule::barrier,
                  "threads of block (0,0,0) wait for others that never come",
                  {groups.begin(), groups.begin() + static_cast<long>(told)},
                  {}};
    if (groups.size() > told)
      wanted.notes.push_back("and " + std::to_string(groups.size() - told) + " more such groups");
    if (outcome.returned != 0)
      wanted.notes.push_back(std::to_string(outcome.returned) + " threads have returned");
    merge(wanted);
  }

  /// Adds a finding. A pair of barriers is reported only once, in the form in which it was first seen.
  void add(const Wanted& wanted, const std::vector<Place>& barriers) {
    std::vector<Line> key;
    for (const Place& one : barriers) key.push_back({one.file, one.line});
    const auto [known, fresh] = known_.try_emplace({wanted.rule, key}, findings.size());
    if (!fresh)
      ++findings[known->second].count;
    else if (const auto same = merge(wanted); same)
      known->second = *same;
  }
  /// Merges findings about the same lines. Returns the position of the earlier finding.
  std::optional<std::size_t> merge(const Wanted& wanted) {
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (findings[i].rule != wanted.rule || findings[i].lines() != wanted.lines()) continue;
      ++findings[i].count;
      return i;
    }
    findings.push_back(wanted);
    return {};
  }

  std::string threads_;
  std::map<std::pair<Rule, std::vector<Line>>, std::size_t> known_;
};

/// Passes the runtime's events to the rule, as the checker would.
class Rules : public Witness {
 public:
  void block_begins(cuemu::BlockView block) override {
    state_.launch = &block.launch();
    block.set_data(checker_slot, &state_);
    rule_->block_begins(block);
  }
  void block_ends(cuemu::BlockView block) override { rule_->block_ends(block); }
  void block_synchronised(cuemu::BlockView block) override {
    Witness::block_synchronised(block);
    rule_->block_synchronised(block);
  }
  void block_deadlocked(cuemu::BlockView block) override {
    Witness::block_deadlocked(block);
    rule_->block_deadlocked(block);
    rule_->block_abandoned(block);
  }

 private:
  RulePtr rule_ = make_barrier_rule();
  BlockState state_;
};

std::string text(const Finding& finding) {
  std::string text = std::to_string(finding.count) + " times " + finding.headline;
  for (const Party& party : finding.parties)
    text += "\n  " + party.what + " at " + party.line.file + ":" + std::to_string(party.line.line);
  for (const std::string& note : finding.notes) text += "\n  " + note;
  return text;
}

std::string waits_for(const Group& group) {
  char mask[16] = "";
  std::snprintf(mask, sizeof mask, "0x%08x", group.mask);
  return group.what == For::block   ? "wait for the block: thread"
         : group.what == For::lanes ? std::string("wait for lanes ") + mask + ": thread"
                                    : "wait for a group: thread";
}

void compare(const Finding& got, const Wanted& wanted, const dim3& dim) {
  ASSERT_EQ(got.headline, wanted.headline);
  ASSERT_EQ(got.count, wanted.count);
  ASSERT_EQ(got.notes, wanted.notes);
  ASSERT_EQ(got.parties.size(), wanted.parties.size());
  for (std::size_t i = 0; i < got.parties.size(); ++i) {
    const Group& group = wanted.parties[i];
    ASSERT_EQ(got.parties[i].what.rfind(waits_for(group), 0), 0u) << waits_for(group);
    ASSERT_TRUE(got.parties[i].line == group.line);
    const Named who = named(got.parties[i].what, dim);
    if (!who.more) {
      ASSERT_EQ(who.threads, group.threads);
    } else {  // names only the first of them
      ASSERT_FALSE(who.threads.empty());
      ASSERT_LT(who.threads.size(), group.threads.size());
      ASSERT_TRUE(std::equal(who.threads.begin(), who.threads.end(), group.threads.begin()));
    }
  }
}

TEST(BarrierRule, SaysWhatTheReferenceHas) {
  constexpr unsigned programs = 500;
  auto* const rules = new Rules;  // receives events until the program ends
  cuemu::watch_with(*rules, cuemu::ToolSlot::checker);

  struct Case {
    Program program;
    std::vector<Wanted> wanted;
    std::vector<Finding> got;
  };
  std::deque<Case> cases;
  std::deque<std::string> files;  // two for each program
  std::map<std::string, Case*> by_file;
  testing::internal::CaptureStderr();  // the messages of stopped kernels
  for (unsigned seed = 1; seed <= programs; ++seed) {
    const char* const kernel = files.emplace_back("kernel" + std::to_string(seed) + ".cu").c_str();
    const char* const helper = files.emplace_back("helper" + std::to_string(seed) + ".cuh").c_str();
    Case& one = cases.emplace_back();
    by_file[kernel] = by_file[helper] = &one;
    one.program = Author(seed, kernel, helper).write();
    one.wanted = Expectation(one.program, Reference(one.program).run()).findings;
    run(one.program, *rules);
  }
  testing::internal::GetCapturedStderr();
  for (const Finding& finding : Findings::get().merged()) {
    ASSERT_FALSE(finding.parties.empty()) << text(finding);
    const auto of = by_file.find(finding.parties.front().line.file);
    ASSERT_NE(of, by_file.end()) << text(finding);
    of->second->got.push_back(finding);
  }

  std::map<std::string, unsigned> seen;  // by the headline's last word
  for (Case& one : cases) {
    std::string all;
    for (const Finding& finding : one.got) all += text(finding) + "\n";
    SCOPED_TRACE("program\n" + one.program.text() + "\nfindings\n" + all);
    ASSERT_EQ(one.got.size(), one.wanted.size());
    for (const Wanted& wanted : one.wanted) {
      const auto got = std::find_if(one.got.begin(), one.got.end(), [&](const Finding& finding) {
        std::vector<Line> lines;
        for (const Party& party : finding.parties) lines.push_back(party.line);
        std::sort(lines.begin(), lines.end());
        return finding.rule == wanted.rule && lines == wanted.lines();
      });
      ASSERT_NE(got, one.got.end()) << wanted.headline;
      compare(*got, wanted, one.program.dim);
      if (HasFatalFailure()) return;
      ++seen[wanted.headline.substr(wanted.headline.rfind(' ') + 1)];
      for (const Group& party : wanted.parties) seen[waits_for(party).substr(0, 15)] += 1;
    }
    seen["none"] += one.wanted.empty() ? 1 : 0;
  }
  for (const char* what :
       {"none", "returned", "barriers", "come", "wait for the bl", "wait for lanes ", "wait for a grou"})
    EXPECT_GE(seen[what], programs / 25) << what;
}

}  // namespace
