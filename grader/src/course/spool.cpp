// Shares are CBOR, since submissions may not be UTF-8. All other files are JSON, so that a person can read
// them.
#include "course/spool.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/removal.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

constexpr int format = 2;
constexpr std::uintmax_t share_limit = std::uintmax_t{1} << 31, result_limit = 64 << 20,
                         list_limit = 64 << 20;

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator();
       at.increment(failed))
    if (!is_hidden(at->path())) names.push_back(at->path().filename().string());
  return names;
}

/// A network file system may show a stale listing for a minute; creating a file there refreshes it.
void look_anew(const fs::path& folder) {
  const fs::path probe = folder / fmt::format(".look-{}", getpid());
  std::error_code ignored;
  write_file(probe, "");
  fs::remove(probe, ignored);
}

Json to_binary(const std::string& text) {
  return Json::binary(std::vector<std::uint8_t>(text.begin(), text.end()));
}

std::string from_binary(const Json& json) {
  const auto& bytes = json.get_binary();
  return {bytes.begin(), bytes.end()};
}

/// A share for its task, with the ids of its items.
struct WrittenShare {
  std::string bytes;
  std::vector<std::string> ids;
};

/// The item with its files. If the item can't be read, calls `unread` and returns no value.
std::optional<Submission> whole_item(const WorkItem& item, const Spool::Unread& unread) {
  try {
    return item.whole();
  } catch (const Error& e) {
    unread(item, e.what());
    return std::nullopt;
  }
}

WrittenShare written_share(const Share& share, const std::vector<const WorkItem*>& of_share,
                           const Spool::Unread& unread) {
  WrittenShare out;
  Json items = Json::array();
  for (const WorkItem* const item : of_share) {
    const std::optional<Submission> whole = whole_item(*item, unread);
    if (!whole) continue;
    out.ids.push_back(item->id);
    Json files = Json::array();
    for (const SubmissionFile& file : whole->files)
      files.push_back({{"name", to_binary(file.name.string())}, {"text", to_binary(file.text)}});
    items.push_back({{"id", item->id},
                     {"attempt", item->attempt},
                     {"folder", to_binary(whole->folder.string())},
                     {"files", files}});
  }
  const Json json = {{"format", format},       {"lab", share.lab},
                     {"level", share.level},   {"backend", to_string(share.backend)},
                     {"unsafe", share.unsafe}, {"workers", share.workers},
                     {"tries", share.tries},   {"scratch", share.scratch.string()},
                     {"secret", share.secret}, {"items", std::move(items)}};
  Json::to_cbor(json, out.bytes);
  return out;
}

const fs::path batch_of(const fs::path& round) {
  return round.parent_path().parent_path();
}

fs::path result_file(const fs::path& batch, const std::string& item) {
  return batch / "results" / (item + ".json");
}

/// How often each item was begun. Counts the files whose names contain `word`, if it is given.
std::map<std::string, int> count_begun(const fs::path& batch, const std::string& word) {
  std::map<std::string, int> times;
  for (const std::string& name : names_in(batch / "begun"))
    if (name.find(word) != std::string::npos) ++times[name.substr(0, name.find('.'))];
  return times;
}

}  // namespace

void make_private_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder.parent_path(), failed);
  if (!failed && ::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    failed = std::error_code(errno, std::generic_category());
  struct stat status {};
  if (!failed && ::lstat(folder.c_str(), &status) != 0)
    failed = std::error_code(errno, std::generic_category());
  if (failed)
    throw Error(ErrorKind::environment,
                fmt::format("{} can't be made: {}.", folder.string(), failed.message()),
                "name another folder in [slurm] of the class file: shared = or scratch =");
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 0077) != 0)
    throw Error(ErrorKind::environment,
                fmt::format("{} is not a folder of yours that others can't look into.", folder.string()),
                fmt::format("remove it, or: chmod 700 '{}'", folder.string()));
}

Spool::Spool(fs::path folder, const std::string& state) : folder_(std::move(folder)) {
  make_private_folder(folder_);
  const fs::path head = folder_ / "batch.json";
  std::error_code failed;
  if (fs::exists(head, failed)) {
    const Json json = parse_json(read_file(head, list_limit), head.string());
    id_ = json.value("id", "");
    batch_ = folder_ / id_;
    read_rounds();
    if (json.value("state", "") == state && json.value("format", 0) == format) return;
    for (const Round& round : rounds_) abandoned_.push_back(job_name(round.number));
    rounds_.clear();
  }
  fs::remove(head, failed);
  for (const std::string& name : names_in(folder_)) remove_tree(folder_ / name);
  id_ = new_id();
  batch_ = folder_ / id_;
  for (const char* name : {"rounds", "begun", "results", "logs"}) {
    fs::create_directories(batch_ / name, failed);
    if (failed)
      throw Error(ErrorKind::environment,
                  fmt::format("{} can't be made: {}.", (batch_ / name).string(), failed.message()));
  }
  write_file(head, json_text({{"format", format}, {"id", id_}, {"state", state}}));
}

std::string Spool::job_name(int round) const {
  return fmt::format("grader-{}-{}", id_, round);
}

fs::path Spool::round_folder(int number) const {
  return batch_ / "rounds" / std::to_string(number);
}

void Spool::read_rounds() {
  for (const std::string& name : names_in(batch_ / "rounds")) {
    const fs::path file = batch_ / "rounds" / name / "round.json";
    std::error_code failed;
    if (!fs::exists(file, failed)) continue;  // incomplete, so no job reads it
    const Json json = parse_json(read_file(file, list_limit), file.string());
    rounds_.push_back({json.value("number", 0), json.value("items", std::vector<std::vector<std::string>>{}),
                       json.value("settings", "")});
  }
  std::sort(rounds_.begin(), rounds_.end(),
            [](const Round& a, const Round& b) { return a.number < b.number; });
}

const Round& Spool::add_round(const Share& common, const std::vector<std::vector<const WorkItem*>>& items,
                              const std::string& settings, const Unread& unread) {
  Round round;
  round.settings = settings;
  round.number = rounds_.empty() ? 1 : rounds_.back().number + 1;
  const fs::path folder = round_folder(round.number);
  remove_tree(folder);
  for (std::size_t i = 0; i < items.size(); ++i) {
    WrittenShare share = written_share(common, items[i], unread);
    write_file(folder / fmt::format("{}.share", i), share.bytes);
    round.items.push_back(std::move(share.ids));
  }
  write_file(folder / "round.json",
             json_text({{"number", round.number}, {"items", round.items}, {"settings", settings}}, -1));
  rounds_.push_back(std::move(round));
  return rounds_.back();
}

void Spool::remove_round(int number) {
  std::erase_if(rounds_, [&](const Round& round) { return round.number == number; });
  remove_tree(round_folder(number));
}

std::set<std::string> Spool::results() const {
  look_anew(batch_ / "results");
  std::set<std::string> items;
  for (const std::string& name : names_in(batch_ / "results"))
    if (name.ends_with(".json")) items.insert(name.substr(0, name.size() - 5));
  return items;
}

std::optional<Grading> Spool::result(const std::string& item) const {
  const fs::path file = result_file(batch_, item);
  try {
    return grading_from_json(parse_json(read_file(file, result_limit), file.string()));
  } catch (const Error&) {
    remove_result(item);
    return std::nullopt;
  }
}

void Spool::remove_result(const std::string& item) const {
  std::error_code ignored;
  fs::remove(result_file(batch_, item), ignored);
}

std::map<std::string, int> Spool::begun(int round) const {
  look_anew(batch_ / "begun");
  return count_begun(batch_, round == 0 ? "." : fmt::format(".{}-", round));
}

fs::path Spool::log(int round, int task) const {
  return batch_ / "logs" / fmt::format("{}-{}.txt", round, task);
}

std::string Spool::last_words(int round, int task) const {
  std::string sentence, last;
  bool inside = false;
  try {
    for (const std::string& line : split_lines(read_file(log(round, task), list_limit))) {
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == std::string::npos) continue;
      last = line.substr(begin);
      const bool first =
          line.rfind("grader: ", 0) == 0;  // the start of an error message, which may be wrapped
      inside = first || (inside && line.rfind("Next: ", 0) != 0);
      if (first) sentence.clear();
      if (inside) sentence += (first ? "" : " ") + last.substr(first ? 8 : 0);
    }
  } catch (const Error&) {
    return "";  // the task printed nothing
  }
  return printable(sentence.empty() ? last : sentence);
}

void Spool::close(bool keep_logs) {
  std::error_code ignored;
  fs::remove(folder_ / "batch.json", ignored);
  if (!keep_logs) {
    remove_tree(folder_);
    return;
  }
  for (const char* name : {"rounds", "begun", "results"}) remove_tree(batch_ / name);
}

Share read_share(const fs::path& round, int task) {
  const fs::path file = round / fmt::format("{}.share", task);
  const std::string bytes = read_file(file, share_limit);
  const Json json = Json::from_cbor(bytes, true, false);
  if (json.is_discarded() || json.value("format", 0) != format)
    throw Error(ErrorKind::fault, fmt::format("{} is no share of work of this version.", file.string()),
                "run the same grader on all nodes");
  Share share;
  share.lab = json.at("lab");
  share.level = json.at("level");
  share.backend = json.at("backend") == to_string(Backend::gpu) ? Backend::gpu : Backend::emu;
  share.unsafe = json.at("unsafe");
  share.workers = json.at("workers");
  share.tries = json.at("tries");
  share.scratch = std::string(json.at("scratch"));
  share.secret = json.at("secret");
  std::map<std::string, int> begun = count_begun(batch_of(round), ".");
  for (const Json& one : json.at("items")) {
    WorkItem item;
    item.id = one.at("id");
    item.attempt = one.at("attempt");
    std::error_code failed;
    if (fs::exists(result_file(batch_of(round), item.id), failed) || begun[item.id] >= share.tries) continue;
    item.submission.level = share.level;
    item.submission.origin = Origin::folder;
    item.submission.folder = from_binary(one.at("folder"));
    for (const Json& file_of : one.at("files"))
      item.submission.files.push_back({from_binary(file_of.at("name")), from_binary(file_of.at("text"))});
    share.items.push_back(std::move(item));
  }
  return share;
}

void write_begun(const fs::path& round, int task, const std::string& item) {
  write_file(
      batch_of(round) / "begun" / fmt::format("{}.{}-{}-{}", item, round.filename().string(), task, new_id()),
      "");
}

void write_result(const fs::path& round, const std::string& item, const Grading& grading) {
  write_file(result_file(batch_of(round), item), json_text(to_json(grading), -1));
}

}  // namespace grader
