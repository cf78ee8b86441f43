#include "grade/class_cases.hpp"

#include <fmt/format.h>

#include "base/removal.hpp"
#include "model/drawn.hpp"
#include "process/process_tree.hpp"

namespace grader {
namespace {

constexpr std::uint64_t most_kept = 32 << 20;  // bytes of one case of one attempt

}  // namespace

ClassCases::ClassCases(const Kit& kit, std::string secret)
    : kit_(kit), secret_(std::move(secret)), scratch_(kit.state() / "work", "cases") {}

Lab ClassCases::of_class(const Lab& lab) const {
  return with_drawn_sizes(lab, secret_);
}

std::shared_ptr<ClassCases::Kept> ClassCases::place_of(const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<Kept>& kept = kept_[name];
  if (!kept) kept = std::make_shared<Kept>();
  return kept;
}

CaseData ClassCases::prepare(const Lab& lab, const Case& c, int attempt, const fs::path& oracle,
                             const fs::path& folder, const Machine& machine) {
  Case seeded = c;
  if (!c.seed)  // a program may read the seed as a signed number, so it is positive
    seeded.seed = number_from(secret_, {"inputs", lab.id, c.id, std::to_string(attempt)}) >> 1;
  std::vector<std::string> words = {"folder", lab.id, c.id, to_string(c.verify), std::to_string(attempt)};
  words.insert(words.end(), c.args.begin(), c.args.end());
  const std::string name = fmt::format("{:016x}", number_from(secret_, words));
  const std::shared_ptr<Kept> kept = place_of(name);
  const std::lock_guard<std::mutex> lock(kept->mutex);
  if (kept->data) return *kept->data;
  if (!kept->too_large && machine.commands.sandbox().works) {
    const fs::path own = scratch_.path() / name;
    CaseData data = prepare_case(kit_, lab, seeded, oracle, own, machine);
    kept->too_large = folder_size(own, most_kept) > most_kept;
    if (!kept->too_large) return *(kept->data = std::move(data));
    remove_tree(own);
  }
  return prepare_case(kit_, lab, seeded, oracle, folder, machine);
}

}  // namespace grader
