// The file's first line is the state. Each other line is the id of an attempt.
#include "course/regrade.hpp"

#include <fstream>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_progress = 64 << 20;

}  // namespace

Regrade::Regrade(const Kit& kit, bool wanted, const std::string& what, const std::string& state)
    : wanted_(wanted), file_(kit.state() / "regrade" / sha256_hex(what).substr(0, 16)) {
  if (!wanted) return;
  std::error_code failed;
  if (fs::exists(file_, failed)) {
    const std::vector<std::string> lines = split_lines(read_file(file_, largest_progress));
    for (std::size_t i = 1; i < lines.size() && lines.front() == state; ++i)
      if (!lines[i].empty()) done_.insert(lines[i]);
  }
  if (done_.empty()) write_file(file_, state + "\n");
}

void Regrade::add(const std::string& id) const {
  // If a line is lost, its attempt is graded once more, and no mark changes.
  if (wanted_) std::ofstream(file_, std::ios::app) << id + "\n";
}

void Regrade::finish() const {
  std::error_code ignored;
  if (wanted_) fs::remove(file_, ignored);
}

}  // namespace grader
