// The student's process wrote the report, so the report is not trusted: the reader checks types, and a report
// that does not parse counts as missing.
#include "check/recording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "check/checking.hpp"
#include "check/recorded.hpp"
#include "judge/judge.hpp"
#include "model/data_file.hpp"
#include "model/json.hpp"
#include "verify/elements.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_record = 8 << 20;
constexpr std::size_t most_indices = 8;

using nlohmann::json;

/// An element, with the name and shape that the lab gives its array, if any.
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
  read.file = file_in(from, submission.files);
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
  write.file = file_in(from, submission.files);
  write.line = from.value("line", 0u);
  write.value = value_text(from.value("value", ""), dtype);
  write.left_out = from.value("left_out", std::uint64_t{0});
  for (const json& read : from.at("reads")) write.reads.push_back(read_in(read, known, submission));
  return write;
}

/// An element's position in memory. If it has only one index, that is the position.
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

/// Throws when the requested element was not recorded.
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

/// The global element whose value a thread read, directly or through shared memory.
const ElementName* source_of(const RecordedRead& read) {
  if (!read.shared) return &read.element;
  return read.copied ? &*read.copied : nullptr;
}

/// The terms of an element of a product, according to the shapes of the first two inputs. No value unless at
/// least half of the element's terms were read, and there are at most half as many foreign products.
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
    ++i;  // skips the second factor
    const bool belongs = one->indices[0] == element.indices[0] && one->indices[1] == other->indices[0] &&
                         other->indices[1] == element.indices[1];
    if (belongs)
      found += seen[one->indices[1]]++ == 0 ? 1 : 0;
    else
      terms.foreign.emplace_back(*one, *other);
  }
  // A thread that computes several elements also reads the terms of its other elements.
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

namespace {

/// Compares an element of the result on the device with the expected one, if it is known.
void judge_element(Recording& out, std::size_t position, const Lab& lab, const Case& c, const RunResult& run,
                   const CaseData& data) {
  if (c.verify == Verify::none || !is_npy(data.expected)) return;
  const Array expected = Array::read(data.expected);
  const bool compared = c.verify != Verify::sample || !std::isnan(expected[position]);
  if (!compared) return;
  out.expected = expected.text(position);
  out.right = !out.writes.empty() && !is_wrong(out.writes.back().value, position, expected, c.tolerance);
  const Judgement judgement = judge(lab, c, run, data, JudgeContext{});
  const bool is_known = judgement.right == true || !judgement.wrong.empty();
  const bool is_wrong_there = !judgement.wrong.empty() && judgement.wrong[position];
  if (out.right && is_wrong_there)
    out.in_result = Array::read(run.output, lab::NpyLinks::refuse).text(position);
  // The host computes the result from the device's array, so other values in the device's array can be right, too.
  if (!out.right && is_known && !is_wrong_there) out.expected.clear();
}

}  // namespace

Recording record_element(const Toolchain& toolchain, const Submission& submission, const Case& c,
                         const fs::path& program, const CaseData& data, const fs::path& work_folder,
                         const ElementName& element, const Machine& machine, std::size_t bytes) {
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
  if (!dtype.empty()) bytes = bytes_of(dtype);
  const std::size_t position =
      array != known.end() ? position_of(element, array->second.shape) : element.indices[0];

  const RunResult run = run_checked_as(fmt::format("limit=0,record={}:{}:{}", element.array, position, bytes),
                                       toolchain, submission, c, program, data, work_folder, machine)
                            .run;
  const auto report = run.reports.find("record");
  const json parsed = report != run.reports.end() && report->second.size() <= largest_record
                          ? json_of_whole_numbers(report->second)
                          : json();
  Recording out;
  try {
    if (!parsed.is_object()) throw json::type_error::create(302, "no report", nullptr);
    need_element(parsed, element, position, bytes, array != known.end() ? &array->second : nullptr);
    find_on_device(known, parsed.at("arrays"));
    const bool has_shape =
        array != known.end() && array->second.on_device.count(text_in(parsed, "array")) != 0;
    out.case_id = c.id;
    out.args = c.args;
    out.element = element;
    if (has_shape) {
      out.shape = array->second.shape;
      out.element.indices = indices_of(position, out.shape);
    }
    out.launches = parsed.value("launches", std::uint64_t{0});
    out.count = parsed.value("count", std::uint64_t{0});
    for (const json& write : parsed.at("writes"))
      out.writes.push_back(write_in(write, known, dtype, submission));
    for (const json& one : parsed.at("neighbours")) {
      const std::size_t index = one.at("index").get<std::size_t>();
      out.neighbours.push_back({{element.array, out.shape.empty() ? std::vector<std::size_t>{index}
                                                                  : indices_of(index, out.shape)},
                                numbers_in(one, "block"),
                                numbers_in(one, "thread"),
                                file_in(one, submission.files),
                                one.value("line", 0u)});
    }
  } catch (const json::exception&) {
    throw Error(ErrorKind::usage,
                fmt::format("The program {}, so nothing was recorded.", describe_end(run.process)),
                "grader check " + lab.id);
  } catch (const std::logic_error&) {  // invalid digits
    throw Error(ErrorKind::usage, "What the program left is no recording.", "grader check " + lab.id);
  }
  if (!out.shape.empty() && element.array == lab.output.name())
    judge_element(out, position, lab, c, run, data);
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
    if (!recording.in_result.empty()) out["in_result"] = recording.in_result;
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
