// ask: asks questions about a student's own program, and finds the answers by running it.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "ask/quiz.hpp"
#include "base/scratch.hpp"
#include "cli/cli_session.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

struct AskOptions {
  LabChoice lab;
  SourceChoice source;
  std::string case_id, student, answers, format;
  std::optional<int> seed;
  int prove = 0;
  bool quiz = false;
};

/// Derives many questions in two ways. @return whether both ways agree on each question, and give as many
/// questions as requested
bool prove(Session& session, AskedProgram& program, std::uint64_t seed, const AskOptions& o) {
  const auto count = static_cast<std::size_t>(o.prove);
  const DrawnQuestions drawn = draw_questions(program, seed, count, count);
  std::map<std::string, int> kinds;
  nlohmann::json questions = nlohmann::json::array();
  for (const Question& question : drawn.questions) {
    ++kinds[question.kind];
    questions.push_back({{"kind", question.kind},
                         {"text", question.text},
                         {"choices", question.choices},
                         {"answer", question.right + 1}});
  }
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "ask-proof"},
                                  {"lab", o.lab.ref},
                                  {"questions", questions},
                                  {"kinds", kinds},
                                  {"contradictions", drawn.contradictions}});
  } else {
    for (const std::string& sentence : drawn.contradictions)
      session.print(wrap(sentence, session.style.width, 2) + "\n");
    for (const auto& [kind, number] : kinds) session.print(fmt::format("{:>5}  {}\n", number, kind));
    session.print(fmt::format("{} different questions, each answer derived in two ways, {} contradictions.\n",
                              drawn.questions.size(), drawn.contradictions.size()));
  }
  return drawn.contradictions.empty() && drawn.questions.size() == count;
}

/// Reads a choice for each question from the terminal. @throws Error (usage) at the end of the input
void ask_on_terminal(Session& session, Quiz& quiz) {
  for (std::size_t i = 0; i < quiz.questions.size(); ++i) {
    session.print(question_text(quiz, i, session.style));
    std::string line;
    for (;;) {
      session.print("   Your answer (1-4): ");
      std::cout << std::flush;
      if (!std::getline(std::cin, line))
        throw Error(ErrorKind::usage, "The questions were not all answered, so nothing is recorded.",
                    fmt::format("grader ask {}", quiz.lab));
      if (line.size() == 1 && line[0] >= '1' &&
          line[0] < '1' + static_cast<char>(quiz.questions[i].choices.size()))
        break;
    }
    quiz.answers.push_back(static_cast<std::size_t>(line[0] - '1'));
  }
  session.print("\n");
}

int run_ask(Session& session, AskOptions& o) {
  session.json = session.json || o.format == "json";
  const Lab& lab = o.lab.find(session);
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  const ScratchFolder scratch(session.kit().state() / "work", "ask");
  ProgressLine line(!session.json);
  line.update("running", 0, 1);
  AskedProgram program(session.kit(), session.toolchain(), submission, o.case_id, scratch.path());
  const std::string student = o.student.empty() ? user_name() : o.student;
  const std::uint64_t seed = o.seed ? static_cast<std::uint64_t>(*o.seed) : seed_of(student, submission);
  if (o.prove > 0) {
    line.clear();
    return prove(session, program, seed, o) ? 0 : 1;
  }
  Quiz quiz = make_quiz(program, seed);
  line.clear();
  if (!session.json) session.print(shortage_text(quiz));
  const bool interactive = ::isatty(STDIN_FILENO) != 0 && !session.json;
  if (!o.answers.empty()) {
    quiz.answers = parse_answers(o.answers, quiz);
  } else if (!o.quiz && interactive) {
    ask_on_terminal(session, quiz);
  }
  const bool practice = o.seed || !o.case_id.empty();  // students could draw until they know the questions
  if (!quiz.answers.empty() && !practice)
    session.records().add(AnsweredQuestions{student, lab.id, submission.level, to_string(submission.origin),
                                            submission.sha256, quiz.right(), quiz.questions.size(),
                                            json_text(to_json(quiz), -1)});
  if (session.json) {
    session.answer(to_json(quiz));
  } else if (quiz.answers.empty()) {
    for (std::size_t i = 0; i < quiz.questions.size(); ++i)
      session.print(question_text(quiz, i, session.style) + "\n");
    session.print(fmt::format("Next: grader ask {} --answers 1,3,2,4,2, with your choices\n", lab.id));
  } else {
    session.print(result_text(quiz, session.style));
    if (practice)
      session.print("Practice: these answers are not recorded. Next: grader ask " + lab.id + "\n");
  }
  return quiz.answers.empty() || quiz.right() == quiz.questions.size() ? 0 : 1;
}

Command ask_command() {
  const auto o = std::make_shared<AskOptions>();
  std::vector<Option> source = o->source.options();
  std::erase_if(source,
                [](const Option& option) { return option.names.find("--backend") != std::string::npos; });
  return {
      .name = "ask",
      .summary = "Ask five questions about your own right program",
      .group = Group::student,
      .options = concat(
          {o->lab.options(),
           source,
           {{.names = "--case",
             .type = "ID",
             .help = "the run that is asked about, for practice",
             .value = &o->case_id},
            {.names = "--answers",
             .type = "LIST",
             .help = "your choices, such as 1,3,2,4,2; default: asked in turn",
             .value = &o->answers},
            {.names = "--quiz", .help = "print the questions without answers", .value = &o->quiz},
            {.names = "--student",
             .type = "NAME",
             .help = "the student that the questions are drawn for; default: you",
             .value = &o->student},
            {.names = "--seed", .type = "N", .help = "draw other questions, for practice", .value = &o->seed},
            {.names = "--prove",
             .type = "N",
             .help = "derive N questions in two ways, and compare",
             .value = &o->prove,
             .positive = true},
            {.names = "--format",
             .type = "FORM",
             .help = "text or json",
             .value = &o->format,
             .choices = {"text", "json"}}},
           report_options()}),
      .run = [o](Session& session) { return run_ask(session, *o); }};
}

}  // namespace

std::vector<Command> ask_commands() {
  return {ask_command()};
}

}  // namespace grader
