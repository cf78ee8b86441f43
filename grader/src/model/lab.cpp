// What a data file is called, how the values of an axis are headed.
#include "model/lab.hpp"

#include <algorithm>

namespace grader {

std::string data_file(const std::string& name) {
  return name.find('.') == std::string::npos ? name + ".npy" : name;
}

std::string Axis::label_of(const std::string& value) const {
  const auto found = std::find(values.begin(), values.end(), value);
  const auto index = static_cast<std::size_t>(found - values.begin());
  return index < labels.size() ? labels[index] : value;
}

const char* to_string(Backend backend) {
  return backend == Backend::gpu ? "gpu" : "emu";
}

}  // namespace grader
