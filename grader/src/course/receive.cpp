#include "course/receive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

#include "base/columns.hpp"
#include "base/descriptor.hpp"
#include "base/files.hpp"
#include "base/removal.hpp"
#include "base/sha256.hpp"
#include "base/utc.hpp"
#include "course/nicknames.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

constexpr const char* receipt_name = ".receipt.json";
constexpr const char* unfinished_name = ".new";
constexpr const char* taken_back_end = ".back";
constexpr std::size_t largest = 1 << 20;  // most bytes of one file

[[noreturn]] void refuse(const std::string& what, const std::string& next) {
  throw Error(ErrorKind::usage, what, next);
}

[[noreturn]] void fail(const fs::path& path, int error) {
  throw Error(ErrorKind::environment,
              fmt::format("{} can't be stored: {}.", shown(path), std::generic_category().message(error)),
              "hand it in again later, and report it: nothing of it was kept");
}

/// Sets the time of a file's last change.
void set_time(const fs::path& path, std::time_t time) {
  const timespec times[2] = {{time, 0}, {time, 0}};
  if (::utimensat(AT_FDCWD, path.c_str(), times, 0) != 0) fail(path, errno);
}

/// Waits until everything that was written to the folder's file system is on disk.
void sync_all(const fs::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.open() || ::syncfs(descriptor.get()) != 0) fail(folder, errno);
}

Json receipt_json(const Receipt& receipt) {
  return {{"format", 1},
          {"number", receipt.number},
          {"received_at", receipt.received_at},
          {"sha256", receipt.sha256},
          {"files", files_json(receipt)},
          {"queued_ns", receipt.queued_ns}};
}

std::string digest_of(const std::vector<ReceivedFile>& files) {
  Sha256 whole;
  for (const ReceivedFile& file : files) whole.update(fmt::format("{}  {}\n", file.sha256, file.name));
  return whole.hex_digest();
}

/// The number that a name consists of: 12 for "12". 0 for any other name.
int folder_number(const std::string& name) {
  const bool digits = !name.empty() && name.size() < 7 &&
                      std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? std::stoi(name) : 0;
}

/// The names in a student's folder, hidden ones included.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code gone;
  for (fs::directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone))
    out.push_back(at->path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

int next_number(const fs::path& own) {
  int last = 0;
  for (const std::string& name : names_in(own)) {
    if (is_hidden(name)) continue;
    const int number = folder_number(name);
    if (number == 0)
      throw Error(ErrorKind::environment,
                  fmt::format("{} holds {}, which was not handed in here.", shown(own), printable(name)),
                  fmt::format("the instructor moves such files to {}", shown(own / "1")));
    last = std::max(last, number);
  }
  return last + 1;
}

/// A free hidden name for a hand-in with this number that is replaced or taken back: ".2.1", ".2.1.back".
fs::path hidden_name(const fs::path& own, int number, const char* end = "") {
  for (int i = 1;; ++i) {
    fs::path name = own / fmt::format(".{}.{}{}", number, i, end);
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(name, failed))) return name;
  }
}

/// Moves a complete new hand-in to its place. A student's folder must not exist without a hand-in, because
/// find_hand_ins() would take an empty folder for a hand-in.
void finish(const fs::path& folder, const std::string& student, int number) {
  const fs::path own = folder / student, target = own / std::to_string(number);
  const fs::path fresh = folder / unfinished_name / student;
  std::error_code failed;
  const bool first = !fs::exists(own, failed), replaces = fs::exists(target, failed);
  const fs::path replaced = replaces ? hidden_name(own, number) : fs::path();
  if (replaces) fs::rename(target, replaced, failed);
  if (failed) fail(target, failed.value());
  fs::rename(first ? fresh : fresh / target.filename(), first ? own : target, failed);
  if (!failed) return;
  std::error_code ignored;
  if (replaces) fs::rename(replaced, target, ignored);
  fail(target, failed.value());
}

/// Writes a hand-in and its receipt to the hidden folder.
Receipt write_new(const fs::path& folder, NewHandIn& one) {
  using namespace std::chrono;
  const auto now = system_clock::now();
  const std::time_t time = system_clock::to_time_t(now);
  const fs::path own = folder / one.student;
  Receipt receipt;
  receipt.number = one.replaces != 0 ? one.replaces : next_number(own);
  receipt.received_at = utc_text(time);
  receipt.queued_ns = one.replaces != 0 ? receipt_in(own / std::to_string(one.replaces)).queued_ns
                                        : duration_cast<nanoseconds>(now.time_since_epoch()).count();
  std::sort(one.files.begin(), one.files.end(),
            [](const SubmissionFile& a, const SubmissionFile& b) { return a.name < b.name; });
  const fs::path fresh = folder / unfinished_name / one.student / std::to_string(receipt.number);
  for (const SubmissionFile& file : one.files) {
    receipt.files.push_back({file.name.string(), sha256_hex(file.text), file.text.size()});
    write_file(fresh / file.name, file.text);
    set_time(fresh / file.name, time);
  }
  receipt.sha256 = digest_of(receipt.files);
  write_file(fresh / receipt_name, json_text(receipt_json(receipt)));
  return receipt;
}

/// Whether a folder holds all files of its receipt. After a power cut, files that were not synced may be
/// incomplete.
bool is_whole(const fs::path& attempt) {
  try {
    const Receipt receipt = receipt_in(attempt);
    return receipt.number != 0 &&
           std::all_of(receipt.files.begin(), receipt.files.end(), [&](const ReceivedFile& file) {
             return sha256_hex(read_file(attempt / file.name, largest)) == file.sha256;
           });
  } catch (const Error&) {
    return false;  // a file is missing
  }
}

}  // namespace

Json files_json(const Receipt& receipt) {
  Json out = Json::array();
  for (const ReceivedFile& file : receipt.files)
    out.push_back({{"name", file.name}, {"sha256", file.sha256}, {"bytes", file.bytes}});
  return out;
}

std::vector<std::string> answers_to_hand_in(const LevelForm& form) {
  std::vector<std::string> out;
  for (const LevelForm::File& file : form.files)
    if (!file.skeleton.blanks.empty()) out.push_back(file.file.name.generic_string());
  return out;
}

std::vector<std::string> names_to_hand_in(const LevelForm& form) {
  std::vector<std::string> out = answers_to_hand_in(form);
  out.push_back(nickname_file);
  return out;
}

void need_acceptable(const LevelForm& form, const std::vector<SubmissionFile>& files) {
  const std::vector<std::string> names = answers_to_hand_in(form);
  const std::string usual = fmt::format("hand in {}", fmt::join(names, ", "));
  std::set<std::string> seen;
  bool has_answer = false;
  for (const SubmissionFile& file : files) {
    const std::string name = file.name.string(), said = printable(name.substr(0, 80));
    const bool answer = std::find(names.begin(), names.end(), name) != names.end();
    if (!answer && name != nickname_file)
      refuse(fmt::format("\"{}\" is no file of {}, level {}.", said, form.lab->id, form.level), usual);
    if (!seen.insert(name).second) refuse(fmt::format("{} is there twice.", said), "hand it in once");
    if (file.text.find_first_not_of(" \t\r\n") == std::string::npos)
      refuse(fmt::format("{} is empty.", said), "save it in your editor, and hand it in again");
    if (file.text.size() > largest)
      refuse(fmt::format("{} is larger than {} MiB.", said, largest >> 20),
             "hand in the source alone, without data");
    if (first_line_not_utf8(file.text) > 0)
      refuse(fmt::format("{} is not text in UTF-8.", said), "save it as UTF-8, and hand it in again");
    has_answer |= answer;
  }
  if (!has_answer) refuse("No file of the lab was handed in.", usual);
}

std::vector<Received> receive(const fs::path& folder, std::vector<NewHandIn> all) {
  const fs::path unfinished = folder / unfinished_name;
  std::vector<Received> out(all.size());
  /// If a step fails for one hand-in, its files are removed, and the remaining hand-ins are processed.
  const auto try_each = [&](const auto& step) {
    for (std::size_t i = 0; i < all.size(); ++i) try {
        if (!out[i].failure) step(i);
      } catch (...) {
        out[i].failure = std::current_exception();
        remove_tree(unfinished / all[i].student);
      }
  };
  remove_tree(unfinished);
  try_each([&](std::size_t i) { out[i].receipt = write_new(folder, all[i]); });
  std::exception_ptr unsynced;
  try {
    sync_all(folder);
  } catch (...) {
    unsynced = std::current_exception();
  }
  try_each([&](std::size_t i) {
    if (unsynced) std::rethrow_exception(unsynced);
    finish(folder, all[i].student, out[i].receipt.number);
  });
  remove_tree(unfinished);
  return out;
}

Receipt receipt_in(const fs::path& attempt) {
  std::error_code failed;
  Receipt out;
  if (!fs::exists(attempt / receipt_name, failed)) return out;
  const Json json = json_or_null(read_file(attempt / receipt_name, largest));
  if (!json.is_object()) return out;
  out.number = json.value("number", 0);
  out.received_at = json.value("received_at", "");
  out.sha256 = json.value("sha256", "");
  out.queued_ns = json.value("queued_ns", std::int64_t{0});
  for (const Json& file : json.value("files", Json::array()))
    out.files.push_back({file.value("name", ""), file.value("sha256", ""), file.value("bytes", 0UL)});
  return out;
}

std::vector<Receipt> receipts_of(const fs::path& folder, const std::string& student) {
  std::vector<Receipt> out;
  for (const std::string& name : names_in(folder / student)) {
    if (name == unfinished_name) continue;
    Receipt one = receipt_in(folder / student / name);
    if (one.number == 0) continue;
    one.taken_back = is_hidden(name) && name.ends_with(taken_back_end);
    one.replaced = is_hidden(name) && !one.taken_back;
    out.push_back(std::move(one));
  }
  // A hand-in that was replaced or taken back has the same number as its successor.
  const auto key = [](const Receipt& one) {
    return std::tuple(one.number, !one.replaced && !one.taken_back, one.received_at);
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const Receipt& a, const Receipt& b) { return key(a) < key(b); });
  return out;
}

void take_back(const fs::path& folder, const std::string& student, int number) {
  const fs::path own = folder / student, target = own / std::to_string(number);
  std::error_code failed;
  fs::rename(target, hidden_name(own, number, taken_back_end), failed);
  if (failed) fail(target, failed.value());
}

bool all_taken_back(const fs::path& own) {
  const std::vector<std::string> names = names_in(own);
  return std::all_of(names.begin(), names.end(), [](const std::string& name) { return is_hidden(name); }) &&
         std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return receipt_in(own / name).number != 0; });
}

std::optional<Quota> quota_left(const ClassFile& course, const fs::path& folder, const std::string& student) {
  if (!course.quota) return std::nullopt;
  constexpr std::int64_t hour = 3600;
  const std::int64_t now = std::time(nullptr), since = now - hour;
  std::vector<std::int64_t> times;
  for (const Receipt& receipt : receipts_of(folder, student))
    if (const auto at = seconds_of(receipt.received_at); at && *at > since && *at <= now)
      times.push_back(*at);  // without times in the future, left by a clock that was ahead
  std::sort(times.rbegin(), times.rend());
  const std::size_t all = static_cast<std::size_t>(*course.quota);
  Quota out{*course.quota, static_cast<int>(all - std::min(all, times.size())), ""};
  if (out.left == 0) out.next_at = utc_text(static_cast<std::time_t>(times[all - 1] + hour));
  return out;
}

void repair_received(const fs::path& folder) {
  const fs::path fresh = folder / unfinished_name;
  for (const std::string& student : names_in(fresh))
    for (const std::string& number : names_in(fresh / student))
      if (is_whole(fresh / student / number)) finish(folder, student, folder_number(number));
  remove_tree(fresh);
}

}  // namespace grader
