// Converts gradings and tables to JSON and back. The reader of each struct follows its writer, so that both
// are changed together.
#include "model/json.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

namespace grader {
namespace {

using Json = nlohmann::json;

/// The enumerator whose to_string() is `word`.
template <class Enum, std::size_t count>
Enum from_word(const std::string& word, const std::array<Enum, count>& all, const char* what) {
  for (const Enum value : all) {
    if (word == to_string(value)) return value;
  }
  throw Error(ErrorKind::fault, fmt::format("\"{}\" is no {} that this grader knows.", word, what));
}

constexpr std::array backends = {Backend::emu, Backend::gpu};
constexpr std::array origins = {Origin::student, Origin::solution, Origin::folder};
constexpr std::array verdicts = {
    Verdict::passed,      Verdict::finding,      Verdict::wrong_answer,  Verdict::requirement_failed,
    Verdict::todo,        Verdict::no_output,    Verdict::compile_error, Verdict::crash,
    Verdict::time_out,    Verdict::memory_limit, Verdict::output_limit,  Verdict::process_limit,
    Verdict::unsupported, Verdict::grader_fault};

constexpr std::array<std::pair<Visibility, const char*>, 3> visibilities = {
    {{Visibility::visible, "visible"},
     {Visibility::after_due_date, "after_due_date"},
     {Visibility::hidden, "hidden"}}};

Visibility visibility_from(const std::string& word) {
  for (const auto& [value, name] : visibilities) {
    if (word == name) return value;
  }
  return Visibility::hidden;  // an unknown word of a newer grader may hide details, so they stay hidden
}

template <class T, class Writer>
Json list(const std::vector<T>& items, Writer write) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(write(item));
  return out;
}

template <class T>
std::optional<T> optional_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() ? std::optional<T>(found->get<T>()) : std::nullopt;
}

template <class T, class Reader>
std::vector<T> read_list(const Json& json, const char* key, Reader read) {
  std::vector<T> out;
  if (const auto found = json.find(key); found != json.end()) {
    for (const Json& item : *found) out.push_back(read(item));
  }
  return out;
}

Json write_todo(const Todo& todo) {
  return {{"part", todo.part}, {"file", todo.file.string()}, {"line", todo.line}};
}
Todo read_todo(const Json& json) {
  return {json.value("part", 0), json.value("file", ""), json.value("line", 0u)};
}

Json write_element(const WrongElement& element) {
  return {{"index", element.index}, {"expected", element.expected}, {"got", element.got}};
}
WrongElement read_element(const Json& json) {
  return {json.value("index", std::vector<std::size_t>{}), json.value("expected", ""), json.value("got", "")};
}

Json write_mismatch(const Mismatch& mismatch) {
  Json out = {{"wrong", mismatch.wrong},
              {"total", mismatch.total},
              {"first", list(mismatch.first, write_element)},
              {"pattern", mismatch.pattern},
              {"explanation", mismatch.explanation}};
  if (!mismatch.extent.empty()) out["extent"] = mismatch.extent;
  return out;
}
Mismatch read_mismatch(const Json& json) {
  Mismatch out;
  out.wrong = json.value("wrong", std::size_t{0});
  out.total = json.value("total", std::size_t{0});
  out.first = read_list<WrongElement>(json, "first", read_element);
  out.pattern = json.value("pattern", "");
  out.explanation = json.value("explanation", "");
  out.extent = json.value("extent", "");
  return out;
}

Json write_party(const FindingParty& party) {
  Json out = {{"what", party.what},
              {"file", party.file},
              {"line", party.line},
              {"column", party.column},
              {"end_column", party.end_column},
              {"text", party.text},
              {"indent", party.indent}};
  if (!party.access.empty()) out["access"] = party.access;
  if (party.thread) out["thread"] = *party.thread;
  if (party.block) out["block"] = *party.block;
  return out;
}
FindingParty read_party(const Json& json) {
  using Index = std::array<unsigned, 3>;
  return {json.value("what", ""),           json.value("file", ""),       json.value("line", 0u),
          json.value("column", 0u),         json.value("end_column", 0u), json.value("text", ""),
          json.value("indent", 0u),         json.value("access", ""),     optional_in<Index>(json, "thread"),
          optional_in<Index>(json, "block")};
}

Json write_finding(const Finding& finding) {
  Json out = {{"rule", finding.rule},         {"error", finding.error},
              {"headline", finding.headline}, {"kernel", finding.kernel},
              {"array", finding.array},       {"parties", list(finding.parties, write_party)},
              {"notes", finding.notes},       {"first", finding.first},
              {"hint", finding.hint},         {"count", finding.count},
              {"blocks", finding.blocks},     {"between", finding.between},
              {"within", finding.within},     {"missing", finding.missing}};
  if (!finding.space.empty()) out["space"] = finding.space;
  if (!finding.indices.empty()) out["indices"] = finding.indices;
  if (finding.element) out["element"] = *finding.element;
  if (finding.bytes != 0) out["bytes"] = finding.bytes;
  if (!finding.barrier_lines.empty()) out["barrier_lines"] = finding.barrier_lines;
  return out;
}
Finding read_finding(const Json& json) {
  Finding out;
  out.rule = json.at("rule").get<std::string>();
  out.error = json.value("error", true);
  out.headline = json.value("headline", "");
  out.kernel = json.value("kernel", "");
  out.array = json.value("array", "");
  out.space = json.value("space", "");
  out.indices = json.value("indices", std::vector<std::int64_t>{});
  out.element = optional_in<std::int64_t>(json, "element");
  out.bytes = json.value("bytes", std::uint64_t{0});
  out.parties = read_list<FindingParty>(json, "parties", read_party);
  out.notes = json.value("notes", std::vector<std::string>{});
  out.first = json.value("first", "");
  out.hint = json.value("hint", "");
  out.count = json.value("count", std::uint64_t{1});
  out.blocks = json.value("blocks", std::uint64_t{0});
  out.between = json.value("between", "");
  out.within = json.value("within", "");
  out.missing = json.value("missing", "");
  out.barrier_lines = json.value("barrier_lines", std::vector<unsigned>{});
  return out;
}

/// Reads times. Measures that only a newer grader knows are left out.
std::map<Measure, double> read_times(const Json& json) {
  std::map<Measure, double> times;
  for (const auto& [text, seconds] : json.value("times", std::map<std::string, double>{})) {
    if (const auto measure = measure_from(text)) times[*measure] = seconds;
  }
  return times;
}
Json write_times(const std::map<Measure, double>& times) {
  Json out = Json::object();
  for (const auto& [measure, seconds] : times) out[measure.text()] = seconds;
  return out;
}

Json write_end(const RunEnd& end) {
  Json out = {{"how", end.how},
              {"code", end.code},
              {"limit_s", end.limit_s},
              {"printed", end.printed},
              {"peak_memory", end.peak_memory},
              {"first_line", end.first_line}};
  if (!end.not_started.empty()) out["not_started"] = end.not_started;
  if (!end.stop.empty()) out["stop"] = end.stop;
  if (!end.cuda_error.empty()) out["cuda_error"] = end.cuda_error;
  if (!end.todo.empty()) out["todo"] = end.todo;
  return out;
}
RunEnd read_end(const Json& json) {
  return {json.value("how", ""),
          json.value("code", 0),
          json.value("limit_s", 0.0),
          json.value("printed", std::uint64_t{0}),
          json.value("peak_memory", std::uint64_t{0}),
          json.value("first_line", ""),
          json.value("not_started", ""),
          json.value("stop", ""),
          json.value("cuda_error", ""),
          json.value("todo", "")};
}

Json write_case(const CaseResult& c) {
  Json out = {{"id", c.id},
              {"visibility", to_string(c.visibility)},
              {"verdict", to_string(c.verdict)},
              {"points", c.points},
              {"max_points", c.max_points},
              {"message", c.message},
              {"next_step", c.next_step},
              {"wall_s", c.wall_s},
              {"times", write_times(c.times)},
              {"output_excerpt", c.output_excerpt}};
  if (!c.place.file.empty()) out["place"] = {{"file", c.place.file}, {"line", c.place.line}};
  if (c.mismatch) out["mismatch"] = write_mismatch(*c.mismatch);
  if (!c.findings.empty()) out["findings"] = list(c.findings, write_finding);
  if (c.checker_silent) out["checker_silent"] = true;
  if (!c.element.empty()) out["element"] = c.element;
  if (c.ended) out["ended"] = write_end(*c.ended);
  if (c.cause) out["cause"] = *c.cause;
  if (c.right_in_step) out["right_in_step"] = true;
  if (c.right_before_check) out["right_before_check"] = true;
  if (c.counts) out["counts"] = to_json(*c.counts);
  return out;
}
CaseResult read_case(const Json& json) {
  CaseResult out;
  out.id = json.at("id").get<std::string>();
  out.visibility = visibility_from(json.value("visibility", "visible"));
  out.verdict = from_word(json.at("verdict").get<std::string>(), verdicts, "verdict");
  out.points = json.value("points", 0.0);
  out.max_points = json.value("max_points", 0.0);
  out.message = json.value("message", "");
  out.next_step = json.value("next_step", "");
  out.wall_s = json.value("wall_s", 0.0);
  out.times = read_times(json);
  out.output_excerpt = json.value("output_excerpt", "");
  if (const auto found = json.find("place"); found != json.end())
    out.place = {found->value("file", ""), found->value("line", 0u)};
  if (const auto found = json.find("mismatch"); found != json.end()) out.mismatch = read_mismatch(*found);
  out.findings = read_list<Finding>(json, "findings", read_finding);
  out.checker_silent = json.value("checker_silent", false);
  out.element = json.value("element", "");
  if (const auto found = json.find("ended"); found != json.end()) out.ended = read_end(*found);
  out.cause = optional_in<std::size_t>(json, "cause");
  out.right_in_step = json.value("right_in_step", false);
  out.right_before_check = json.value("right_before_check", false);
  if (const auto found = json.find("counts"); found != json.end())
    out.counts =
        KernelCounts{found->value("sectors", std::int64_t{0}), found->value("conflicts", std::int64_t{0}),
                     found->value("barriers", std::int64_t{0})};
  return out;
}

Json write_part(const PartResult& part) {
  return {{"id", part.id},
          {"title", part.title},
          {"points", part.points},
          {"max_points", part.max_points},
          {"todo", part.todo}};
}
PartResult read_part(const Json& json) {
  return {json.value("id", 0), json.value("title", ""), json.value("points", 0.0),
          json.value("max_points", 0.0), json.value("todo", false)};
}

Json write_axis(const Axis& axis) {
  return {{"name", axis.name},
          {"is_macro", axis.kind == Axis::Kind::macro},
          {"values", axis.values},
          {"emu_values", axis.emu_values},
          {"labels", axis.labels}};
}
Axis read_axis(const Json& json) {
  const std::vector<std::string> none;
  return {json.value("name", ""), json.value("is_macro", false) ? Axis::Kind::macro : Axis::Kind::argument,
          json.value("values", none), json.value("emu_values", none), json.value("labels", none)};
}

Json write_column(const Column& column) {
  Json json = {
      {"id", column.id}, {"title", column.title}, {"measure", column.measure.text()}, {"unit", column.unit}};
  if (!column.along.empty()) json["along"] = column.along;
  return json;
}
Column read_column(const Json& json) {
  const std::string text = json.value("measure", Measure().text());
  const auto measure = measure_from(text);
  if (!measure)
    throw Error(ErrorKind::fault, fmt::format("\"{}\" is no measure that this grader knows.", text));
  return {json.value("id", ""), json.value("title", ""), *measure, json.value("unit", ""),
          json.value("along", "")};
}

/// The median and the spread are written for programs in other languages. Only the samples are read back.
Json write_cell(const Measurement& cell) {
  const bool measured = !cell.samples.empty();
  return {{"samples", cell.samples},
          {"median", measured ? Json(cell.median()) : Json()},
          {"spread", measured ? Json(cell.spread()) : Json()}};
}
Measurement read_cell(const Json& json) {
  return {json.value("samples", std::vector<double>{})};
}

Json write_row(const TableRow& row) {
  return {{"key", row.key}, {"label", row.label}, {"cells", list(row.cells, write_cell)}, {"note", row.note}};
}
TableRow read_row(const Json& json) {
  return {json.value("key", std::vector<std::string>{}), json.value("label", ""),
          read_list<Measurement>(json, "cells", read_cell), json.value("note", "")};
}

const char* kind_word(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::environment:
      return "environment";
    case ErrorKind::fault:
      return "fault";
  }
  return "fault";
}

/// Runs a reader. If the JSON library throws because a type is wrong or a name is missing, throws an Error
/// instead.
template <class Reader>
auto reading(const char* what, Reader read) {
  try {
    return read();
  } catch (const Json::exception& e) {
    throw Error(ErrorKind::fault, fmt::format("This is no {} as the grader writes it: {}.", what, e.what()));
  }
}

}  // namespace

const char* to_string(Visibility visibility) {
  for (const auto& [value, word] : visibilities) {
    if (value == visibility) return word;
  }
  return "hidden";
}

Json to_json(const Grading& g) {
  return {{"format", 1},
          {"kind", "grading"},
          {"check", g.check},
          {"lab", g.lab},
          {"level", g.level},
          {"origin", to_string(g.origin)},
          {"submission", g.submission},
          {"sources_sha256", g.sources_sha256},
          {"backend", to_string(g.backend)},
          {"device", g.device},
          {"started_at", g.started_at},
          {"verdict", to_string(g.verdict)},
          {"graded", is_graded(g)},
          {"points", g.points},
          {"max_points", g.max_points},
          {"todo", list(g.todo, write_todo)},
          {"parts", list(g.parts, write_part)},
          {"cases", list(g.cases, write_case)},
          {"diagnostics", g.diagnostics},
          {"notes", g.notes},
          {"time_source", g.time_source},
          {"kit_version", g.kit_version},
          {"sandbox", g.sandbox},
          {"build_s", g.build_s},
          {"run_s", g.run_s},
          {"total_s", g.total_s}};
}

Grading grading_from_json(const Json& json) {
  return reading("grading", [&] {
    Grading g;
    g.lab = json.at("lab").get<std::string>();
    g.level = json.at("level").get<int>();
    g.check = json.value("check", false);
    g.origin = from_word(json.value("origin", "student"), origins, "origin");
    g.submission = json.value("submission", "");
    g.sources_sha256 = json.value("sources_sha256", "");
    g.backend = from_word(json.value("backend", "emu"), backends, "backend");
    g.device = json.value("device", "");
    g.started_at = json.value("started_at", "");
    g.verdict = from_word(json.at("verdict").get<std::string>(), verdicts, "verdict");
    g.points = json.value("points", 0.0);
    g.max_points = json.value("max_points", 0.0);
    g.todo = read_list<Todo>(json, "todo", read_todo);
    g.parts = read_list<PartResult>(json, "parts", read_part);
    g.cases = read_list<CaseResult>(json, "cases", read_case);
    g.diagnostics = json.value("diagnostics", "");
    g.notes = json.value("notes", std::vector<std::string>{});
    g.time_source = json.value("time_source", "");
    g.kit_version = json.value("kit_version", "");
    g.sandbox = json.value("sandbox", "");
    g.build_s = json.value("build_s", 0.0);
    g.run_s = json.value("run_s", 0.0);
    g.total_s = json.value("total_s", 0.0);
    return g;
  });
}

Json to_json(const Finding& finding) {
  return write_finding(finding);
}

std::vector<Finding> findings_from_json(const Json& json) {
  return reading("report of the checker", [&] {
    (void)json.at("findings");  // without findings the JSON is not a report
    return read_list<Finding>(json, "findings", read_finding);
  });
}

Json to_json(const KernelCounts& counts) {
  return {{"sectors", counts.sectors}, {"conflicts", counts.conflicts}, {"barriers", counts.barriers}};
}

Json to_json(const CaseResult& result) {
  return write_case(result);
}

Json to_json(const Table& t) {
  return {{"format", 1},
          {"kind", "table"},
          {"lab", t.lab},
          {"id", t.spec.id},
          {"title", t.spec.title},
          {"axes", list(t.spec.axes, write_axis)},
          {"columns", list(t.spec.columns, write_column)},
          {"baseline", t.spec.baseline},
          {"samples", t.spec.samples},
          {"search", t.spec.search},
          {"backend", to_string(t.backend)},
          {"device", t.device},
          {"time_source", t.time_source},
          {"measured_at", t.measured_at},
          {"machine", t.machine},
          {"command", t.command},
          {"fingerprint", t.fingerprint},
          {"notes", t.notes},
          {"rows", list(t.rows, write_row)}};
}

Table table_from_json(const Json& json) {
  return reading("table", [&] {
    Table t;
    t.lab = json.at("lab").get<std::string>();
    t.spec.id = json.at("id").get<std::string>();
    t.spec.title = json.value("title", "");
    t.spec.axes = read_list<Axis>(json, "axes", read_axis);
    t.spec.columns = read_list<Column>(json, "columns", read_column);
    t.spec.baseline = json.value("baseline", "");
    t.spec.samples = json.value("samples", 5);
    t.spec.search = json.value("search", false);
    t.backend = from_word(json.value("backend", "emu"), backends, "backend");
    t.device = json.value("device", "");
    t.time_source = json.value("time_source", "");
    t.measured_at = json.value("measured_at", "");
    t.machine = json.value("machine", "");
    t.command = json.value("command", "");
    t.fingerprint = json.value("fingerprint", "");
    t.notes = json.value("notes", std::vector<std::string>{});
    t.rows = read_list<TableRow>(json, "rows", read_row);
    return t;
  });
}

Json to_json(const Error& error) {
  return {{"error", error.what()}, {"next", error.next_step()}, {"kind", kind_word(error.kind())}};
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json parse_json(const std::string& text, const std::string& what) {
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    throw Error(ErrorKind::fault, fmt::format("{} does not hold readable JSON.", what));
  }
}

Json json_or_null(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) json = nullptr;
  return json;
}

Json json_of_whole_numbers(std::string_view text) {
  Json json = json_or_null(text);
  std::vector<const Json*> open = {&json};  // not recursive: the nesting has no limit
  while (!open.empty()) {
    const Json& one = *open.back();
    open.pop_back();
    if (one.is_number_float()) return nullptr;
    if (!one.is_structured()) continue;
    for (const Json& inner : one) open.push_back(&inner);
  }
  return json;
}

}  // namespace grader
