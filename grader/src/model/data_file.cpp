#include "model/data_file.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace grader {
namespace {

constexpr std::string_view own_endings[] = {".bin", ".txt"};

}  // namespace

bool is_own_format(const std::string& name) {
  return std::any_of(std::begin(own_endings), std::end(own_endings),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string without_ending(const std::string& name) {
  return is_own_format(name) ? name.substr(0, name.rfind('.')) : name;
}

std::string data_file(const std::string& name) {
  return is_own_format(name) ? name : name + ".npy";
}

bool is_npy(const fs::path& file) {
  return file.extension() == ".npy";
}

Output Output::array(std::string name) {
  Output output;
  output.name_ = std::move(name);
  return output;
}

Output Output::own_format(std::string name, FileLayout layout) {
  Output output;
  output.name_ = std::move(name);
  output.layout_ = std::move(layout);
  return output;
}

const std::string& Output::name() const {
  static const std::string standard_output = "stdout";
  return is_printed() ? standard_output : name_;
}

std::string Output::file() const {
  return is_printed() ? "expected.txt" : data_file(name_);
}

}  // namespace grader
