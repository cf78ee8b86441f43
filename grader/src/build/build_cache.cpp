#include "build/build_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.hpp"
#include "base/removal.hpp"
#include "base/scratch.hpp"
#include "catalog/catalog.hpp"
#include "model/json.hpp"
#include "process/process_tree.hpp"
#include "wire/content_hash.hpp"

namespace grader {
namespace {

using nlohmann::json;

constexpr const char* program_name = "program";
constexpr const char* entry_name = "entry.json";
constexpr const char* workshops = "tmp-";
constexpr auto abandoned_after = std::chrono::hours(24);

[[noreturn]] void no_room(const fs::path& folder, const std::string& why) {
  throw Error(
      ErrorKind::environment, fmt::format("The build cache {} can't be written: {}.", folder.string(), why),
      fmt::format("free some disk space, or point {} to a folder that you may write", Kit::cache_setting()));
}

/// A checksum that detects damage to a file whose size is unchanged. It does not protect against a user who
/// can write into the cache, since this user can also write the checksums. For a class, programs are looked
/// up more often than compiled, so that SHA-256 would take a tenth of the time.
std::string checksum_of(const fs::path& file) {
  using namespace kit_wire;
  std::ifstream in(file, std::ios::binary);
  std::vector<char> piece(1 << 18);
  std::uint64_t sum = 0;
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto bytes = static_cast<std::size_t>(in.gcount());
    const std::size_t words = (bytes + hash_word - 1) / hash_word;
    sum = hash_reduced(hash_times(sum, hash_power(words)) + content_hash(piece.data(), bytes));
  }
  if (!in.eof()) throw Error(ErrorKind::environment, file.string() + " can't be read.");
  return fmt::format("{:016x}", sum);
}

/// A file's state according to the operating system. It differs after every change of the file.
std::string state_of(const fs::path& file) {
  struct stat s {};
  if (stat(file.c_str(), &s) != 0) return {};
  return fmt::format("{} {} {} {}.{} {}.{}", s.st_dev, s.st_ino, s.st_size, s.st_mtim.tv_sec,
                     s.st_mtim.tv_nsec, s.st_ctim.tv_sec, s.st_ctim.tv_nsec);
}

/// The checksums that this process has computed. They are kept, because the programs of a class contain the
/// same objects.
std::mutex sound_mutex;
std::map<fs::path, std::pair<std::string, std::string>> sound;  // state and checksum

bool was_sound(const fs::path& file, const std::string& checksum) {
  const std::string state = state_of(file);
  const std::lock_guard<std::mutex> lock(sound_mutex);
  const auto at = sound.find(file);
  return at != sound.end() && !state.empty() && at->second == std::pair(state, checksum);
}

void note_sound(const fs::path& file, const std::string& checksum) {
  constexpr std::size_t most = 2000;
  const std::lock_guard<std::mutex> lock(sound_mutex);
  if (sound.size() >= most) sound.clear();
  sound[file] = {state_of(file), checksum};
}

void make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) no_room(folder, failed.message());
}

}  // namespace

BuildCache::BuildCache(fs::path folder, FileSystem& files, Limits limits)
    : folder_(std::move(folder)), files_(files), limits_(limits) {
  make_folder(folder_);
}

BuildCache::Workshop::~Workshop() {
  remove_tree(path);
}

std::optional<CacheEntry> BuildCache::find(const std::string& key) const {
  const fs::path entry = folder_ / key;
  std::error_code ignored;
  if (!fs::exists(entry / entry_name, ignored)) return {};
  try {
    const json about = json_or_null(read_file(entry / entry_name, 16 << 20));
    CacheEntry found{entry / program_name, about.at("diagnostics").get<std::string>()};
    // Compare the size first: it shows that a file is incomplete without reading it.
    if (fs::file_size(found.program) != about.at("size").get<std::uintmax_t>()) return {};
    const std::string checksum = about.at("checksum");
    if (!was_sound(found.program, checksum)) {
      if (checksum_of(found.program) != checksum) return {};
      note_sound(found.program, checksum);
    }
    fs::last_write_time(entry, fs::file_time_type::clock::now(), ignored);
    return found;
  } catch (const std::exception&) {
    return {};  // the entry can't be read, so it is made again
  }
}

fs::path BuildCache::new_workshop() const {
  std::string pattern = (folder_ / (owned_name(workshops) + "XXXXXX")).string();
  if (!mkdtemp(pattern.data())) no_room(folder_, std::strerror(errno));
  return pattern;
}

CacheEntry BuildCache::keep(const std::string& key, const fs::path& workshop, const fs::path& program,
                            const std::string& diagnostics) const {
  const fs::path fresh = workshop / "entry", entry = folder_ / key;
  try {
    make_folder(fresh);
    fs::rename(program, fresh / program_name);
    const std::string checksum = checksum_of(fresh / program_name);
    const json about = {
        {"size", fs::file_size(fresh / program_name)}, {"checksum", checksum}, {"diagnostics", diagnostics}};
    files_.write(fresh / entry_name, json_text(about, 1));
    std::error_code taken;
    fs::rename(fresh, entry, taken);
    if (taken && !find(key)) {  // replaces a damaged entry, and keeps a sound one of another grader
      std::error_code ignored;
      fs::rename(entry, workshop / "damaged", ignored);
      fs::rename(fresh, entry, taken);
    }
    if (taken && !find(key)) no_room(folder_, taken.message());
    if (!taken) note_sound(entry / program_name, checksum);
  } catch (const fs::filesystem_error& error) {
    no_room(folder_, error.code().message());
  }
  if (is_time_to_evict()) evict();
  return {entry / program_name, diagnostics};
}

// Entries that were used recently are never removed, so a check is useless soon after the last one. Its time
// grows with the number of entries, and otherwise each program of a class would take that time.
bool BuildCache::is_time_to_evict() const {
  using Clock = std::chrono::steady_clock;
  static std::mutex mutex;
  static std::map<fs::path, Clock::time_point> looked;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto now = Clock::now();
  const auto [at, first] = looked.try_emplace(folder_, now);
  if (!first && std::chrono::duration<double>(now - at->second).count() < limits_.spared_s / 10) return false;
  at->second = now;
  return true;
}

void BuildCache::evict() const {
  remove_abandoned(folder_, workshops);
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes;
  };
  std::vector<Entry> entries;
  std::uint64_t bytes = 0;
  const auto now = fs::file_time_type::clock::now();
  std::error_code failed;
  for (fs::directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code gone;
    const auto used = fs::last_write_time(at->path(), gone);
    if (gone) continue;
    if (at->path().filename().string().starts_with(workshops)) {
      if (now - used > abandoned_after) remove_tree(at->path());  // of a killed grader on another machine
      continue;
    }
    entries.push_back({at->path(), used, folder_size(at->path(), limits_.bytes)});
    bytes += entries.back().bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  std::size_t left = entries.size();
  for (const Entry& entry : entries) {
    if (left <= limits_.entries && bytes <= limits_.bytes) break;
    if (std::chrono::duration<double>(now - entry.used).count() < limits_.spared_s) break;
    remove_tree(entry.path);
    --left;
    bytes -= entry.bytes;
  }
}

}  // namespace grader
