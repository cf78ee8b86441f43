#include "run/gold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "base/scratch.hpp"
#include "catalog/toml_reader.hpp"
#include "lab/npy.hpp"
#include "run/oracle.hpp"

namespace grader {
namespace {

constexpr int newest_format = 1;
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 30;

fs::path gold_folder(const Kit& kit, const Lab& lab) {
  return kit.gold() / lab.folder_name();
}

std::string make_command(const Lab& lab) {
  return "grader gold " + lab.id;
}

/// The files of a gold case: the inputs in the lab's order, then the expected output.
std::vector<std::string> file_names(const Lab& lab) {
  std::vector<std::string> names;
  for (const std::string& input : lab.inputs) names.push_back(data_file(input));
  names.push_back(lab.output.file());
  return names;
}

/// A file's entry in the manifest.
struct FileEntry {
  std::string name;
  std::string dtype;  ///< empty: not an array
  std::vector<std::size_t> shape;
  std::uint64_t bytes = 0;
  std::string sha256;
};

struct CaseEntry {
  std::string id;
  std::uint64_t seed = 0;
  std::vector<std::string> args;
  std::vector<FileEntry> files;
};

FileEntry describe(const fs::path& file) {
  FileEntry entry;
  entry.name = file.filename().string();
  if (is_npy(file)) {
    const lab::NpyHeader header = lab::read_npy_header(file.string());
    entry.dtype = header.dtype;
    entry.shape = header.shape;
  }
  entry.bytes = fs::file_size(file);
  entry.sha256 = sha256_file(file);
  return entry;
}

// The manifest as text. Equal contents give equal texts, so that manifests can be compared byte for byte.

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (result += '\\') += c;
    else if (byte < 0x20 || byte == 0x7f)
      result += fmt::format("\\u{:04x}", byte);
    else
      result += c;
  }
  return result + "\"";
}

template <class T, class F>
std::string list(const std::vector<T>& items, const F& text_of) {
  std::string text;
  for (const T& item : items) {
    if (!text.empty()) text += ", ";
    text += text_of(item);
  }
  return "[" + text + "]";
}

std::string manifest_text(const Lab& lab, const std::vector<CaseEntry>& cases) {
  std::string text =
      "# Written by `" + make_command(lab) + "`, and compared by `grader gold --check`.\nformat = 1\n";
  text += "lab = " + quoted(lab.id) + "\n";
  for (const CaseEntry& c : cases) {
    text += fmt::format("\n[[case]]\nid = {}\nseed = {}\nargs = {}\n", quoted(c.id), c.seed,
                        list(c.args, quoted));
    for (const FileEntry& file : c.files) {
      text += fmt::format("[[case.file]]\nname = {}\n", quoted(file.name));
      if (!file.dtype.empty())
        text += fmt::format("dtype = {}\nshape = {}\n", quoted(file.dtype),
                            list(file.shape, [](std::size_t length) { return std::to_string(length); }));
      text += fmt::format("bytes = {}\nsha256 = {}\n", file.bytes, quoted(file.sha256));
    }
  }
  return text;
}

std::vector<CaseEntry> read_manifest(const fs::path& path) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const TomlFile file = TomlFile::read(path, newest_format);
  TomlTable root = file.root();
  root.has("format");  // TomlFile::read() has checked it
  root.text("lab");
  std::vector<CaseEntry> cases;
  for (TomlTable& table : root.tables("case")) {
    CaseEntry entry;
    entry.id = table.text("id");
    entry.seed = static_cast<std::uint64_t>(table.integer("seed", 0, largest));
    entry.args = table.texts("args");
    for (TomlTable& file_table : table.tables("file")) {
      FileEntry stored;
      stored.name = file_table.text("name");
      stored.dtype = file_table.text_or("dtype", "");
      for (const std::int64_t length : file_table.integers("shape", 0, largest))
        stored.shape.push_back(static_cast<std::size_t>(length));
      stored.bytes = static_cast<std::uint64_t>(file_table.integer("bytes", 0, largest));
      stored.sha256 = file_table.text("sha256");
      file_table.finish();
      entry.files.push_back(std::move(stored));
    }
    table.finish();
    cases.push_back(std::move(entry));
  }
  root.finish();
  return cases;
}

// -- Making.

/// Makes the files of a case in `folder`.
CaseEntry make_case(const Lab& lab, const Case& c, const fs::path& oracle, const fs::path& folder) {
  if (!c.seed)
    throw Error(ErrorKind::usage,
                fmt::format("Case {} of {} has no seed, and gold is made with a fixed one.", c.id, lab.id),
                "add `seed = 1` to the case in " + (lab.folder / "lab.toml").string());
  fs::create_directories(folder);
  run_oracle(this_machine(), lab, c, oracle,
             {"inputs", "--seed", std::to_string(*c.seed), "--dir", folder.string()});
  run_oracle(this_machine(), lab, c, oracle, {"expect", "--dir", folder.string()});
  CaseEntry entry{c.id, *c.seed, c.args, {}};
  for (const std::string& name : file_names(lab)) {
    need_file_of_oracle(lab, c, folder / name);
    try {
      entry.files.push_back(describe(folder / name));
    } catch (const lab::NpyError& error) {
      throw Error(ErrorKind::fault, fmt::format("The oracle of {} wrote a broken array for case {}: {}.",
                                                lab.id, c.id, error.what()));
    }
  }
  return entry;
}

/// Replaces a stored file if its bytes differ. With `prove`, only reports it.
void compare(const fs::path& stored, const std::string& bytes, bool prove,
             std::vector<GoldProblem>& problems) {
  std::error_code ignored;
  const bool there = fs::is_regular_file(stored, ignored);
  if (there && fs::file_size(stored, ignored) == bytes.size() && read_file(stored, largest_file) == bytes)
    return;
  const char* what = prove ? (there ? "differs from what the oracle makes" : "is missing")
                           : (there ? "replaced" : "written");
  problems.push_back({stored, what});
  if (!prove) write_file(stored, bytes);
}

/// Reports the files in the lab's folder that belong to no case.
void find_strays(const Lab& lab, const fs::path& folder, const std::set<std::string>& cases,
                 std::vector<GoldProblem>& problems) {
  const std::vector<std::string> names = file_names(lab);
  std::error_code ignored;
  std::vector<fs::path> strays;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name == "manifest.toml" && !cases.empty()) continue;
    if (cases.count(name) == 0) {
      strays.push_back(entry.path());
      continue;
    }
    for (const auto& file : fs::directory_iterator(entry.path(), ignored))
      if (std::find(names.begin(), names.end(), file.path().filename().string()) == names.end())
        strays.push_back(file.path());
  }
  std::sort(strays.begin(), strays.end());
  for (const fs::path& stray : strays) problems.push_back({stray, "belongs to no gold case: delete it"});
}

[[noreturn]] void fail_open(const Lab& lab, const fs::path& file, const std::string& what) {
  throw Error(ErrorKind::fault, fmt::format("{} {}", shown(file), what),
              fmt::format("git checkout {}, or: {}", shown(file.parent_path()), make_command(lab)));
}

/// The entries of a manifest. If it is damaged, the kit is at fault.
std::vector<CaseEntry> read_stored_manifest(const Lab& lab, const fs::path& manifest) {
  try {
    return read_manifest(manifest);
  } catch (const Error& e) {
    throw Error(ErrorKind::fault, e.what(),
                fmt::format("git checkout {}, or: {}", shown(manifest), make_command(lab)));
  }
}

}  // namespace

std::vector<GoldProblem> make_gold(const Kit& kit, const Lab& lab, const fs::path& oracle, bool prove) {
  const fs::path folder = gold_folder(kit, lab);
  const ScratchFolder scratch(kit.state() / "scratch", "gold-" + lab.id);
  std::vector<CaseEntry> entries;
  std::set<std::string> ids;
  for (const Case& c : lab.cases) {
    if (c.verify != Verify::gold) continue;
    entries.push_back(make_case(lab, c, oracle, scratch.path() / c.id));
    ids.insert(c.id);
  }
  std::vector<GoldProblem> problems;
  for (const CaseEntry& entry : entries)
    for (const FileEntry& file : entry.files)
      compare(folder / entry.id / file.name, read_file(scratch.path() / entry.id / file.name, largest_file),
              prove, problems);
  if (!entries.empty()) compare(folder / "manifest.toml", manifest_text(lab, entries), prove, problems);
  find_strays(lab, folder, ids, problems);
  return problems;
}

std::vector<fs::path> make_gold_case(const Lab& lab, const Case& c, const fs::path& oracle,
                                     const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw Error(ErrorKind::environment,
                fmt::format("The folder {} can't be made: {}.", folder.string(), failed.message()),
                "name a folder that you may write");
  const CaseEntry entry = make_case(lab, c, oracle, folder);
  std::vector<fs::path> files;
  for (const FileEntry& file : entry.files) files.push_back(folder / file.name);
  return files;
}

std::vector<fs::path> open_gold(const Kit& kit, const Lab& lab, const Case& c) {
  const fs::path folder = gold_folder(kit, lab), manifest = folder / "manifest.toml";
  std::error_code ignored;
  if (!fs::exists(manifest, ignored))
    fail_open(lab, manifest, "is missing: the gold of this lab was never made.");
  const std::vector<CaseEntry> entries = read_stored_manifest(lab, manifest);
  const auto entry =
      std::find_if(entries.begin(), entries.end(), [&](const CaseEntry& e) { return e.id == c.id; });
  if (entry == entries.end()) fail_open(lab, manifest, fmt::format("has no case {}.", c.id));
  if (entry->args != c.args || (c.seed && entry->seed != *c.seed))
    fail_open(lab, manifest,
              fmt::format("holds case {} for another seed or other arguments than lab.toml gives.", c.id));

  std::vector<fs::path> files;
  for (const std::string& name : file_names(lab)) {
    const auto stored = std::find_if(entry->files.begin(), entry->files.end(),
                                     [&](const FileEntry& f) { return f.name == name; });
    if (stored == entry->files.end())
      fail_open(lab, manifest, fmt::format("has no {} of case {}.", name, c.id));
    const fs::path file = folder / c.id / name;
    if (!fs::is_regular_file(file, ignored)) fail_open(lab, file, "is missing.");
    const std::uintmax_t bytes = fs::file_size(file, ignored);
    if (bytes != stored->bytes)
      fail_open(lab, file, fmt::format("is damaged: expected {} bytes, found {}.", stored->bytes, bytes));
    if (sha256_file(file) != stored->sha256)
      fail_open(lab, file, "is damaged: its sha256 is not that of the manifest.");
    files.push_back(file);
  }
  return files;
}

std::map<std::string, std::string> gold_types(const Kit& kit, const Lab& lab) {
  const fs::path manifest = gold_folder(kit, lab) / "manifest.toml";
  std::map<std::string, std::string> types;
  std::error_code ignored;
  if (!fs::exists(manifest, ignored)) return types;
  for (const CaseEntry& entry : read_stored_manifest(lab, manifest)) {
    for (const FileEntry& file : entry.files)
      if (!file.dtype.empty()) types[file.name] = file.dtype;
  }
  return types;
}

}  // namespace grader
