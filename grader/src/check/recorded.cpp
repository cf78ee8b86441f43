#include "check/recorded.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "model/data_file.hpp"
#include "verify/array.hpp"

namespace grader {

using nlohmann::json;

KnownArrays known_arrays(const Lab& lab, const CaseData& data) {
  KnownArrays all;
  const auto learn = [&](const std::string& name, const fs::path& file) {
    if (file.empty() || !is_npy(file)) return;
    const lab::NpyHeader header = lab::read_npy_header(file.string());
    all[name] = {header.dtype, header.shape, {}};
  };
  for (std::size_t i = 0; i < lab.inputs.size() && i < data.inputs.size(); ++i)
    learn(lab.inputs[i], data.inputs[i]);
  learn(lab.output.name(), data.expected);
  return all;
}

std::size_t bytes_of(const std::string& dtype) {
  return dtype.size() < 3 ? 4 : static_cast<std::size_t>(dtype.back() - '0');
}

namespace {

/// The name of a type without its extents, and the number of its components, such as 4 for "float4".
std::pair<std::string, std::size_t> scalar_of(const std::string& type) {
  std::string name = type.substr(0, type.find('['));
  const bool is_vector = name.size() > 3 && name.back() >= '2' && name.back() <= '4' &&
                         name.find_first_of("0123456789") == name.size() - 1;
  const std::size_t count = is_vector ? static_cast<std::size_t>(name.back() - '0') : 1;
  if (is_vector) name.pop_back();
  return {name, count};
}

}  // namespace

std::string dtype_of_type(const std::string& type) {
  static const std::map<std::string, std::string> all = {{"float", "<f4"},    {"double", "<f8"},
                                                         {"int", "<i4"},      {"unsigned int", "<u4"},
                                                         {"unsigned", "<u4"}, {"uint", "<u4"},
                                                         {"long", "<i8"},     {"unsigned long", "<u8"},
                                                         {"short", "<i2"},    {"unsigned short", "<u2"},
                                                         {"ushort", "<u2"},   {"long long", "<i8"},
                                                         {"longlong", "<i8"}, {"unsigned long long", "<u8"},
                                                         {"__half", "<f2"},   {"half", "<f2"},
                                                         {"size_t", "<u8"},   {"std::size_t", "<u8"},
                                                         {"int32_t", "<i4"},  {"std::int32_t", "<i4"},
                                                         {"uint32_t", "<u4"}, {"std::uint32_t", "<u4"},
                                                         {"int64_t", "<i8"},  {"std::int64_t", "<i8"},
                                                         {"uint64_t", "<u8"}, {"std::uint64_t", "<u8"},
                                                         {"char", "|u1"},     {"unsigned char", "|u1"},
                                                         {"uint8_t", "|u1"},  {"std::uint8_t", "|u1"}};
  const auto found = all.find(scalar_of(type).first);
  return found != all.end() ? found->second : "";
}

std::size_t bytes_of_type(const std::string& type) {
  const std::string dtype = dtype_of_type(type);
  return dtype.empty() ? 0 : bytes_of(dtype) * scalar_of(type).second;
}

namespace {

template <class T>
T number_in(const std::vector<unsigned char>& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

std::string number_text(const std::vector<unsigned char>& bytes, std::size_t at, std::size_t size,
                        std::string dtype) {
  if (dtype.empty() || bytes_of(dtype) != size) {
    // The bits of a small negative integer are no NaN that arithmetic produces.
    if (size == 4)
      dtype = std::fpclassify(number_in<float>(bytes, at)) == FP_SUBNORMAL ||
                      number_in<std::uint32_t>(bytes, at) >= 0xffff0000
                  ? "<i4"
                  : "<f4";
    else if (size == 8)
      dtype = std::fpclassify(number_in<double>(bytes, at)) == FP_SUBNORMAL ||
                      number_in<std::uint64_t>(bytes, at) >= 0xffff000000000000
                  ? "<i8"
                  : "<f8";
    else
      dtype = size == 2 ? "<i2" : "|u1";
  }
  const auto real = [](auto value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); };
  if (dtype == "<f4") return real(number_in<float>(bytes, at));
  if (dtype == "<f8") return real(number_in<double>(bytes, at));
  if (dtype == "<f2") return real(half_to_float(number_in<std::uint16_t>(bytes, at)));
  if (dtype == "<i4") return fmt::format("{}", number_in<std::int32_t>(bytes, at));
  if (dtype == "<u4") return fmt::format("{}", number_in<std::uint32_t>(bytes, at));
  if (dtype == "<i8") return fmt::format("{}", number_in<std::int64_t>(bytes, at));
  if (dtype == "<u8") return fmt::format("{}", number_in<std::uint64_t>(bytes, at));
  if (dtype == "<i2") return fmt::format("{}", number_in<std::int16_t>(bytes, at));
  if (dtype == "|i1") return fmt::format("{}", static_cast<int>(number_in<signed char>(bytes, at)));
  if (dtype == "<u2") return fmt::format("{}", number_in<std::uint16_t>(bytes, at));
  return fmt::format("{}", static_cast<unsigned>(bytes[at]));
}

std::vector<unsigned char> bytes_in(const std::string& hex) {
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i + 1 < std::min<std::size_t>(hex.size(), 32); i += 2)
    bytes.push_back(static_cast<unsigned char>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

std::string value_text(const std::string& hex, const std::string& dtype) {
  const std::vector<unsigned char> bytes = bytes_in(hex);
  if (bytes.empty()) return "?";
  const std::size_t known = dtype.empty() ? 4 : bytes_of(dtype);
  const std::size_t size = bytes.size() % known == 0 ? known : std::max<std::size_t>(bytes.size(), 1);
  if (bytes.size() <= size) return number_text(bytes, 0, bytes.size(), dtype);
  std::vector<std::string> all;
  for (std::size_t at = 0; at < bytes.size(); at += size) all.push_back(number_text(bytes, at, size, dtype));
  return fmt::format("({})", fmt::join(all, ", "));
}

bool is_fresh(const std::string& hex, bool shared) {
  const std::string_view word = shared ? "adbeff7f" : "addeff7f";
  for (std::size_t at = 0; at < hex.size(); at += word.size())
    if (hex.compare(at, word.size(), word) != 0) return false;
  return !hex.empty();
}

std::string text_in(const json& from, const char* name) {
  const std::string text = from.value(name, "");
  return printable(text.substr(0, most_name));
}

std::vector<unsigned> numbers_in(const json& from, const char* name) {
  return from.contains(name) ? from.at(name).get<std::vector<unsigned>>() : std::vector<unsigned>();
}

std::string file_in(const json& from, const std::vector<SubmissionFile>& files) {
  const std::string name = from.value("file", "");
  for (const SubmissionFile& file : files)
    if (file.name == fs::path(name).lexically_normal()) return file.name.string();
  return printable(name.substr(name.rfind('/') + 1).substr(0, most_name));
}

std::vector<std::size_t> indices_of(std::size_t flat, const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> indices(shape.size());
  for (std::size_t i = shape.size(); i-- > 0; flat /= shape[i]) indices[i] = flat % shape[i];
  return indices;
}

std::size_t size_of(const std::vector<std::size_t>& shape) {
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  return size;
}

void find_on_device(KnownArrays& known, const json& arrays) {
  for (auto& [name, array] : known)
    for (const json& one : arrays)
      if (one.value("bytes", std::size_t{0}) == size_of(array.shape) * bytes_of(array.dtype))
        array.on_device.insert(text_in(one, "name"));
}

}  // namespace grader
