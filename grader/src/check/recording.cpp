// The report is written by the student's process, so it is read with distrust: numbers and texts are taken as such, and
// whatever does not parse counts as no report.
#include "check/recording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "base/columns.hpp"
#include "model/data_file.hpp"
#include "model/json.hpp"
#include "verify/array.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_record = 8 << 20;
constexpr std::size_t most_name = 100, most_indices = 8;

using nlohmann::json;

/// An array that the case's files tell of.
struct KnownArray {
  std::string dtype;  ///< "<f4"
  std::vector<std::size_t> shape;
  std::set<std::string> on_device =
      {};  ///< arrays there of just this size: padded ones are laid out otherwise
};
using KnownArrays = std::map<std::string, KnownArray>;

KnownArrays known_arrays(const Lab& lab, const CaseData& data) {
  KnownArrays all;
  const auto learn = [&](const std::string& name, const fs::path& file) {
    if (file.empty() || !is_npy(file)) return;
    const Array array = Array::read(file);
    all[name] = {array.dtype(), array.shape(), {}};
  };
  for (std::size_t i = 0; i < lab.inputs.size() && i < data.inputs.size(); ++i)
    learn(lab.inputs[i], data.inputs[i]);
  learn(lab.output.name(), data.expected);
  return all;
}

std::size_t bytes_of(const std::string& dtype) {
  return dtype.size() < 3 ? 4 : static_cast<std::size_t>(dtype.back() - '0');
}

/// The dtype of a shared array by its type in C++: "float[16][16]". Empty: another.
std::string dtype_of_type(const std::string& type) {
  static const std::map<std::string, std::string> all = {{"float", "<f4"},     {"double", "<f8"},
                                                         {"int", "<i4"},       {"unsigned int", "<u4"},
                                                         {"long", "<i8"},      {"unsigned long", "<u8"},
                                                         {"short", "<i2"},     {"unsigned short", "<u2"},
                                                         {"long long", "<i8"}, {"unsigned long long", "<u8"},
                                                         {"__half", "<f2"},    {"half", "<f2"}};
  const auto found = all.find(type.substr(0, type.find('[')));
  return found != all.end() ? found->second : "";
}

template <class T>
T number_in(const std::vector<unsigned char>& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// One number of as many bytes as its type has. Of a type that is not known: no float of use is as small as the
/// words of small whole numbers would be.
std::string number_text(const std::vector<unsigned char>& bytes, std::size_t at, std::size_t size,
                        std::string dtype) {
  if (dtype.empty() || bytes_of(dtype) != size) {
    if (size == 4)
      dtype = std::fpclassify(number_in<float>(bytes, at)) == FP_SUBNORMAL ? "<i4" : "<f4";
    else
      dtype = size == 8 ? "<f8" : size == 2 ? "<i2" : "|u1";
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

/// Fresh memory holds these words (ARCHITECTURE.md, "Profile").
bool is_fresh(const std::string& hex, bool shared) {
  return hex == (shared ? "adbeff7f" : "addeff7f");
}

std::string text_in(const json& from, const char* name) {
  const std::string text = from.value(name, "");
  return printable(text.substr(0, most_name));
}

std::vector<unsigned> numbers_in(const json& from, const char* name) {
  return from.contains(name) ? from.at(name).get<std::vector<unsigned>>() : std::vector<unsigned>();
}

/// The file of the submission that is meant, else the name as it is.
std::string file_in(const json& from, const Submission& submission) {
  const std::string name = from.value("file", "");
  for (const SubmissionFile& file : submission.files)
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

/// An element by the name and the shape that the lab gives its array, where it has one.
ElementName element_in(const json& from, const KnownArrays& known, std::size_t bytes, std::string& dtype) {
  ElementName element{text_in(from, "array"), from.at("indices").get<std::vector<std::size_t>>()};
  if (element.indices.size() > most_indices) element.indices.resize(most_indices);
  const auto array = known.find(text_in(from, "name"));
  if (array == known.end() || array->second.on_device.count(element.array) == 0 ||
      element.indices.size() != 1)
    return element;
  const std::size_t flat =
      element.indices[0] * std::max<std::size_t>(bytes / bytes_of(array->second.dtype), 1);
  if (flat >= size_of(array->second.shape)) return element;
  dtype = array->second.dtype;
  return {array->first, indices_of(flat, array->second.shape)};
}

void find_on_device(KnownArrays& known, const json& arrays) {
  for (auto& [name, array] : known)
    for (const json& one : arrays)
      if (one.value("bytes", std::size_t{0}) == size_of(array.shape) * bytes_of(array.dtype))
        array.on_device.insert(text_in(one, "name"));
}

RecordedRead read_in(const json& from, const KnownArrays& known, const Submission& submission) {
  RecordedRead read;
  read.shared = from.value("shared", false);
  const std::string hex = from.value("value", "");
  std::string dtype = dtype_of_type(from.value("type", ""));
  if (read.shared)
    read.element = {text_in(from, "array"), from.at("indices").get<std::vector<std::size_t>>()};
  else
    read.element = element_in(from, known, hex.size() / 2, dtype);
  read.value = value_text(hex, dtype);
  read.never_written = is_fresh(hex, read.shared);
  read.file = file_in(from, submission);
  read.line = from.value("line", 0u);
  if (from.contains("from")) {
    const json& origin = from.at("from");
    read.put_by = numbers_in(origin, "thread");
    std::string ignored;
    if (origin.contains("array")) read.copied = element_in(origin, known, hex.size() / 2, ignored);
  }
  return read;
}

RecordedWrite write_in(const json& from, const KnownArrays& known, const std::string& dtype,
                       const Submission& submission) {
  RecordedWrite write;
  write.number = from.value("number", std::uint64_t{0});
  write.by = text_in(from, "by");
  write.launch = from.value("launch", std::uint64_t{0});
  write.kernel = text_in(from, "kernel");
  write.grid_dim = numbers_in(from, "grid_dim");
  write.block_dim = numbers_in(from, "block_dim");
  write.block = numbers_in(from, "block");
  write.thread = numbers_in(from, "thread");
  write.file = file_in(from, submission);
  write.line = from.value("line", 0u);
  write.value = value_text(from.value("value", ""), dtype);
  write.left_out = from.value("left_out", std::uint64_t{0});
  for (const json& read : from.at("reads")) write.reads.push_back(read_in(read, known, submission));
  return write;
}

/// The position in memory of an element. One index is a position as it is.
std::size_t position_of(const ElementName& element, const std::vector<std::size_t>& shape) {
  const std::size_t size = size_of(shape);
  const std::string whole = fmt::format("whose shape is ({})", fmt::join(shape, ", "));
  const auto outside = [&] {
    return Error(ErrorKind::usage,
                 fmt::format("{} is outside {}, {}.", element.text(), element.array, whole));
  };
  if (element.indices.size() == 1) {
    if (element.indices[0] >= size) throw outside();
    return element.indices[0];
  }
  if (element.indices.size() != shape.size())
    throw Error(ErrorKind::usage,
                fmt::format("{} has {} indices, but {} has {}: it is an array {}.", element.text(),
                            element.indices.size(), element.array, shape.size(), whole));
  std::size_t position = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (element.indices[i] >= shape[i]) throw outside();
    position = position * shape[i] + element.indices[i];
  }
  return position;
}

/// What the recorder was asked for is not there.
void need_element(const json& report, const ElementName& element, std::size_t position, std::size_t bytes,
                  const KnownArray* array) {
  if (report.value("array", "").empty()) {
    std::vector<std::string> names;
    for (const json& one : report.at("arrays"))
      if (const std::string name = text_in(one, "name"); std::count(names.begin(), names.end(), name) == 0)
        names.push_back(name);
    throw Error(ErrorKind::usage,
                names.empty()
                    ? fmt::format("There is no array {} on the device: no kernel ran.", element.array)
                    : fmt::format("There is no array {} on the device; there are {}.", element.array,
                                  fmt::join(names, ", ")));
  }
  const std::size_t elements = report.value("array_bytes", std::size_t{0}) / bytes;
  if (position >= elements)
    throw Error(ErrorKind::usage,
                fmt::format("{} is outside {}, which has {} elements of {} bytes on the device.",
                            element.text(), text_in(report, "array"), elements, bytes));
  if (array != nullptr && element.indices.size() > 1 && elements != size_of(array->shape))
    throw Error(ErrorKind::usage,
                fmt::format("On the device {} has {} elements, and not the {} of its shape ({}), so where {} "
                            "lies is not known.",
                            text_in(report, "array"), elements, size_of(array->shape),
                            fmt::join(array->shape, ", "), element.text()),
                fmt::format("give its position there, as in {}[0]", element.array));
}

/// The element of a global array whose value was read, directly or by way of shared memory.
const ElementName* source_of(const RecordedRead& read) {
  if (!read.shared) return &read.element;
  return read.copied ? &*read.copied : nullptr;
}

/// Of an element of a product, by the shapes of the first two inputs: its terms, where most of what stands in the
/// writing thread's lines as a product is one of them.
std::optional<RecordedTerms> terms_of(const RecordedWrite& write, const ElementName& element, const Lab& lab,
                                      const KnownArrays& known) {
  if (lab.inputs.size() < 2 || element.array != lab.output.name() || element.indices.size() != 2) return {};
  const auto left = known.find(lab.inputs[0]), right = known.find(lab.inputs[1]),
             product = known.find(element.array);
  if (left == known.end() || right == known.end() || product == known.end() || write.left_out > 0) return {};
  const auto &a = left->second.shape, &b = right->second.shape, &c = product->second.shape;
  if (a.size() != 2 || b.size() != 2 || a[1] != b[0] || c[0] != a[0] || c[1] != b[1]) return {};
  RecordedTerms terms{
      {left->first, {element.indices[0], 0}}, {right->first, {0, element.indices[1]}}, a[1], {}, {}, {}};
  std::vector<std::size_t> seen(a[1]);
  std::size_t found = 0;
  for (std::size_t i = 0; i + 1 < write.reads.size(); ++i) {
    const ElementName *one = source_of(write.reads[i]), *other = source_of(write.reads[i + 1]);
    if (one == nullptr || other == nullptr || write.reads[i].line != write.reads[i + 1].line) continue;
    if (one->array == right->first && other->array == left->first) std::swap(one, other);
    if (one->array != left->first || other->array != right->first || one->indices.size() != 2 ||
        other->indices.size() != 2)
      continue;
    ++i;  // both factors are used
    const bool belongs = one->indices[0] == element.indices[0] && one->indices[1] == other->indices[0] &&
                         other->indices[1] == element.indices[1];
    if (belongs)
      found += seen[one->indices[1]]++ == 0 ? 1 : 0;
    else
      terms.foreign.emplace_back(*one, *other);
  }
  // A thread that computes several elements reads their terms too.
  if (2 * found < seen.size() || 2 * terms.foreign.size() > seen.size()) return {};
  for (std::size_t k = 0; k < seen.size(); ++k) {
    if (seen[k] == 0) terms.missing.push_back(k);
    if (seen[k] > 1) terms.repeated.push_back(k);
  }
  return terms;
}

}  // namespace

ElementName parse_element(const std::string& text) {
  const auto wrong = [&] {
    return Error(ErrorKind::usage,
                 fmt::format("\"{}\" is no element of an array.", printable(text.substr(0, most_name))),
                 "write its array and its indices: --element 'P[2][3]'");
  };
  ElementName element;
  const std::size_t open = text.find('[');
  if (open == std::string::npos || open == 0 || open > most_name) throw wrong();
  element.array = text.substr(0, open);
  const auto in_name = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-' || c == '>';
  };
  if (std::isdigit(static_cast<unsigned char>(text[0])) != 0 ||
      !std::all_of(element.array.begin(), element.array.end(), in_name))
    throw wrong();
  constexpr std::size_t most_digits = 15;
  for (std::size_t at = open; at < text.size();) {
    const std::size_t close = text.find(']', at);
    if (text[at] != '[' || close == std::string::npos || close == at + 1 || close - at > most_digits ||
        element.indices.size() == most_indices)
      throw wrong();
    const std::string digits = text.substr(at + 1, close - at - 1);
    if (digits.find_first_not_of("0123456789") != std::string::npos) throw wrong();
    element.indices.push_back(std::stoull(digits));
    at = close + 1;
  }
  return element;
}

Recording record_element(const Toolchain& toolchain, const Submission& submission, const Case& c,
                         const fs::path& program, const CaseData& data, const fs::path& work_folder,
                         const ElementName& element, const Machine& machine) {
  const Lab& lab = *submission.lab;
  KnownArrays known = known_arrays(lab, data);
  const auto array = known.find(element.array);
  if (array == known.end() && element.indices.size() > 1) {
    std::vector<std::string> names;
    for (const auto& [name, of] : known) names.push_back(name);
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "The shape of {} is not known{}.", element.array,
            names.empty() ? "" : fmt::format("; {} tells those of {}", lab.id, fmt::join(names, ", "))),
        fmt::format("give one index, as in {}[0]", element.array));
  }
  const std::string dtype = array != known.end() ? array->second.dtype : "";
  const std::size_t bytes = dtype.empty() ? 4 : bytes_of(dtype);
  const std::size_t position =
      array != known.end() ? position_of(element, array->second.shape) : element.indices[0];

  RunTool tool;
  tool.settings["CUEMU_CHECK"] = fmt::format("limit=0,record={}:{}:{}", element.array, position, bytes);
  tool.files = submission.files;  // names of arrays stand there
  const RunResult run = run_case(toolchain, lab, c, Backend::emu, program, data, work_folder, tool, machine);
  const auto report = run.reports.find("record");
  const json told = report != run.reports.end() && report->second.size() <= largest_record
                        ? json_or_null(report->second)
                        : json();
  Recording out;
  try {
    if (!told.is_object()) throw json::type_error::create(302, "no report", nullptr);
    need_element(told, element, position, bytes, array != known.end() ? &array->second : nullptr);
    find_on_device(known, told.at("arrays"));
    const bool has_shape = array != known.end() && array->second.on_device.count(text_in(told, "array")) != 0;
    out.case_id = c.id;
    out.args = c.args;
    out.element = element;
    if (has_shape) {
      out.shape = array->second.shape;
      out.element.indices = indices_of(position, out.shape);
    }
    out.launches = told.value("launches", std::uint64_t{0});
    out.count = told.value("count", std::uint64_t{0});
    for (const json& write : told.at("writes"))
      out.writes.push_back(write_in(write, known, dtype, submission));
    for (const json& one : told.at("neighbours")) {
      const std::size_t index = one.at("index").get<std::size_t>();
      out.neighbours.push_back({{element.array, out.shape.empty() ? std::vector<std::size_t>{index}
                                                                  : indices_of(index, out.shape)},
                                numbers_in(one, "block"),
                                numbers_in(one, "thread"),
                                file_in(one, submission),
                                one.value("line", 0u)});
    }
  } catch (const json::exception&) {
    throw Error(ErrorKind::usage,
                fmt::format("The program {}, so nothing was recorded.", describe_end(run.process)),
                "grader check " + lab.id);
  } catch (const std::logic_error&) {  // digits that are none
    throw Error(ErrorKind::usage, "What the program left is no recording.", "grader check " + lab.id);
  }
  if (!out.shape.empty() && element.array == lab.output.name() && is_npy(data.expected)) {
    const Array expected = Array::read(data.expected);
    out.expected = expected.text(position);
    if (!out.writes.empty()) {
      const std::string& value = out.writes.back().value;
      const double got = value == "nan" ? std::nan("") : std::strtod(value.c_str(), nullptr);
      out.right = !outside(got, expected[position], c.tolerance);
    }
  }
  if (!out.expected.empty() && !out.right && out.writes.size() == 1)
    out.terms = terms_of(out.writes.front(), out.element, lab, known);
  return out;
}

json to_json(const ElementName& element) {
  return {{"array", element.array}, {"indices", element.indices}};
}

json to_json(const Recording& recording) {
  json out = {{"format", 1},
              {"kind", "element"},
              {"case", recording.case_id},
              {"args", recording.args},
              {"element", to_json(recording.element)},
              {"shape", recording.shape},
              {"launches", recording.launches},
              {"count", recording.count},
              {"writes", json::array()},
              {"neighbours", json::array()}};
  if (!recording.expected.empty()) {
    out["expected"] = recording.expected;
    out["right"] = recording.right;
  }
  if (recording.terms) {
    const RecordedTerms& terms = *recording.terms;
    json foreign = json::array();
    for (const auto& [left, right] : terms.foreign) foreign.push_back({to_json(left), to_json(right)});
    out["terms"] = {{"left", to_json(terms.left)}, {"right", to_json(terms.right)},
                    {"count", terms.count},        {"missing", terms.missing},
                    {"repeated", terms.repeated},  {"foreign", std::move(foreign)}};
  }
  for (const RecordedWrite& write : recording.writes) {
    json one = {{"number", write.number},     {"by", write.by},        {"launch", write.launch},
                {"file", write.file},         {"line", write.line},    {"value", write.value},
                {"left_out", write.left_out}, {"reads", json::array()}};
    if (!write.kernel.empty()) {
      one["kernel"] = write.kernel;
      one["grid_dim"] = write.grid_dim;
      one["block_dim"] = write.block_dim;
      one["block"] = write.block;
      one["thread"] = write.thread;
    }
    for (const RecordedRead& read : write.reads) {
      json item = {{"element", to_json(read.element)},
                   {"shared", read.shared},
                   {"value", read.value},
                   {"file", read.file},
                   {"line", read.line},
                   {"never_written", read.never_written}};
      if (!read.put_by.empty()) item["put_by"] = read.put_by;
      if (read.copied) item["copied_from"] = to_json(*read.copied);
      one["reads"].push_back(std::move(item));
    }
    out["writes"].push_back(std::move(one));
  }
  for (const RecordedNeighbour& one : recording.neighbours)
    out["neighbours"].push_back({{"element", to_json(one.element)},
                                 {"block", one.block},
                                 {"thread", one.thread},
                                 {"file", one.file},
                                 {"line", one.line}});
  return out;
}

}  // namespace grader
