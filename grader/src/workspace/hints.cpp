// A lock protects the number of shown hints, so that two terminals don't lose a count.
#include "workspace/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

/// The number of shown hints for each lab, level and part. For example, {"format": 1, "shown": {"lab1.1.2":
/// {"4": 3}}} means that three hints of part 4 were shown at level 2 of lab1.1.
class ShownHints {
 public:
  explicit ShownHints(fs::path file) : file_(std::move(file)) {}

  /// @return false when the file is damaged
  bool read() {
    std::error_code failed;
    if (!fs::exists(file_, failed)) return true;
    const auto parsed = json_or_null(read_file(file_, 1 << 20));
    if (!parsed.is_object() || parsed.value("format", nlohmann::json()) != 1 || !parsed.contains("shown") ||
        !parsed["shown"].is_object())
      return false;
    shown_ = parsed["shown"];
    return true;
  }

  int of(const std::string& level, int part) const {
    const auto parts = shown_.find(level);
    if (parts == shown_.end() || !parts->is_object()) return 0;
    const auto count = parts->find(std::to_string(part));
    if (count == parts->end() || !count->is_number_integer()) return 0;
    return static_cast<int>(std::clamp<std::int64_t>(count->get<std::int64_t>(), 0, 1000));
  }

  void write(const std::string& level, int part, int count) {
    if (!shown_[level].is_object()) shown_[level] = nlohmann::json::object();
    shown_[level][std::to_string(part)] = count;
    write_file(file_, json_text({{"format", 1}, {"shown", shown_}}, 1) + '\n');
  }

 private:
  fs::path file_;
  nlohmann::json shown_ = nlohmann::json::object();
};

const Part& part_for_hint(const Kit& kit, const Lab& lab, int level, int part) {
  if (part == 0) {
    const auto asked = std::find_if(lab.parts.begin(), lab.parts.end(),
                                    [level](const Part& one) { return one.counts_at(level); });
    part = (asked == lab.parts.end() ? lab.parts.front() : *asked).id;
    const Submission submission = read_submission(kit, lab, level, Origin::student);
    const auto first = std::min_element(submission.todo.begin(), submission.todo.end(),
                                        [](const Todo& a, const Todo& b) { return a.part < b.part; });
    if (first != submission.todo.end()) part = first->part;
  }
  for (const Part& one : lab.parts) {
    if (one.id == part) return one;
  }
  throw Error(ErrorKind::usage,
              lab.parts.size() == 1
                  ? fmt::format("{} has one part only, not part {}.", lab.id, part)
                  : fmt::format("{} has parts 1 to {}, not part {}.", lab.id, lab.parts.size(), part),
              fmt::format("grader hint {}", lab.id));
}

}  // namespace

std::vector<HintGiven> next_hint(const Kit& kit, const Lab& lab, int level, int part, std::string* note) {
  const Part& asked = part_for_hint(kit, lab, level, part);
  const int of = static_cast<int>(asked.hints.size());
  if (of == 0) return {};

  const FileLock lock(kit.state() / "hints.lock");
  ShownHints shown_so_far(kit.state() / "hints.json");
  if (!shown_so_far.read() && note != nullptr)
    *note = fmt::format("{} was damaged: hints are counted from the first again.",
                        shown(kit.state() / "hints.json"));
  const std::string counted = fmt::format("{}.{}", lab.id, level);
  const int before = std::min(shown_so_far.of(counted, asked.id), of);
  const int now = std::min(before + 1, of);
  shown_so_far.write(counted, asked.id, now);

  std::vector<HintGiven> hints;
  for (int i = 0; i < now; ++i)
    hints.push_back({asked.id, asked.title, i + 1, of, asked.hints[static_cast<std::size_t>(i)]});
  return hints;
}

}  // namespace grader
