// Paths are split at their slashes. Each piece is compared with the names of known labs, files and pages, and
// is never appended to a folder. Any other path is not found.
#include "serve/workbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "base/utc.hpp"
#include "base/version.hpp"
#include "handout/page_html.hpp"
#include "model/json.hpp"
#include "report/report.hpp"
#include "report/workbench_json.hpp"
#include "serve/api.hpp"
#include "serve/guard.hpp"
#include "serve/texts.hpp"
#include "serve/versions.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

const std::string user = "user";                   // there is only one person
constexpr std::uintmax_t largest_page = 64 << 20;  // a page that steps through a kernel contains its trace

std::unique_ptr<Records> records_if_any(const Kit& kit) {
  const fs::path file = kit.state() / "records.sqlite";
  std::error_code ignored;
  return fs::exists(file, ignored) ? std::make_unique<Records>(file) : nullptr;
}

/// The kept versions of a student's files, with the verdict on each version.
Json versions_json(const Kit& kit, const Lab& lab, int level, const Records* records) {
  std::map<std::string, Headline> headlines;
  if (records != nullptr)
    for (const RecordSummary& one :
         records->list({.lab = lab.id, .level = level, .limit = static_cast<int>(2 * most_versions)}))
      if (const auto grading = records->get(one.id); grading && !grading->check)
        headlines.try_emplace(grading->sources_sha256, headline_of(lab, *grading));
  Json out = Json::array();
  for (const Version& version : kept_versions(kit, lab, level)) {
    const auto time = std::chrono::file_clock::to_sys(version.kept_at);
    const Headline& headline = headlines[version.digest];
    out.push_back({{"id", version.digest},
                   {"kept_at", utc_text(std::chrono::system_clock::to_time_t(
                                   std::chrono::time_point_cast<std::chrono::seconds>(time)))},
                   {"words", headline.verdict},
                   {"points_words", headline.points}});
  }
  return out;
}

/// The options of `grader` for a job, after those for its lab. No value for an unknown verb, table or
/// version.
std::optional<std::vector<std::string>> options_of(const Kit& kit, const Lab& lab, int level,
                                                   const std::string& verb, const Json& asked,
                                                   const fs::path& page) {
  using Options = std::vector<std::string>;
  const auto option = [&](const char* name) {
    const auto found = asked.find(name);
    return found != asked.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const Options to_page = {"--output", page.string(), "--replace"};
  if (verb == "grade" || verb == "check") return Options{"--steps"};
  if (verb == "view") {
    Options out = to_page;
    if (lab.film) out.push_back("--kernel");
    return out;
  }
  if (verb == "film" && lab.film) return to_page;
  if (verb == "element") {
    Options out = {"--element=" + option("element"), "--format", "text"};
    if (const std::string id = option("case"); !id.empty()) out.push_back("--case=" + id);
    return out;
  }
  if (verb == "beside")
    for (const Version& version : kept_versions(kit, lab, level))
      if (version.digest == option("version")) {
        Options out = to_page;
        out.insert(out.end(), {"--beside", version.folder.string()});
        return out;
      }
  if (verb == "table" || verb == "plot")
    for (const TableSpec& table : lab.tables)
      if (table.id == option("table"))
        return verb == "table" ? Options{"--id", table.id, "--format", "text"}
                               : Options{"--id", table.id, "--last", "--format", "svg"};
  return std::nullopt;
}

}  // namespace

struct Workbench::Place {
  const Lab& lab;
  int level;
  std::string rest;  ///< without a slash at its beginning
};

Workbench::Workbench(const Kit& kit, const Catalog& catalog, std::string token)
    : kit_(kit), catalog_(catalog), token_(std::move(token)), jobs_([this](const Job& job, Json& line) {
        if (line.value("kind", "") != "grading") return;
        std::optional<int> level;
        line = grading_page_json(catalog_.find(job.lab, level), grading_from_json(line));
      }) {}

std::optional<std::string> Workbench::owner_of(const std::string& token) {
  return same_token(token, token_) ? std::optional(user) : std::nullopt;
}

std::string Workbench::page() const {
  return workbench_html;
}

const std::vector<Asset>& Workbench::assets() const {
  static const std::vector<Asset> all = {
      {"workbench.css", workbench_css, "text/css"},
      {"workbench.js", workbench_js, "text/javascript"},
      {"api.js", workbench_api_js, "text/javascript"},
      {"editor.js", workbench_editor_js, "text/javascript"},
      {"handout.js", workbench_handout_js, "text/javascript"},
      {"verdict.js", workbench_verdict_js, "text/javascript"},
      {"views.js", workbench_views_js, "text/javascript"},
  };
  return all;
}

ApiAnswer Workbench::answer(const ApiRequest& request) {
  try {
    return routed(request);
  } catch (const Error& e) {
    return json_answer(to_json(e), e.kind() == ErrorKind::usage ? 400 : 500);
  }
}

ApiAnswer Workbench::routed(const ApiRequest& request) {
  std::string path = request.path;
  const bool reads = request.method == "GET";
  if (cut(path, "/kit/")) return reads ? page_of_kit(path) : not_found(request.path);
  if (cut(path, "/view/")) {
    const auto place = place_of(path);
    return reads && place && place->rest.empty() ? view_of(*place) : not_found(request.path);
  }
  if (!cut(path, "/api/1")) return not_found(request.path);
  if (path.empty() && reads)
    return json_answer({{"format", 1}, {"kind", "api"}, {"version", 1}, {"kit_version", kit_version()}});
  if (path == "/labs" && reads) return json_answer(labs_json(catalog_, records_if_any(kit_).get()));
  if (path == "/job" && request.method == "DELETE") {
    jobs_.cancel();
    return json_answer({{"format", 1}, {"kind", "cancelled"}});
  }
  if (!cut(path, "/labs/")) return not_found(request.path);
  const auto place = place_of(path);
  return place ? of_level(request, *place) : not_found(request.path);
}

std::optional<Workbench::Place> Workbench::place_of(const std::string& path) const {
  const std::size_t first = path.find('/');
  if (first == std::string::npos) return std::nullopt;
  const std::size_t second = std::min(path.find('/', first + 1), path.size());
  const std::string id = path.substr(0, first), level = path.substr(first + 1, second - first - 1);
  for (const Lab& lab : catalog_.labs())
    for (int n = 1; n <= lab.levels; ++n)
      if (lab.id == id && std::to_string(n) == level)
        return Place{lab, n, path.substr(std::min(second + 1, path.size()))};
  return std::nullopt;
}

ApiAnswer Workbench::of_level(const ApiRequest& request, const Place& place) {
  std::string rest = place.rest;
  if (rest.empty() && request.method == "GET") return describe(place);
  if (cut(rest, "files/")) return of_file(request, place, rest);
  if (request.method == "POST" && cut(rest, "jobs/")) return start(place, rest, request.body);
  if (request.method == "POST" && cut(rest, "hints/"))
    for (const Part& part : place.lab.parts)
      if (std::to_string(part.id) == rest)
        return json_answer(hints_json(place.lab, next_hint(kit_, place.lab, place.level, part.id)));
  return not_found(request.path);
}

ApiAnswer Workbench::describe(const Place& place) const {
  const Lab& lab = place.lab;
  Json parts = Json::array(), files = Json::array();
  for (const Part& part : lab.parts)
    if (part.counts_at(place.level))
      parts.push_back(
          {{"id", part.id}, {"title", part.title}, {"points", part.points}, {"hints", part.hints.size()}});
  for (const SubmissionFile& file : StudentFiles(kit_, lab, place.level).all())
    files.push_back(file_json(file));
  Json out = {{"format", 1},
              {"kind", "lab"},
              {"lab", lab.id},
              {"level", place.level},
              {"title", lab.title},
              {"folder", workspace_folder(kit_, lab, place.level).string()},
              {"handout", fmt::format("/kit/labs/{}/README.md", lab.folder.filename().string())},
              {"view", fs::exists(view_file(lab, place.level))},
              {"film", lab.film.has_value()},
              {"parts", std::move(parts)},
              {"files", std::move(files)},
              {"tables", Json::array()},
              {"grading", nullptr}};
  for (const TableSpec& table : lab.tables)
    out["tables"].push_back({{"id", table.id}, {"title", table.title}});
  const auto records = records_if_any(kit_);
  out["versions"] = versions_json(kit_, lab, place.level, records.get());
  if (records)
    if (const auto last = records->last_of_student(lab.id, place.level))
      out["grading"] = grading_page_json(lab, *last);
  return json_answer(out);
}

ApiAnswer Workbench::of_file(const ApiRequest& request, const Place& place, const std::string& name) {
  const StudentFiles files(kit_, place.lab, place.level);
  if (request.method == "GET") {
    const auto file = files.find(name);
    return file ? json_answer(file_json(*file)) : not_found(request.path);
  }
  if (request.method != "PUT") return not_found(request.path);
  if (!files.find(name)) return not_found(request.path);
  if (request.base.empty())
    return refused(428, "A save names the version that it replaces.", "Send its sha256 as If-Match.");
  if (request.body.size() > largest_shown)
    return refused(413, fmt::format("The file is larger than {} KiB.", largest_shown >> 10),
                   "Make it smaller.");
  if (first_line_not_utf8(request.body) > 0)
    return refused(400, "The file is not text in UTF-8.", "Save it as UTF-8.");
  if (const auto other = files.save(name, request.body, request.base)) {
    Json out = file_json({name, *other});
    out["error"] = fmt::format("{} was changed on disk meanwhile.", name);
    out["next"] = "Compare both versions, and save again with the new sha256.";
    return json_answer(out, 412);
  }
  return json_answer(file_json({name, request.body}));
}

/// @param options JSON; may be empty
ApiAnswer Workbench::start(const Place& place, const std::string& verb, const std::string& options) {
  const fs::path page = view_file(place.lab, place.level);
  const auto own = options_of(kit_, place.lab, place.level, verb, json_or_null(options), page);
  if (!own) return not_found("job " + verb + " with these options");
  fs::create_directories(page.parent_path());
  if (verb == "grade") keep_version(kit_, read_submission(kit_, place.lab, place.level, Origin::student));
  static const std::map<std::string, std::string> commands = {
      {"grade", "grade"}, {"check", "check"}, {"table", "table"}, {"plot", "table"}};
  const auto command = commands.find(verb);
  Job job = {place.lab.id, place.level, verb, {}};
  job.argv = {fs::read_symlink("/proc/self/exe").string(),
              command == commands.end() ? "view" : command->second,
              place.lab.id,
              "--level",
              std::to_string(place.level),
              "--json"};
  job.argv.insert(job.argv.end(), own->begin(), own->end());
  return json_answer({{"format", 1}, {"kind", "started"}, {"job", jobs_.start(std::move(job))}}, 202);
}

/// Converts a page of docs/ or a lab's handout to HTML; sends a figure of these folders unchanged.
ApiAnswer Workbench::page_of_kit(const std::string& path) const {
  const fs::path name(path);
  const std::string kind = name.extension().string();
  const bool page = kind == ".md", figure = kind == ".svg" || kind == ".png";
  if (!page && !figure) return not_found(path);
  for (const char* const folder : {"labs", "docs"})
    for (const fs::path& file : list_files(kit_.root / folder))
      if (file.lexically_relative(kit_.root) == name) {
        const std::string bytes = read_file(file, 16 << 20);
        if (page) return {200, page_html(bytes), "text/html; charset=utf-8"};
        return {200, bytes, kind == ".svg" ? "image/svg+xml" : "image/png"};
      }
  return not_found(path);
}

ApiAnswer Workbench::view_of(const Place& place) const {
  const fs::path file = view_file(place.lab, place.level);
  if (!fs::exists(file)) return not_found("page of this lab's kernels yet");
  return {200, read_file(file, largest_page), "text/html; charset=utf-8", true};
}

fs::path Workbench::view_file(const Lab& lab, int level) const {
  return kit_.state() / "serve" / fmt::format("{}.{}.html", lab.id, level);
}

std::unique_ptr<SiteEvents> Workbench::events(const ApiRequest& request) {
  std::string rest = request.path;
  if (!cut(rest, "/api/1/labs/")) return nullptr;
  const auto place = place_of(rest);
  if (!place || place->rest != "events") return nullptr;
  return std::make_unique<PageEvents>(kit_, place->lab, place->level, jobs_);
}

// -- Events ---------------------------------------------------------------------------------------------------------

PageEvents::PageEvents(const Kit& kit, const Lab& lab, int level, Jobs& jobs)
    : files_(kit, lab, level), jobs_(jobs), last_job_event_(jobs.last_seen()) {}

std::string PageEvents::next() {
  std::string out = changed_files();
  for (const Jobs::Event& event : jobs_.after(last_job_event_)) {
    out += "event: job\ndata: " + event.text + "\n\n";
    last_job_event_ = event.number;
  }
  return out;
}

/// The first call returns every file with its digest, so that a page that lost its connection gets all
/// changes.
std::string PageEvents::changed_files() {
  std::string stamp;
  std::map<std::string, std::string> now;
  try {
    stamp = files_.stamp();
    if (!known_.empty() && stamp == stamp_) return "";
    for (const SubmissionFile& file : files_.all()) now[file.name.generic_string()] = sha256_hex(file.text);
  } catch (const Error&) {
    return "";  // a file vanished or the folder can't be graded: it is read again soon
  }
  stamp_ = stamp;
  std::string out;
  const auto say = [&](const std::string& name, const Json& digest) {
    out += "event: file\ndata: " + json_text({{"name", name}, {"sha256", digest}}, -1) + "\n\n";
  };
  for (const auto& [name, digest] : now)
    if (const auto before = known_.find(name); before == known_.end() || before->second != digest)
      say(name, digest);
  for (const auto& [name, digest] : known_)
    if (!now.contains(name)) say(name, nullptr);
  known_ = std::move(now);
  return out;
}

}  // namespace grader
