#include "driver/cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "driver/process.hpp"

namespace emucc {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_entries = 24;  // of about 30 MB each
constexpr std::size_t most_wishes = 200;  // entries that were requested and not made yet

/// The hash FNV-1a with 128 bits, which names the entries. It need not be cryptographic.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) step(static_cast<unsigned char>(c));
    step(0);
  }
  std::string hex() const {
    std::string text;
    for (int shift = 124; shift >= 0; shift -= 4)
      text += "0123456789abcdef"[static_cast<unsigned>(state_ >> shift) & 15U];
    return text;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  void step(unsigned char byte) {
    constexpr Wide prime = (Wide{1} << 88) + 0x13B;
    state_ = (state_ ^ byte) * prime;
  }
  Wide state_ = (Wide{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
};

/// Returns a file's size and time of modification as text.
std::string stamp(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return "none";
  return std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

/// Returns the prerequisites in a make rule that -MD wrote.
std::vector<std::string> prerequisites(const std::string& rule) {
  std::vector<std::string> files;
  std::string word;
  std::size_t at = rule.find(": ");
  if (at == rule.npos) return files;
  for (at += 2; at <= rule.size(); ++at) {
    const char c = at < rule.size() ? rule[at] : '\n';
    if (c == '\\' && at + 1 < rule.size() && rule[at + 1] == ' ') {
      word += rule[++at];
    } else if (c == '\\' || c == ' ' || c == '\n') {
      if (!word.empty()) files.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  return files;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

/// Writes a temporary file beside the target and renames it, so that no process reads an incomplete file.
bool write_file(const fs::path& path, const std::string& text) {
  const fs::path fresh = path.string() + "." + std::to_string(getpid());
  std::ofstream out(fresh, std::ios::binary);
  out << text;
  out.close();
  std::error_code ignored;
  if (!out) {
    fs::remove(fresh, ignored);
    return false;
  }
  fs::rename(fresh, path, ignored);
  return !ignored;
}

/// True if all headers of the entry are unchanged, and so are the lists of files in their folders.
bool is_current(const fs::path& entry) {
  std::ifstream in(entry / "headers");
  std::string line, end;
  while (std::getline(in, line)) {
    if (line == "end") return true;
    const std::size_t tab = line.find('\t');
    if (tab == line.npos || stamp(line.substr(tab + 1)) != line.substr(0, tab)) return false;
  }
  return false;
}

bool make_entry(const PrecompileRequest& request, const fs::path& entry) {
  const std::string own = std::to_string(getpid());
  const fs::path header = entry / "prelude.h";
  const fs::path fresh = entry / ("prelude." + own + ".gch");
  const fs::path rule = entry / ("prelude." + own + ".d");
  std::string text;
  for (const auto& include : request.includes) text += "#include <" + include + ">\n";
  if (!write_file(header, text)) return false;
  Command command;
  command.argv = {request.compiler};
  command.argv.insert(command.argv.end(), request.flags.begin(), request.flags.end());
  command.argv.insert(command.argv.end(), {"-w", "-MD", "-MF", rule.string(), "-x", "c++-header",
                                           header.string(), "-o", fresh.string()});
  const bool made = run(command).ok();
  std::error_code failure, ignored;
  bool ok = made;
  if (made) {
    // A header that is added to a folder may change the result of __has_include. The path of the entry's own
    // header counts as well: a precompiled header contains this path, so an entry that was moved is made
    // again.
    std::string headers;
    std::set<std::string> files;
    for (const auto& file : prerequisites(read_file(rule))) {
      files.insert(file);
      if (file != header) files.insert(fs::path(file).parent_path().string());
    }
    for (const auto& file : files) headers += stamp(file) + "\t" + file + "\n";
    fs::rename(fresh, entry / "prelude.h.gch", failure);
    ok = !failure && write_file(entry / "headers", headers + "end\n");
  }
  fs::remove(fresh, ignored);
  fs::remove(rule, ignored);
  return ok;
}

using EntriesByUse = std::vector<std::pair<fs::file_time_type, fs::path>>;

/// Removes the least recently used entries that no process uses, until at most `most` entries are left.
void evict(EntriesByUse entries, std::size_t most) {
  std::sort(entries.begin(), entries.end());
  for (std::size_t i = 0; i + most <= entries.size(); ++i) {
    const int lock = open((entries[i].second / "lock").c_str(), O_RDWR | O_CLOEXEC);
    if (lock < 0) continue;
    std::error_code ignored;
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entries[i].second, ignored);
    close(lock);
  }
}

void evict(const fs::path& folder, const fs::path& keep) {
  EntriesByUse made, wished;
  std::error_code failure;
  for (const auto& item : fs::directory_iterator(folder, failure)) {
    const auto used = fs::last_write_time(item.path() / "lock", failure);
    if (failure || item.path() == keep) continue;
    (fs::exists(item.path() / "prelude.h.gch", failure) ? made : wished).emplace_back(used, item.path());
  }
  evict(std::move(made), most_entries);
  evict(std::move(wished), most_wishes);
}

/// Counts a request for an entry. The entry's lock file has a byte for each request.
/// @return true if there were enough requests
bool is_worth_making(int lock, int wishes_before) {
  struct stat info {};
  if (fstat(lock, &info) != 0 || info.st_size >= wishes_before) return true;
  return write(lock, ".", 1) != 1;
}

}  // namespace

PrecompiledHeader::PrecompiledHeader(PrecompiledHeader&& other) noexcept
    : has_all(other.has_all), header_(std::move(other.header_)), lock_(std::exchange(other.lock_, -1)) {}

PrecompiledHeader::~PrecompiledHeader() {
  if (lock_ >= 0) close(lock_);
}

std::string cache_folder() {
  if (const char* folder = std::getenv("CUEMU_CACHE")) return folder;
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder != 0)
    return std::string(folder) + "/emucc";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0)
    return std::string(home) + "/.cache/emucc";
  return {};
}

std::optional<PrecompiledHeader> precompile(const PrecompileRequest& request) {
  const std::string root = cache_folder();
  if (root.empty()) return std::nullopt;
  Hash hash;
  hash.add(request.compiler);
  hash.add(stamp(request.compiler));
  for (const auto& flag : request.flags) hash.add(flag);
  hash.add("includes");
  for (const auto& include : request.includes) hash.add(include);

  const fs::path folder = fs::absolute(root) / "headers";
  const fs::path entry = folder / hash.hex();
  std::error_code failure;
  fs::create_directories(entry, failure);
  int lock = open((entry / "lock").c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  const bool read_only = lock < 0;  // a cache without write permission may still be read
  if (read_only) lock = open((entry / "lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (lock < 0) return std::nullopt;
  PrecompiledHeader found((entry / "prelude.h").string(), lock);
  if (flock(lock, LOCK_SH | LOCK_NB) != 0) return std::nullopt;  // another process is making the entry
  if (is_current(entry)) {
    if (!read_only) futimens(lock, nullptr);  // the entry's last use is now
    return found;
  }
  if (read_only) return std::nullopt;
  if (!is_worth_making(lock, request.wishes_before)) {
    evict(folder, entry);
    return std::nullopt;
  }
  // One process makes the entry. Meanwhile other processes compile without it, since that takes less time
  // than waiting.
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  if (!is_current(entry) && (interrupted() || !make_entry(request, entry))) {
    fs::remove(entry / "headers", failure);
    fs::remove(entry / "prelude.h.gch", failure);
    return std::nullopt;
  }
  flock(lock, LOCK_SH);
  evict(folder, entry);
  return found;
}

}  // namespace emucc
