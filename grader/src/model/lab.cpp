// Functions for facts about a lab that its declaration implies.
#include "model/lab.hpp"

#include <algorithm>
#include <iterator>

#include "counter_names.hpp"

namespace grader {

std::string Axis::label_of(const std::string& value) const {
  const auto found = std::find(values.begin(), values.end(), value);
  const auto index = static_cast<std::size_t>(found - values.begin());
  if (index < labels.size()) return labels[index];
  const std::size_t equals = value.find('=');  // the value "--repeats=3" under the heading "Repetitions"
  return value.starts_with("--") && equals != std::string::npos ? value.substr(equals + 1) : value;
}

const std::vector<std::string>& Axis::values_on(Backend backend) const {
  return backend == Backend::emu && !emu_values.empty() ? emu_values : values;
}

const char* to_string(Backend backend) {
  return backend == Backend::gpu ? "gpu" : "emu";
}

const char* to_string(Verify verify) {
  switch (verify) {
    case Verify::gold:
      return "gold";
    case Verify::oracle:
      return "oracle";
    case Verify::freivalds:
      return "freivalds";
    case Verify::judge:
      return "judge";
    case Verify::none:
      return "none";
    case Verify::sample:
      return "sample";
  }
  return "oracle";
}

std::string tolerance_problem(Verify verify, const Tolerance& tolerance) {
  if (tolerance.exact()) return {};
  switch (verify) {
    case Verify::gold:
    case Verify::oracle:
    case Verify::sample:
      return {};
    case Verify::freivalds:
      return tolerance.of_max > 0 ? "uses no largest element; expected abs and rel only" : "";
    case Verify::judge:
      return "compares text; expected no tolerance";
    case Verify::none:
      return "looks at no result; expected no tolerance";
  }
  return {};
}

bool Count::in_profile() const {
  const auto* const end = std::end(counted_in_profile);
  return per.empty() && std::find(std::begin(counted_in_profile), end, of) != end;
}

const std::vector<std::string>& countable() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(std::begin(counted_in_profile), std::end(counted_in_profile));
    all.push_back("occupancy");
    all.insert(all.end(), std::begin(cuemu::counters::counter_names),
               std::end(cuemu::counters::counter_names));
    return all;
  }();
  return names;
}

Case with_arguments(Case c, std::vector<std::string> args) {
  if (args != c.args) c.about.clear();
  c.args = std::move(args);
  if (c.verify == Verify::gold) c.verify = Verify::oracle;
  return c;
}

const Case* case_for(const Lab& lab, const std::vector<std::string>& args) {
  const Case *same = nullptr, *any_size = nullptr, *last = nullptr;
  for (const Case& one : lab.cases) {
    if (one.verify == Verify::none) continue;  // the result of this case is not verified
    if (same == nullptr && one.args == args) same = &one;
    if (any_size == nullptr && one.verify == Verify::freivalds) any_size = &one;
    last = &one;
  }
  return same != nullptr ? same : any_size != nullptr ? any_size : last;
}

}  // namespace grader
