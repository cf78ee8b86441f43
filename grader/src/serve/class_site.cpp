// Each request of a student is for the owner of its token. No path and no body names a student.
#include "serve/class_site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/utc.hpp"
#include "base/version.hpp"
#include "model/json.hpp"
#include "report/feedback.hpp"
#include "report/report.hpp"
#include "serve/api.hpp"
#include "serve/git_push.hpp"
#include "serve/hand_in_body.hpp"
#include "serve/submit.hpp"
#include "serve/texts.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

std::string percent(double share) {
  return fmt::format("{:.4g} %", 100 * share);
}

/// The late rule in words, for a student's own deadline.
std::string late_words(const ClassFile& course, const std::string& student) {
  const auto due_at = due(course, student);
  if (!due_at) return "There is no deadline.";
  std::string out = fmt::format("Deadline: {} UTC.", minute_of(utc_text(*due_at)));
  const LateRule& late = course.late;
  if (late.grace_hours > 0)
    out += fmt::format(" For {:.4g} hours after it nothing is lost.", late.grace_hours);
  if (late.per_day > 0)
    out += fmt::format(" Then each day begun takes {} of the points.", percent(late.per_day));
  else if (!late.last_day)
    out += " Later hand-ins count in full.";
  if (late.last_day) out += fmt::format(" After {:.4g} days nothing counts.", *late.last_day);
  return out;
}

Json deadline_json(const ClassFile& course, const std::string& student) {
  const auto due_at = due(course, student);
  return {{"due_at", due_at ? Json(utc_text(*due_at)) : Json()},
          {"rule", late_words(course, student)},
          {"share_now", share_left(course, student, utc_now())}};
}

const char* word_of(HandInState::Kind kind) {
  return kind == HandInState::Kind::waiting   ? "waiting"
         : kind == HandInState::Kind::running ? "running"
                                              : "failed";
}

Json quota_json(const std::optional<Quota>& quota) {
  if (!quota) return {};
  return {{"per_hour", quota->per_hour},
          {"left", quota->left},
          {"next_at", quota->left == 0 ? Json(quota->next_at) : Json()}};
}

Json counted_json(const CountedBoard& board, const std::string& person) {
  Json placings = Json::array(), references = Json::array();
  for (const CountedPlacing& one : board.placings) {
    Json its = to_json(one.counts);
    its.update({{"rank", one.rank}, {"nickname", one.nickname}, {"own", one.student == person}});
    placings.push_back(std::move(its));
  }
  for (const CountedBoard::Line& one : board.lines) {
    Json its = to_json(one.counts);
    its["name"] = one.name;
    references.push_back(std::move(its));
  }
  return {{"case", board.case_id}, {"placings", placings}, {"references", references}};
}

/// The next full minute after the time that is this many seconds from now.
std::string expected_minute(double seconds_from_now) {
  const auto at = std::time(nullptr) + static_cast<std::time_t>(seconds_from_now);
  return utc_text((at / 60 + 1) * 60);
}

Json state_json(const HandInState& state) {
  Json out = {{"attempt", state.attempt}, {"state", word_of(state.kind)}};
  if (state.place != 0) out["place"] = state.place;
  if (state.ends_in_s) out["expected_at"] = expected_minute(*state.ends_in_s);
  if (!state.why.empty()) out["why"] = state.why;
  return out;
}

const Mark* mark_of(const std::vector<Mark>& all, const std::string& student) {
  for (const Mark& mark : all)
    if (mark.student == student) return &mark;
  return nullptr;
}

/// The mark that an attempt would have if it counted.
Mark own_mark(const ClassFile& course, const std::vector<GradedAttempt>& attempts, const GradedAttempt& one) {
  const std::vector<Mark> all = marks(course, attempts), alone = marks(course, {one});
  const Mark* const whole = mark_of(all, one.hand_in.student);
  if (whole->counted == one.hand_in.attempt) return *whole;
  Mark out = *mark_of(alone, one.hand_in.student);
  out.attempts = whole->attempts;
  return out;
}

/// The events that a person's page receives: changes of the queue, and labs whose board was updated.
class ClassEvents final : public SiteEvents {
 public:
  ClassEvents(ClassSite& site, std::string person) : site_(site), person_(std::move(person)) {}

  std::string next() override {
    seen_ = first_ ? site_.queue().changes() : site_.queue().changed_after(seen_);
    first_ = false;
    std::string out;
    if (std::string queue = json_text(site_.queue_json(person_), -1); queue != queue_) {
      queue_ = std::move(queue);
      out += "event: queue\ndata: " + queue_ + "\n\n";
    }
    numbers_.resize(site_.labs().size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const int number = site_.pages().of(i)->number;
      if (number == numbers_[i]) continue;
      numbers_[i] = number;
      const ClassLab& lab = *site_.labs()[i];
      out += "event: board\ndata: " + json_text({{"lab", lab.lab.id}, {"level", lab.level}}, -1) + "\n\n";
    }
    return out;
  }

 private:
  ClassSite& site_;
  const std::string person_;
  bool first_ = true;
  std::uint64_t seen_ = 0;
  std::string queue_;
  std::vector<int> numbers_;
};

}  // namespace

ClassSite::ClassSite(const Kit& kit, const Toolchain& toolchain, std::string name, ClassLinks& links,
                     GradingQueue::Labs& labs, int workers)
    : kit_(kit),
      name_(std::move(name)),
      links_(links),
      labs_(labs),
      pages_(kit, toolchain, labs),
      queue_(kit, labs, workers, [this](std::size_t lab) { pages_.update(lab); }) {}

std::optional<std::string> ClassSite::owner_of(const std::string& token) {
  return links_.owner_of(token, people());
}

std::shared_ptr<const std::set<std::string>> ClassSite::people() {
  std::vector<std::shared_ptr<const ClassFile>> open;
  for (const auto& lab : labs_)
    if (auto course = lab->course();
        course->links_expire.value_or(std::numeric_limits<std::int64_t>::max()) >= std::time(nullptr))
      open.push_back(std::move(course));
  const std::lock_guard lock(people_mutex_);
  if (people_ == nullptr || open != open_) {
    auto all = std::make_shared<std::set<std::string>>();
    all->insert(instructor);
    for (const auto& course : open)
      for (const auto& [id, student] : course->students) all->insert(id);
    people_ = std::move(all);
    open_ = std::move(open);
  }
  return people_;
}

std::string ClassSite::refusal() const {
  return "This link opens nothing: it is wrong, or it has expired. Ask your instructor for your present "
         "link.";
}

SiteLimits ClassSite::limits() const {
  return {largest_hand_in, 256, 8};
}

std::string ClassSite::page() const {
  return class_html;
}

const std::vector<Asset>& ClassSite::assets() const {
  static const std::vector<Asset> all = {
      {"workbench.css", workbench_css, "text/css"},
      {"class.css", class_css, "text/css"},
      {"class.js", class_js, "text/javascript"},
      {"api.js", workbench_api_js, "text/javascript"},
  };
  return all;
}

ApiAnswer ClassSite::answer(const ApiRequest& request) {
  try {
    return routed(request);
  } catch (const Error& e) {
    return json_answer(to_json(e), e.kind() == ErrorKind::usage ? 400 : 500);
  }
}

std::unique_ptr<SiteEvents> ClassSite::events(const ApiRequest& request) {
  if (request.path != "/api/1/events") return nullptr;
  return std::make_unique<ClassEvents>(*this, request.person);
}

std::optional<std::size_t> ClassSite::lab_of(std::string& path) const {
  for (std::size_t i = 0; i < labs_.size(); ++i) {
    const std::string own = fmt::format("{}/{}", labs_[i]->lab.id, labs_[i]->level);
    if (path != own && !path.starts_with(own + "/")) continue;
    path.erase(0, own.size());
    return i;
  }
  return std::nullopt;
}

ApiAnswer ClassSite::routed(const ApiRequest& request) {
  std::string path = request.path;
  const bool reads = request.method == "GET";
  if (reads && cut(path, "/board/"))
    if (const auto lab = lab_of(path); lab && path.empty()) return html_of(pages_.of(*lab)->board_page, "");
  if (reads && request.person == instructor && cut(path, "/class/"))
    if (const auto lab = lab_of(path); lab && path.empty())
      return html_of(pages_.of(*lab)->instructor_page, pages_.of(*lab)->problem);
  if (cut(path, "/git/")) {
    const auto lab = lab_of(path);
    return lab ? of_git(request, *lab, path) : not_found(request.path);
  }
  if (!cut(path, "/api/1")) return not_found(request.path);
  if (path.empty() && reads)
    return json_answer({{"format", 1}, {"kind", "api"}, {"version", 1}, {"kit_version", kit_version()}});
  if (path == "/class" && reads) return describe(request.person);
  if (!cut(path, "/labs/")) return not_found(request.path);
  const auto lab = lab_of(path);
  return lab ? of_lab(request, *lab, path) : not_found(request.path);
}

ApiAnswer ClassSite::of_lab(const ApiRequest& request, std::size_t lab, std::string rest) {
  const bool reads = request.method == "GET", is_student = request.person != instructor;
  if (reads && rest == "/board") return board(request.person, lab);
  if (!is_student || !labs_[lab]->course()->students.contains(request.person)) return not_found(request.path);
  if (rest == "/hand-ins") {
    if (reads) return history(request.person, lab);
    if (request.method == "POST") return hand_in(request, lab);
  }
  if (cut(rest, "/hand-ins/")) {
    if (reads) return feedback(request.person, lab, rest);
    if (request.method == "DELETE") return take_back(request.person, lab, rest);
  }
  return not_found(request.path);
}

ApiAnswer ClassSite::html_of(const std::string& page, const std::string& problem) const {
  if (!problem.empty()) return refused(500, problem, "The next grading updates the page.");
  if (page.empty()) return not_found("page yet");
  return {200, page, "text/html; charset=utf-8", true};
}

ApiAnswer ClassSite::describe(const std::string& person) {
  Json labs = Json::array();
  std::string own_name;
  for (std::size_t i = 0; i < labs_.size(); ++i) {
    ClassLab& lab = *labs_[i];
    const auto course = lab.course();
    const auto student = course->students.find(person);
    if (person != instructor && student == course->students.end()) continue;
    if (student != course->students.end()) own_name = student->second.name;
    Json one = {{"lab", lab.lab.id},
                {"level", lab.level},
                {"title", lab.lab.title},
                {"files", names_to_hand_in(lab.form)},
                {"counts", course->latest_counts ? "latest" : "best"},
                {"deadline", deadline_json(*course, person)},
                {"quota", quota_json(quota_left(*course, lab.folder, person))},
                {"board_page", fmt::format("/board/{}/{}", lab.lab.id, lab.level)}};
    if (person == instructor) {
      one["class_page"] = fmt::format("/class/{}/{}", lab.lab.id, lab.level);
      one["problem"] = pages_.of(i)->problem.empty() ? lab.problem() : pages_.of(i)->problem;
    }
    labs.push_back(std::move(one));
  }
  const bool teaches = person == instructor;
  return json_answer({{"format", 1},
                      {"kind", "class"},
                      {"name", name_},
                      {"student", teaches ? Json() : Json({{"id", person}, {"name", own_name}})},
                      {"instructor", teaches},
                      {"now", utc_now()},
                      {"labs", labs}});
}

Json ClassSite::queue_json(const std::string& person) {
  const GradingQueue::Counts counts = queue_.counts();
  Json own = Json::array();
  for (const HandInState& state : queue_.states_of(person)) {
    Json one = state_json(state);
    one["lab"] = labs_[state.lab]->lab.id;
    one["level"] = labs_[state.lab]->level;
    own.push_back(std::move(one));
  }
  Json out = {{"waiting", counts.waiting}, {"running", counts.running}, {"own", own}};
  if (!counts.problem.empty())
    out["problem"] =
        person == instructor ? counts.problem : "Nothing can be graded now; all hand-ins are kept.";
  return out;
}

ApiAnswer ClassSite::hand_in(const ApiRequest& request, std::size_t i) {
  std::vector<std::string> ignored;
  const bool zip = is_zip(request.body);
  const std::vector<SubmissionFile> files =
      zip ? files_in_zip(request.body, labs_[i]->form, ignored) : files_in_json(request.body);
  if (files.empty() && !zip)
    return refused(400, "No files were handed in as texts in UTF-8.",
                   "Send {\"files\": [{\"name\", \"text\"}]}: docs/serve.md.");
  return json_answer(receive(request.person, i, files, ignored), 201);
}

Json ClassSite::receive(const std::string& student, std::size_t i, const std::vector<SubmissionFile>& files,
                        const std::vector<std::string>& ignored) {
  ClassLab& lab = *labs_[i];
  const Accepted accepted = queue_.accept(i, student, files);
  const Receipt& receipt = accepted.receipt;
  const auto course = lab.course();
  Json missing = Json::array();
  for (const std::string& name : answers_to_hand_in(lab.form))
    if (std::none_of(files.begin(), files.end(), [&](const auto& one) { return one.name == name; }))
      missing.push_back(name);
  Json out = {{"format", 1},
              {"kind", "receipt"},
              {"lab", lab.lab.id},
              {"level", lab.level},
              {"attempt", receipt.number},
              {"received_at", receipt.received_at},
              {"sha256", receipt.sha256},
              {"files", files_json(receipt)},
              {"missing", missing},
              {"ignored", ignored},
              {"replaces_waiting", accepted.replaces},
              {"share", share_left(*course, student, receipt.received_at)}};
  try {
    out["quota"] = quota_json(quota_left(*course, lab.folder, student));
  } catch (const Error&) {
    out["quota"] = nullptr;  // the hand-in is stored, whatever can't be read now
  }
  for (const HandInState& state : queue_.states_of(student))
    if (state.lab == i && state.place != 0) {
      const Json its = state_json(state);
      out["place"] = its["place"];
      if (its.contains("expected_at")) out["expected_at"] = its["expected_at"];
    }
  return out;
}

ApiAnswer ClassSite::of_git(const ApiRequest& request, std::size_t i, const std::string& rest) {
  if (!takes_pushes()) return refused(404, "This machine has no git, so it takes no pushes.");
  if (!labs_[i]->course()->students.contains(request.person)) return not_found(request.path);
  if (request.method == "GET" && rest == "/info/refs") {
    if (request.git_service != "git-receive-pack")
      return refused(403, "A push hands in; nothing can be fetched here.");
    return {200, git_advertisement(), advertisement_type};
  }
  if (request.method != "POST" || rest != "/git-receive-pack") return not_found(request.path);
  const GitPush push = read_push(request.body);
  if (push.refs.empty()) return {200, push_answer(push, "", ""), push_answer_type};
  try {
    std::vector<std::string> ignored;
    const std::vector<SubmissionFile> files =
        files_in_zip(archive_of(push, kit_.state() / "work"), labs_[i]->form, ignored);
    const Json receipt = receive(request.person, i, files, {});
    return {200, push_answer(push, receipt_text(receipt), ""), push_answer_type};
  } catch (const Error& e) {
    const std::string next = e.next_step().empty() ? "" : "Next: " + e.next_step() + "\n";
    return {200, push_answer(push, fmt::format("{}\n{}", e.what(), next), "not handed in"), push_answer_type};
  }
}

ApiAnswer ClassSite::take_back(const std::string& student, std::size_t i, const std::string& attempt) {
  const bool digits =
      !attempt.empty() && attempt.size() < 7 &&
      std::all_of(attempt.begin(), attempt.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return not_found("attempt " + attempt);
  queue_.take_back(i, student, std::stoi(attempt));
  return json_answer({{"format", 1}, {"kind", "taken_back"}, {"attempt", std::stoi(attempt)}});
}

ApiAnswer ClassSite::history(const std::string& student, std::size_t i) {
  ClassLab& lab = *labs_[i];
  const auto course = lab.course();
  Records records(kit_.state() / "records.sqlite");
  // The states are read first. A hand-in that is graded meanwhile is then in the records.
  const std::vector<HandInState> states = queue_.states_of(student);
  const FoundHandIns found = lab.find(student);
  const GradedClass graded = lab.graded(kit_, records, found);
  const std::vector<Mark> all = marks(*course, graded.attempts);
  const Mark* const mark = mark_of(all, student);
  Json out = Json::array();
  for (const HandIn& one : found.all) {
    const Receipt receipt = receipt_in(one.paths.front());
    Json entry = {{"attempt", one.attempt},
                  {"received_at", one.received_at},
                  {"sha256", receipt.number != 0 ? Json(receipt.sha256) : Json()},
                  {"files", files_json(receipt)},
                  {"share", share_left(*course, student, one.received_at)},
                  {"state", "waiting"}};
    for (const HandInState& state : states)
      if (state.lab == i && state.attempt == one.attempt) entry.update(state_json(state));
    for (const GradedAttempt& attempt : graded.attempts)
      if (attempt.hand_in.attempt == one.attempt && is_graded(attempt.grading)) {
        const std::string path =
            fmt::format("/api/1/labs/{}/{}/hand-ins/{}", lab.lab.id, lab.level, one.attempt);
        entry.update({{"state", "graded"},
                      {"points", attempt.grading.points},
                      {"max_points", attempt.grading.max_points},
                      {"words", words(attempt.grading.verdict)},
                      {"counts", mark != nullptr && mark->counted == one.attempt},
                      {"feedback", path + ".html"}});
        entry.erase("place");
      }
    out.push_back(std::move(entry));
  }
  for (const Receipt& receipt : receipts_of(lab.folder, student))
    if (receipt.replaced || receipt.taken_back)
      out.push_back({{"attempt", receipt.number},
                     {"received_at", receipt.received_at},
                     {"sha256", receipt.sha256},
                     {"files", files_json(receipt)},
                     {"state", receipt.replaced ? "replaced" : "taken back"}});
  std::stable_sort(out.begin(), out.end(), [](const Json& a, const Json& b) {
    return a["received_at"].get<std::string>() < b["received_at"].get<std::string>();
  });
  Json answer = {{"format", 1},
                 {"kind", "hand_ins"},
                 {"hand_ins", out},
                 {"deadline", deadline_json(*course, student)},
                 {"quota", quota_json(quota_left(*course, lab.folder, student))}};
  if (mark != nullptr && mark->counted != 0)
    answer["mark"] = {{"mark", mark->mark()}, {"of", mark->max_points}, {"attempt", mark->counted}};
  return json_answer(answer);
}

/// @param file "2.html" or "2.txt" for attempt 2
ApiAnswer ClassSite::feedback(const std::string& student, std::size_t i, const std::string& file) {
  ClassLab& lab = *labs_[i];
  const auto course = lab.course();
  Records records(kit_.state() / "records.sqlite");
  const GradedClass graded = lab.graded(kit_, records, lab.find(student));
  for (const GradedAttempt& one : graded.attempts) {
    const std::string number = std::to_string(one.hand_in.attempt);
    if (!is_graded(one.grading) || (file != number + ".html" && file != number + ".txt")) continue;
    const Mark mark = own_mark(*course, graded.attempts, one);
    const Feedback its = feedback_on(lab.lab, *course, one, mark, utc_now());
    if (file.ends_with(".txt")) return {200, feedback_text(its), "text/plain; charset=utf-8"};
    return {200, feedback_page(its), "text/html; charset=utf-8", true};
  }
  return not_found("feedback " + file);
}

/// The board does not show when students handed in: a reader who notices that a student hands in could find
/// the student's nickname.
ApiAnswer ClassSite::board(const std::string& person, std::size_t i) {
  const auto page = pages_.of(i);
  Json placings = Json::array(), history = Json::array();
  Json out = {{"format", 1},
              {"kind", "board"},
              {"number", page->number},
              {"lab", labs_[i]->lab.id},
              {"level", labs_[i]->level}};
  if (page->board) {
    const Leaderboard& board = *page->board;
    for (const Placing& one : board.placings)
      placings.push_back({{"rank", one.rank},
                          {"nickname", one.nickname},
                          {"time_s", board.timed ? Json(one.time_s) : Json()},
                          {"to_reference", board.reference_s > 0 ? Json(one.to_reference) : Json()},
                          {"own", one.student == person}});
    Json references = Json::array();
    for (const Leaderboard::Line& line : board.lines)
      references.push_back({{"name", line.name}, {"time_s", line.time_s}});
    out["references"] = references;
    for (const Leaderboard::Moment& moment : board.history) history.push_back(moment.ranks);
    out["case"] = board.timed ? Json(board.case_id) : Json();
    out["source"] = board.time_source;
    out["reference_s"] = board.reference_s > 0 ? Json(board.reference_s) : Json();
    out["students"] = board.students;
  }
  out["placings"] = placings;
  out["history"] = history;
  out["counted"] = page->board && page->board->counted ? counted_json(*page->board->counted, person) : Json();
  return json_answer(out);
}

}  // namespace grader
