// hunt: gives the student a small program with one mistake to find, and proves hunts for authors.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/on_threads.hpp"
#include "base/scratch.hpp"
#include "build/compiler.hpp"
#include "cli/cli_session.hpp"
#include "hunt/game.hpp"
#include "hunt/proof.hpp"
#include "model/drawn.hpp"
#include "model/json.hpp"
#include "report/report_findings.hpp"

namespace grader {
namespace {

struct HuntOptions {
  std::string program, kind, student, answer;
  std::optional<int> seed;
  int prove = 0;
  bool hint = false, check = false, give_up = false;
};

std::vector<PastHunt> past_of(const std::vector<HuntRecord>& records) {
  std::vector<PastHunt> past;
  for (const HuntRecord& record : records)
    past.push_back({record.program, record.mistake, record.kind, record.right});
  return past;
}

/// The open hunt of this kit, and the actions with which a student works on it.
class OpenHunt {
 public:
  OpenHunt(Session& session, const HuntOptions& o)
      : session_(session),
        scratch_(session.kit().state() / "work", "hunt"),
        hunts_(read_hunts(session.kit().root / "hunts")),
        bench_(session.kit(), session.toolchain(), hunts_),
        file_(session.kit().state() / "hunt.json") {
    const auto open = read_state(file_, hunts_);
    const bool begins = o.seed || !o.kind.empty() || !o.program.empty();
    if (!begins && open) {
      state_ = *open;
    } else if (o.hint || o.check || o.give_up || !o.answer.empty()) {
      throw Error(ErrorKind::usage, "No hunt is open.", "grader hunt");
    } else {
      draw(o);
    }
    const HuntProgram& program = hunts_.program(state_.program);
    planted_ = plant(program, hunts_.mistake(program, state_.mistake), state_.seed);
    if (state_.folder.empty()) {
      state_.folder = lay_out_hunt(session.kit().work() / "hunt", hunts_, planted_);
      save();
    }
    ProgressLine line(!session.json);
    line.update("running", 0, 1);
    wrong_ = run(planted_.wrong);
    clue_ = clue_of(planted_, wrong_);
  }

  /// Prints the program's task, and its output with the mistake.
  void print_story() const {
    const Style& style = session_.style;
    if (session_.json) return session_.answer(json("open"));
    session_.print(style.strong(planted_.program->title) + "\n" + wrap(planted_.program->idea, style.width) +
                   "\n\n" + fmt::format("One mistake is in {}.\n", shown(program_file())) +
                   hanging("It prints: ", wrong_.printed, style.width) + "\n");
    if (wrong_.right)
      session_.print(wrap("That is luck: on a GPU, or in another run, it may differ.", style.width) + "\n");
    session_.print("\n");
  }

  std::string question() const {
    if (!state_.line) return "Which line has the mistake?";
    if (asks_clue()) return clue_.question;
    return fmt::format("Mend {}.", shown(program_file()));
  }

  std::string next_command() const {
    if (!state_.line) return "grader hunt --answer line=17, with your line; or --hint";
    if (asks_clue())
      return fmt::format("grader hunt --answer {}={}", clue_key(),
                         clue_.about == Clue::About::element ? "17" : "\"3 17\"");
    return "grader hunt --check";
  }

  bool asks_clue() const { return !state_.clue && clue_.about != Clue::About::nothing; }
  bool asks() const { return !state_.line || asks_clue(); }

  /// Answers the current question. @return whether the answer is right
  bool answer(const std::string& text) {
    Answered answered{};
    if (!state_.line) {
      if (text.empty() || text.size() > 4 || text.find_first_not_of("0123456789") != std::string::npos)
        throw Error(ErrorKind::usage, fmt::format("\"{}\" is no number of a line.", printable(text)),
                    "grader hunt --answer line=17");
      answered = judge_line(planted_, wrong_, static_cast<unsigned>(std::stoul(text)));
      state_.line = answered == Answered::right;
    } else {
      answered = judge_clue(clue_, text);
      state_.clue = answered == Answered::right;
    }
    if (answered == Answered::wrong) ++state_.wrong_answers;
    save();
    const Style& style = session_.style;
    say(answered == Answered::right   ? style.good("Right.")
        : answered == Answered::shows ? "It shows there. Its cause is in another line: which one must change?"
                                      : style.bad("No.") + " Look again, or take a hint.");
    return answered == Answered::right;
  }

  /// Answers a question by an option: `line=17`, `threads="3 17"`, `element=200`.
  bool answer_option(const std::string& option) {
    const std::string key = state_.line ? clue_key() : "line";
    if (!asks())
      throw Error(ErrorKind::usage, "All questions are answered; the program is still to be mended.",
                  "grader hunt --check");
    if (!option.starts_with(key + "="))
      throw Error(ErrorKind::usage, fmt::format("The present question is: {}", question()), next_command());
    return answer(option.substr(key.size() + 1));
  }

  void give_hint() {
    const std::vector<std::string> hints =
        hints_of(hunts_.kind(planted_.mistake->kind), planted_, wrong_, finding());
    const int all = static_cast<int>(hints.size());
    state_.hints = state_.line ? all : std::min(state_.hints + 1, all);  // the other hints are about the line
    save();
    for (int i = 0; i < state_.hints; ++i) {
      const std::string& hint = hints[static_cast<std::size_t>(i)];
      say(fmt::format("{}/{}  {}", i + 1, hints.size(), hint));
    }
  }

  /// Builds and runs the student's file. @return whether the hunt has ended
  bool check() {
    const std::string text = read_file(program_file(), submission_limits.file_bytes);
    const Trial trial = run(text);
    if (is_mended(trial)) {
      close(is_right(state_, clue_), "Mended: the result is right, and the checker finds nothing.");
      return true;
    }
    if (!trial.compiles)
      say("It does not compile:\n" + trial.diagnostics);
    else if (!trial.findings.empty())
      say("The checker finds a mistake: " + trial.findings.front().headline + ".");
    else
      say("Not yet. It prints: " + trial.printed);
    return false;
  }

  void give_up() { close(false, "Given up."); }

  nlohmann::json json(const std::string& state) const {
    nlohmann::json out = to_json(state_);
    out["kind"] = "hunt";
    out["state"] = state;
    out["title"] = planted_.program->title;
    out["idea"] = planted_.program->idea;
    out["file"] = program_file().string();
    out["prints"] = wrong_.printed;
    out["question"] = question();
    out["said"] = said_;
    out.erase("mistake");
    if (state != "open") {
      out["mistake"] = {{"kind", planted_.mistake->kind},
                        {"why", planted_.mistake->why},
                        {"lines", lines_text(planted_)},
                        {"finding", finding()}};
    }
    return out;
  }

  void say(const std::string& text) {
    said_.push_back(text);
    if (!session_.json)
      session_.print(wrap(text, text.find('\n') == text.npos ? session_.style.width : 1 << 20) + "\n");
  }

 private:
  void draw(const HuntOptions& o) {
    state_.student = o.student.empty() ? user_name() : o.student;
    const std::vector<PastHunt> past = past_of(session_.records().hunts_of(state_.student));
    const std::uint64_t seed = o.seed ? static_cast<std::uint64_t>(*o.seed)
                                      : number_from(state_.student, {"hunt", std::to_string(past.size())});
    const Planted drawn = draw_hunt(hunts_, past, o.kind, o.program, seed);
    state_.program = drawn.program->name;
    state_.mistake = drawn.mistake->name;
    state_.seed = drawn.seed;
  }

  Trial run(const std::string& text) const {
    return bench_.run(planted_.program->file(), text, scratch_.path() / "run");
  }

  fs::path program_file() const { return state_.folder / planted_.program->file(); }
  std::string clue_key() const { return clue_.about == Clue::About::element ? "element" : "threads"; }
  std::string finding() const {
    return wrong_.findings.empty() ? "" : whole_finding_text(wrong_.findings.front(), session_.style);
  }
  void save() const { write_file(file_, json_text(to_json(state_))); }

  /// Records the hunt, and explains its mistake.
  void close(bool right, const std::string& words) {
    nlohmann::json content = to_json(state_);
    content["sizes"] = planted_.sizes;
    session_.records().add(HuntRecord{state_.student, state_.program, state_.mistake, planted_.mistake->kind,
                                      right, json_text(content, -1)});
    fs::remove(file_);
    if (session_.json) return;
    const HuntKind& kind = hunts_.kind(planted_.mistake->kind);
    say(words);
    say(fmt::format("The mistake, {}: {}. {}", lines_text(planted_), kind.title, planted_.mistake->why));
    if (!wrong_.findings.empty()) session_.print(finding() + "\n");
    std::optional<int> level;
    const Lab& lab = session_.catalog().find(kind.lab, level);
    for (const Part& part : lab.parts)
      if (part.id == kind.part) say(fmt::format("{}, part {}, teaches it: {}.", lab.id, part.id, part.title));
    const KindBox box = box_of(past_of(session_.records().hunts_of(state_.student)), kind.name);
    say(fmt::format("This kind is in box {} of 5 now: it comes again after {}.", box.box,
                    how_many(static_cast<std::uint64_t>(std::max<std::int64_t>(box.due, 0)), "other hunt")));
    session_.print("Next: grader hunt\n");
  }

  Session& session_;
  ScratchFolder scratch_;
  Hunts hunts_;
  HuntBench bench_;
  fs::path file_;
  HuntState state_;
  Planted planted_;
  Trial wrong_;
  Clue clue_;
  std::vector<std::string> said_;
};

/// Asks questions on the terminal until the program is repaired or the student leaves.
int hunt_on_terminal(Session& session, OpenHunt& hunt) {
  hunt.print_story();
  for (;;) {
    session.print(
        wrap(hunt.question(), session.style.width) + "\n" +
        (hunt.asks() ? "  (answer, h: a hint, q: leave) " : "  (Enter: check it, h: a hint, q: leave) "));
    std::cout << std::flush;
    std::string line;
    if (!std::getline(std::cin, line) || line == "q") {
      session.print("The hunt stays open. Next: grader hunt\n");
      return 1;
    }
    try {
      if (line == "h")
        hunt.give_hint();
      else if (hunt.asks())
        hunt.answer(line);
      else if (hunt.check())
        return 0;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      hunt.say(error.what());
    }
  }
}

/// The hunts of the seeds 1 to N without duplicates, and a hunt for each mistake that no seed drew.
std::vector<Planted> hunts_to_prove(const Hunts& hunts, const HuntOptions& o) {
  std::map<std::string, Planted> different;
  std::set<std::pair<std::string, std::string>> drawn;
  const auto add = [&](Planted planted) {
    drawn.emplace(planted.program->name, planted.mistake->name);
    std::string key = planted.key();
    different.emplace(std::move(key), std::move(planted));
  };
  for (int seed = 1; seed <= o.prove; ++seed)
    add(draw_hunt(hunts, {}, o.kind, o.program, static_cast<std::uint64_t>(seed)));
  for (const HuntProgram& program : hunts.programs)
    for (const HuntMistake& mistake : program.mistakes)
      if ((o.kind.empty() || mistake.kind == o.kind) && (o.program.empty() || program.name == o.program) &&
          !drawn.contains({program.name, mistake.name}))
        add(plant(program, mistake, 1));
  std::vector<Planted> out;
  for (auto& [key, planted] : different) out.push_back(std::move(planted));
  return out;
}

int prove(Session& session, const HuntOptions& o) {
  const Hunts hunts = read_hunts(session.kit().root / "hunts");
  for (const HuntKind& kind : hunts.kinds) {
    std::optional<int> level;
    const Lab& lab = session.catalog().find(kind.lab, level);
    if (kind.part > static_cast<int>(lab.parts.size()))
      throw Error(ErrorKind::fault,
                  fmt::format("{} has no part {}, which the kind {} names.", lab.id, kind.part, kind.name));
  }
  const HuntBench bench(session.kit(), session.toolchain(), hunts);
  const std::vector<Planted> all = hunts_to_prove(hunts, o);
  const ScratchFolder scratch(session.kit().state() / "work", "hunt");
  std::map<std::string, const Planted*> different;
  for (const Planted& planted : all) different.emplace(planted.repair_key(), &planted);
  std::vector<const Planted*> repairs;
  for (const auto& entry : different) repairs.push_back(entry.second);
  std::vector<HuntProof> proofs(all.size());
  std::vector<std::string> problems;
  ProgressLine line(!session.json);
  std::mutex mutex;
  int done = 0;
  on_threads(all.size() + repairs.size(), most_compilers(), [&](std::size_t i) {
    if (interrupted()) throw Error(ErrorKind::environment, "Interrupted: not all hunts are proved.");
    const fs::path folder = scratch.path() / std::to_string(i);
    std::vector<std::string> found;
    if (i < all.size())
      found = (proofs[i] = prove_hunt(bench, all[i], folder)).problems;
    else
      found = prove_repair(bench, *repairs[i - all.size()], folder);
    const std::lock_guard<std::mutex> lock(mutex);
    problems.insert(problems.end(), found.begin(), found.end());
    line.update("proving", ++done, static_cast<int>(all.size() + repairs.size()));
  });
  line.clear();
  std::sort(problems.begin(), problems.end());
  std::map<std::string, int> kinds;
  std::set<std::pair<std::string, std::string>> pairs;
  std::size_t found = 0, threads = 0, elements = 0;
  for (const HuntProof& proof : proofs) {
    ++kinds[proof.planted.mistake->kind];
    pairs.emplace(proof.planted.program->name, proof.planted.mistake->name);
    found += proof.found ? 1 : 0;
    threads += proof.clue == Clue::About::threads ? 1 : 0;
    elements += proof.clue == Clue::About::element ? 1 : 0;
  }
  if (session.json) {
    session.answer({{"format", 1},
                    {"kind", "hunt-proof"},
                    {"seeds", o.prove},
                    {"different", proofs.size()},
                    {"mistakes", pairs.size()},
                    {"found", found},
                    {"threads", threads},
                    {"elements", elements},
                    {"kinds", kinds},
                    {"problems", problems}});
  } else {
    for (const std::string& problem : problems)
      session.print(hanging("  ", printable(problem), session.style.width) + "\n");
    for (const auto& [kind, number] : kinds) session.print(fmt::format("{:>5}  {}\n", number, kind));
    session.print(
        wrap(fmt::format("{} seeds draw {} different hunts of {} mistakes, each proved once: {} shown by a "
                         "finding of the checker, {} by a wrong result. {} have a question about threads, "
                         "{} about an element. {}.",
                         o.prove, proofs.size(), pairs.size(), found, proofs.size() - found, threads,
                         elements, how_many(problems.size(), "problem")),
             session.style.width) +
        "\n");
  }
  return problems.empty() ? 0 : 1;
}

int run_hunt(Session& session, const HuntOptions& o) {
  if (o.prove > 0) return prove(session, o);
  OpenHunt hunt(session, o);
  const bool acts = o.hint || o.check || o.give_up || !o.answer.empty();
  if (!acts && !session.json && ::isatty(STDIN_FILENO) != 0) return hunt_on_terminal(session, hunt);
  bool good = true, over = o.give_up;
  if (o.give_up)
    hunt.give_up();
  else if (o.check)
    good = over = hunt.check();
  else if (o.hint)
    hunt.give_hint();
  else if (!o.answer.empty())
    good = hunt.answer_option(o.answer);
  else
    hunt.print_story();
  if (over) {
    if (session.json) session.answer(hunt.json(o.give_up ? "given-up" : "mended"));
    return good ? 0 : 1;
  }
  if (session.json) {
    if (acts) session.answer(hunt.json("open"));
  } else {
    hunt.say(hunt.question());
    session.print("Next: " + hunt.next_command() + "\n");
  }
  return good ? 0 : 1;
}

Command hunt_command() {
  const auto o = std::make_shared<HuntOptions>();
  return {
      .name = "hunt",
      .summary = "Find the one mistake in a small program",
      .group = Group::student,
      .options = concat(
          {{{.names = "PROGRAM",
             .type = "PROGRAM",
             .help = "the program; default: drawn for you",
             .value = &o->program},
            {.names = "--kind",
             .type = "KIND",
             .help = "the kind of mistake, such as barrier",
             .value = &o->kind},
            {.names = "--answer",
             .type = "ANSWER",
             .help = "line=17, threads=\"3 17\" or element=200; default: asked in turn",
             .value = &o->answer},
            {.names = "--hint", .help = "give a hint, one more each time", .value = &o->hint},
            {.names = "--check", .help = "check your repair", .value = &o->check},
            {.names = "--give-up", .help = "show the mistake; it comes again sooner", .value = &o->give_up},
            {.names = "--student",
             .type = "NAME",
             .help = "the student that the hunt is drawn for; default: you",
             .value = &o->student},
            {.names = "--seed", .type = "N", .help = "draw another hunt", .value = &o->seed},
            {.names = "--prove",
             .type = "N",
             .help = "prove the hunts of N seeds and every mistake (authors)",
             .value = &o->prove,
             .positive = true}},
           report_options()}),
      .run = [o](Session& session) { return run_hunt(session, *o); }};
}

}  // namespace

std::vector<Command> hunt_commands() {
  return {hunt_command()};
}

}  // namespace grader
