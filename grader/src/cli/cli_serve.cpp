// serve: shows the workbench in a browser for one person, or receives a class's hand-ins and shows its queue
// and board.
// submit: hands files in to such a class.
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "cli/class_choice.hpp"
#include "cli/cli_session.hpp"
#include "course/local_executor.hpp"
#include "process/process.hpp"
#include "serve/class_site.hpp"
#include "serve/server.hpp"
#include "serve/submit.hpp"
#include "serve/workbench.hpp"

namespace grader {
namespace {

struct ServeChoice : ServeOptions, LocalChoice {
  std::vector<std::string> classes, renew;
  bool links = false, open = false;
};

/// Opens the address in the desktop's browser. Other users of the machine can read command lines, so the
/// browser gets the name of a file that only this user can read.
void open_in_browser(const Kit& kit, const std::string& address) {
  const fs::path file = kit.state() / "serve" / "open.html";
  write_file(file, "");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  std::ofstream(file) << "<!doctype html><meta http-equiv=refresh content=\"0;url=" << address << "\">\n";
  ProcessRequest request;
  request.argv = {"xdg-open", file.string()};
  request.limits.wall_s = 10;
  run_process(request);
}

void say_ready(Session& session, const std::string& address, const std::string& text) {
  if (session.json)
    session.answer(nlohmann::json{{"format", 1}, {"kind", "serve"}, {"address", address}});
  else
    session.print(text);
}

int serve_workbench(Session& session, const ServeChoice& o) {
  const std::string token = random_token();
  Workbench site(session.kit(), session.catalog(), token);
  serve(site, o, [&](const Guard& guard) {
    const std::string address = guard.address(token);
    say_ready(
        session, address,
        fmt::format("Your workbench: {}\nIt is for you alone, on this machine. Ctrl-C ends it.\n", address));
    if (o.open) open_in_browser(session.kit(), address);
  });
  return 0;
}

struct ReadClass {
  fs::path file;
  fs::path folder;  ///< of the hand-ins
  ClassFile course;
  const Lab* lab;
};

/// @throws Error (usage) if the class files don't belong to one class
std::vector<ReadClass> read_classes(Session& session, const std::vector<std::string>& files) {
  std::vector<ReadClass> out;
  std::set<std::pair<std::string, int>> levels;
  for (const std::string& file : files) {
    ReadClass one{file, fs::absolute(file).lexically_normal().parent_path(), read_class_file(file), nullptr};
    if (one.course.lab.empty())
      throw Error(ErrorKind::usage, fmt::format("{} names no lab.", file), "write there: lab = \"lab1.1\"");
    if (one.course.students.empty())
      throw Error(ErrorKind::usage, fmt::format("{} has no student.", file),
                  "write there: students = \"students.csv\", or [[student]]");
    LabChoice choice{one.course.lab, one.course.level};
    one.lab = &choice.find(session);
    need_ids_as_folders(one.course);
    if (!levels.insert({one.lab->id, one.course.level}).second)
      throw Error(ErrorKind::usage, fmt::format("{} is there twice.", one.lab->id),
                  "name each class file once");
    if (!out.empty() && (one.course.name != out.front().course.name || one.course.name.empty()))
      throw Error(ErrorKind::usage, "These class files are not of one class.",
                  "give each the same name = \"gpu-2030\"");
    out.push_back(std::move(one));
  }
  return out;
}

std::string named(const std::string& person) {
  return person == instructor ? "(instructor)" : person;
}

int print_links(Session& session, const ServeChoice& o, const ClassLinks& links,
                const std::set<std::string>& people) {
  const Guard guard(
      o.port > 0 ? o.port : usual_port, [](const std::string&) { return false; }, o.address);
  for (const std::string& one : o.renew) {
    const std::string person = one == "(instructor)" ? instructor : one;
    if (!people.contains(person))
      throw Error(ErrorKind::usage, fmt::format("The class has no student {}.", one),
                  "grader serve --class FILE --links lists them");
    links.renew(person);
  }
  nlohmann::json all = nlohmann::json::array();
  std::string text;
  for (const std::string& person : people) {
    if (!o.links && std::find(o.renew.begin(), o.renew.end(), named(person)) == o.renew.end()) continue;
    const std::string address = guard.address(links.token_of(person));
    all.push_back(
        {{"student", person == instructor ? nlohmann::json() : nlohmann::json(person)}, {"link", address}});
    text += fmt::format("{}\t{}\n", named(person), address);
  }
  if (session.json)
    session.answer(nlohmann::json{{"format", 1}, {"kind", "links"}, {"links", all}});
  else
    session.print(text);
  return 0;
}

int serve_class(Session& session, ServeChoice& o) {
  std::vector<ReadClass> read = read_classes(session, o.classes);
  std::set<std::string> people = {instructor};
  for (const ReadClass& one : read)
    for (const auto& [id, student] : one.course.students) people.insert(id);
  const std::string name = name_of_class(read.front().course, read.front().folder);
  ClassLinks links(session.kit(), name);
  if (o.links || !o.renew.empty()) return print_links(session, o, links, people);
  Backend backend = Backend::emu;
  std::string note;
  const int workers = o.choose_workers(session, backend, note);
  if (!note.empty()) session.say("note: " + note);
  if (!ends_slow_requests())
    session.say(
        "note: this grader's cpp-httplib does not end slow requests, so let a reverse proxy do it "
        "(docs/serve.md)");
  session.records();  // created before several threads open it
  GradingQueue::Labs labs;
  for (ReadClass& one : read) {
    CourseOptions run;
    run.folder = one.folder;
    run.course = one.course;
    const LocalWork work = {backend, 1, class_secret(session.kit(), *one.lab, run)};
    labs.push_back(std::make_unique<ClassLab>(
        session.kit(), *one.lab, one.file, one.folder, std::move(one.course), backend,
        std::make_unique<LocalExecutor>(session.kit(), session.toolchain(), work)));
  }
  ClassSite site(session.kit(), session.toolchain(), name, links, labs, workers);
  o.only_usual_port = true;
  serve(site, o, [&](const Guard& guard) {
    const std::string address = guard.address(links.token_of(instructor));
    say_ready(session, address,
              fmt::format("The class {}: {} students. Their links: the same command with --links.\n"
                          "Your page: {}\nIt is for you alone. Ctrl-C ends the server, and loses nothing.\n",
                          name, people.size() - 1, address));
  });
  return 0;
}

int run_serve(Session& session, ServeChoice& o) {
  if (!o.address.empty()) {
    const std::size_t host = o.address.find("://");
    const bool whole = o.address.starts_with("https://") || o.address.starts_with("http://");
    if (!whole || o.address.size() == host + 3 || o.address.find('/', host + 3) != std::string::npos)
      throw Error(ErrorKind::usage, fmt::format("{} is no address of a server.", o.address),
                  "--address https://labs.example.org, without a path");
  }
  if (!o.classes.empty()) return serve_class(session, o);
  if (o.links || !o.renew.empty())
    throw Error(ErrorKind::usage, "Links need a class.", "grader serve --class class.toml --links");
  return serve_workbench(session, o);
}

Command serve_command() {
  const auto o = std::make_shared<ServeChoice>();
  return {
      .name = "serve",
      .summary = "Work on labs in a browser, or take a class's hand-ins",
      .group = Group::student,
      .options = concat(
          {{{.names = "--port",
             .type = "N",
             .help = "port on this machine; default: 8347, or a free one",
             .value = &o->port,
             .positive = true,
             .most = 65535},
            {.names = "--open", .help = "open it in a browser", .value = &o->open},
            {.names = "--class",
             .type = "FILE",
             .help = "serve this class: its students hand in, and see queue and board; again for another lab",
             .value = &o->classes,
             .existing_file = true},
            {.names = "--links",
             .help = "print the link of each student and of the instructor, and end",
             .value = &o->links},
            {.names = "--renew",
             .type = "STUDENT",
             .help = "give the student another link, print it, and end",
             .value = &o->renew},
            {.names = "--address",
             .type = "URL",
             .help = "of the reverse proxy by which the class reaches this server",
             .value = &o->address}},
           o->local_options(),
           report_options()}),
      .run = [o](Session& session) { return run_serve(session, *o); }};
}

struct SubmitChoice {
  LabChoice lab;
  std::string link;
};

int run_submit(Session& session, SubmitChoice& o) {
  const Lab& lab = o.lab.find(session);
  const int level = o.lab.level_or_first();
  const Submission own = read_submission(session.kit(), lab, level, Origin::student);
  const LevelForm form = read_form(session.kit(), lab, level);
  const std::vector<std::string> names = names_to_hand_in(form);
  std::vector<SubmissionFile> files;
  for (const SubmissionFile& file : own.files)
    if (std::find(names.begin(), names.end(), file.name.generic_string()) != names.end())
      files.push_back(file);
  need_acceptable(form, files);
  const nlohmann::json receipt = submit(o.link, lab, level, files);
  if (session.json) {
    session.answer(receipt);
    return 0;
  }
  const nlohmann::json known = receipt.value("files", nlohmann::json::array());
  for (const SubmissionFile& file : files) {
    const bool same = std::any_of(known.begin(), known.end(), [&](const auto& one) {
      return one.value("name", "") == file.name.generic_string() &&
             one.value("sha256", "") == sha256_hex(file.text);
    });
    if (!same)
      throw Error(ErrorKind::environment,
                  fmt::format("The receipt has another {}.", file.name.generic_string()),
                  "hand it in again, and show your instructor the receipt");
  }
  session.print(receipt_text(receipt));
  return 0;
}

Command submit_command() {
  const auto o = std::make_shared<SubmitChoice>();
  return {.name = "submit",
          .summary = "Hand in to the class's server, and print the receipt",
          .group = Group::student,
          .options = concat({o->lab.options(),
                             {{.names = "--to",
                               .type = "LINK",
                               .help = "your link, in quotes: your instructor has it",
                               .value = &o->link,
                               .required = true}},
                             report_options()}),
          .run = [o](Session& session) { return run_submit(session, *o); }};
}

}  // namespace

std::vector<Command> serve_commands() {
  return {serve_command(), submit_command()};
}

}  // namespace grader
