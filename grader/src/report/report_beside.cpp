// The text and the page show the same content in the same order: the two programs, whether their results
// agree, the totals, the kernels, the arrays, and the lines with their costs.
#include "report/report_beside.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/markup.hpp"
#include "report/page.hpp"

namespace grader {
namespace {

constexpr std::size_t most_alike = 6;  // the largest number of equal lines without costs that stay unfolded

std::string point_text(const std::vector<unsigned>& at) {
  return fmt::format("({})", fmt::join(at, ","));
}

/// "lab1.1, case n8 (8), the solution"
std::string side_text(const ComparedSide& side) {
  return fmt::format("{}, case {}{}, {}", side.lab, side.case_id,
                     side.args.empty() ? "" : fmt::format(" ({})", fmt::join(side.args, " ")), side.name);
}

std::string verdict_text(const ComparedSide& side) {
  const auto errors =
      std::count_if(side.findings.begin(), side.findings.end(), [](const Finding& one) { return one.error; });
  const std::string found =
      errors == 0
          ? ""
          : fmt::format("; the checker found {}, {} first",
                        how_many(static_cast<std::uint64_t>(errors), "mistake"),
                        std::find_if(side.findings.begin(), side.findings.end(), [](const Finding& one) {
                          return one.error;
                        })->rule);
  if (!side.end.empty()) return fmt::format("the program {}{}", side.end, found);
  return (!side.judged ? "its result is not verified"
          : side.right ? "its result is right"
                       : "its result is wrong") +
         found;
}

std::string inputs_text(const RunsBeside& comparison) {
  if (comparison.inputs.empty()) return "Neither takes inputs.";
  std::vector<std::string> all;
  for (const ComparedInput& input : comparison.inputs)
    all.push_back(
        input.type.empty()
            ? input.name
            : fmt::format("{} ({})", input.name,
                          input.shape.empty() ? "1" : fmt::format("{}", fmt::join(input.shape, " × "))));
  return fmt::format("Both ran on the same {}.", fmt::join(all, ", "));
}

std::string writer_text(const std::optional<ComparedWrite>& write) {
  if (!write) return "";
  return fmt::format(", written by thread {} of block {} at {}:{}", point_text(write->thread),
                     point_text(write->block), write->place.file, write->place.line);
}

std::string results_text(const RunsBeside& comparison) {
  if (!comparison.results) return comparison.not_compared;
  const ComparedResults& results = *comparison.results;
  const std::string elements = how_many(results.count, "element");
  if (results.differ == 0)
    return results.rounding == 0
               ? fmt::format("Their results are the same: {} of {}.", elements, results.name)
               : fmt::format(
                     "Their results agree: of {} of {} {} by rounding alone.", elements, results.name,
                     results.rounding == 1 ? "1 differs" : fmt::format("{} differ", results.rounding));
  return fmt::format("Their results differ in {} of {} of {}. The first is {}: A has {}{}; B has {}{}{}.",
                     results.differ, elements, results.name, results.element, results.a,
                     writer_text(results.written_a), results.b, writer_text(results.written_b),
                     results.expected.empty() ? "" : fmt::format("; right is {}", results.expected));
}

const char* doing_word(TracedStep::Does does) {
  return does == TracedStep::Does::read ? "reads" : does == TracedStep::Does::write ? "writes" : "updates";
}

/// One kind of access of both sides to an array.
struct ArrayPair {
  const ComparedArray* a = nullptr;
  const ComparedArray* b = nullptr;
};
std::vector<ArrayPair> array_pairs(const RunsBeside& comparison) {
  std::vector<ArrayPair> pairs;
  const auto alike = [](const ComparedArray* x, const ComparedArray& y) {
    return x != nullptr && x->shared == y.shared && x->name == y.name && x->does == y.does;
  };
  for (const ComparedArray& array : comparison.a.arrays) pairs.push_back({&array, nullptr});
  for (const ComparedArray& array : comparison.b.arrays) {
    const auto other =
        std::find_if(pairs.begin(), pairs.end(), [&](const ArrayPair& one) { return alike(one.a, array); });
    if (other != pairs.end())
      other->b = &array;
    else
      pairs.push_back({nullptr, &array});
  }
  return pairs;
}

std::string each_takes(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? "–" : measure_text(static_cast<double>(sum) / static_cast<double>(count));
}

/// The cells for one side's array: accesses, requests, cost of a request, conflicts.
std::vector<std::string> array_cells(const ComparedArray* array) {
  if (array == nullptr) return {"–", "–", "–", "–"};
  return {
      std::to_string(array->accesses), std::to_string(array->requests),
      array->shared ? each_takes(array->turns, array->requests) : each_takes(array->sectors, array->requests),
      array->shared ? std::to_string(array->conflicts) : "–"};
}

std::vector<std::string> kernel_cells(const ComparedKernel& kernel) {
  const auto of = [&](const char* name) { return count_in(kernel.counts, name); };
  return {std::to_string(of("launches")),
          std::to_string(of("global_loads") + of("global_stores")),
          std::to_string(of("global_load_sectors") + of("global_store_sectors")),
          std::to_string(of("shared_loads") + of("shared_stores")),
          std::to_string(of("shared_load_conflicts") + of("shared_store_conflicts")),
          std::to_string(of("barriers")),
          std::to_string(of("divergent_branches"))};
}
const std::vector<std::string> kernel_heads = {"launches",  "global",   "sectors", "shared",
                                               "conflicts", "barriers", "diverge"};

/// Says why the arrays' counts are not totals.
std::string arrays_note(const RunsBeside& comparison) {
  std::vector<std::string> sides;
  if (!comparison.a.whole) sides.emplace_back("A");
  if (!comparison.b.whole) sides.emplace_back("B");
  if (sides.empty()) return "";
  return fmt::format(
      "Of {} not all blocks are recorded, so the arrays’ counts are not those of the whole run; the others "
      "are.",
      fmt::join(sides, " and "));
}

const ComparedLine* line_at(const ComparedSide& side, const std::string& file, unsigned line) {
  const auto found = std::find_if(side.lines.begin(), side.lines.end(), [&](const ComparedLine& one) {
    return one.line == line && one.file == file;
  });
  return found != side.lines.end() ? &*found : nullptr;
}

std::string cost_at(const ComparedSide& side, const TracedSource& source, unsigned line) {
  const ComparedLine* const its = line == 0 ? nullptr : line_at(side, source.file, line);
  return its == nullptr ? "" : line_cost_text(its->counts);
}

std::string lines_text(const ComparedSide& side, const char* letter, const Style& style) {
  std::string out;
  for (const TracedSource& source : side.sources) {
    const std::vector<std::string> lines = split_lines(source.text);
    std::string its;
    for (unsigned number = 1; number <= lines.size(); ++number) {
      const std::string cost = cost_at(side, source, number);
      if (cost.empty()) continue;
      its += hanging(fmt::format("  {:>5}  ", number), cost, style.width) + "\n" +
             cut_to("           " + printable(std::string(trimmed(lines[number - 1]))), style.width) + "\n";
    }
    if (!its.empty()) out += style.strong(fmt::format("{}  {}", letter, printable(source.file))) + "\n" + its;
  }
  return out;
}

}  // namespace

std::string beside_title(const RunsBeside& comparison) {
  const ComparedSide &a = comparison.a, &b = comparison.b;
  const std::string first = a.lab, second = a.lab != b.lab                               ? b.lab
                                            : a.case_id != b.case_id && a.name == b.name ? "case " + b.case_id
                                                                                         : b.name;
  return fmt::format(
      "{} beside {}",
      first + (a.lab == b.lab
                   ? a.case_id != b.case_id && a.name == b.name ? ", case " + a.case_id : ", " + a.name
                   : ""),
      second);
}

std::string beside_text(const RunsBeside& comparison, const Style& terminal) {
  Style style = terminal;
  style.width = std::clamp(style.width, 40, 100);
  std::string out;
  for (const auto& [letter, side] : {std::pair("A", &comparison.a), std::pair("B", &comparison.b)})
    out += hanging(style.strong(std::string(letter) + "  "),
                   printable(side_text(*side) + ": " + verdict_text(*side)), style.width) +
           "\n";
  const bool differ = comparison.results && comparison.results->differ > 0;
  const std::string results = wrap(printable(results_text(comparison)), style.width);
  out += wrap(printable(inputs_text(comparison)), style.width) + "\n" +
         (differ ? style.bad(results) : results) + "\n\n";

  Columns totals({Align::left, Align::right, Align::right, Align::left});
  totals.add(
      {style.strong("All kernels together"), style.strong("A"), style.strong("B"), style.strong("A to B")});
  for (const ComparedMeasure& measure : measures_of(comparison))
    totals.add(
        {measure.title, measure_text(measure.a), measure_text(measure.b), change_text(measure.a, measure.b)});
  out += totals.text(0, style.width);

  Columns kernels({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right,
                   Align::right, Align::right, Align::right});
  std::vector<std::string> heads = {style.strong("By kernel"), ""};
  heads.insert(heads.end(), kernel_heads.begin(), kernel_heads.end());
  kernels.add(heads);
  for (const auto& [letter, side] : {std::pair("A", &comparison.a), std::pair("B", &comparison.b)})
    for (const ComparedKernel& kernel : side->kernels) {
      std::vector<std::string> cells = {cut_to(printable(kernel.name), 20), letter};
      for (std::string& cell : kernel_cells(kernel)) cells.push_back(std::move(cell));
      kernels.add(cells);
    }
  out += "\n" + kernels.text(0, style.width);

  Columns arrays(
      {Align::left, Align::left, Align::left, Align::right, Align::right, Align::right, Align::right});
  arrays.add({style.strong("By array"), "", "", "accesses", "requests", "each takes", "conflicts"});
  for (const auto& row : array_pairs(comparison))
    for (const auto& [letter, array] : {std::pair("A", row.a), std::pair("B", row.b)}) {
      if (array == nullptr) continue;
      std::vector<std::string> cells = {printable(array->name), letter, doing_word(array->does)};
      for (std::string& cell : array_cells(array)) cells.push_back(std::move(cell));
      cells[5] += array->shared ? (cells[5] == "1" ? " turn" : " turns") : " sect.";
      arrays.add(cells);
    }
  out += "\n" + arrays.text(0, style.width);
  if (const std::string note = arrays_note(comparison); !note.empty()) out += wrap(note, style.width) + "\n";

  out += "\n" + lines_text(comparison.a, "A", style) + "\n" + lines_text(comparison.b, "B", style);
  for (const ComparedSide* side : {&comparison.a, &comparison.b})
    for (const std::string& sentence : side->left_out)
      out += wrap(fmt::format("{}: {}", side == &comparison.a ? "A" : "B", sentence), style.width) + "\n";
  return out + "\n" +
         wrap(
             "Accesses are of threads, requests of warps. A request of global memory takes sectors of 32 "
             "bytes, one of shared "
             "memory turns of the 32 banks.",
             style.width) +
         "\n";
}

namespace {

constexpr const char* beside_style = R"(
.who{display:grid;grid-template-columns:1fr 1fr;gap:.8rem}.who p{background:var(--soft);border-radius:.4rem;margin:0;padding:.5rem .8rem;overflow-wrap:anywhere}
.letter{font-weight:700;color:var(--blue)}.b.letter,.b .letter{color:var(--b)}:root{--b:#8a3ffc}@media(prefers-color-scheme:dark){:root{--b:#c6a1ff}}
.column{min-width:0}td:last-child{white-space:nowrap}.less{color:var(--good);font-weight:600}.more{color:var(--bad);font-weight:600}tbody th.in{padding-left:1.6rem}
.source{border:1px solid var(--line);border-radius:.4rem;font:.8rem/1.45 ui-monospace,monospace}
.pair{display:grid;grid-template-columns:1fr 1fr}.half{display:grid;grid-template-columns:3rem minmax(0,1fr);padding:0 .4rem;min-width:0}.half.b{border-left:1px solid var(--line)}
.half .n{color:var(--faint);text-align:right;padding-right:.6rem}.half code{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}
.half .cost{grid-column:2;color:var(--blue);font:.78rem/1.4 system-ui,sans-serif}.half.b .cost{color:var(--b)}
.pair.changed .half{background:var(--soft)}.pair.changed .half.b{box-shadow:inset .25rem 0 var(--b)}.pair.changed .half.a{box-shadow:inset .25rem 0 var(--blue)}.pair.changed .half.empty{box-shadow:none}
.source summary{color:var(--faint);padding:.1rem .6rem;background:var(--soft);font-family:system-ui,sans-serif}
@media(max-width:48rem){.who,.pair{grid-template-columns:1fr}.half.b{border-left:0}.pair.same .half.b:not(.dear) ,.half.empty{display:none}.pair.same .half.b code{display:none}.half .n::before{content:attr(data-side);color:var(--faint);padding-right:.3rem}}
@media print{.source details{display:block}}
)";

std::string half_markup(const char* side, const ComparedSide& of, const TracedSource* source, unsigned line,
                        const std::vector<std::string>& lines) {
  if (source == nullptr || line == 0) return fmt::format("<div class=\"half {} empty\"></div>", side);
  const std::string cost = cost_at(of, *source, line);
  return fmt::format("<div class=\"half {}{}\"><span class=n data-side={}>{}</span><code>{}</code>{}</div>",
                     side, cost.empty() ? "" : " dear", side[0] == 'a' ? "A" : "B", line,
                     foreign_text(lines[line - 1]),
                     cost.empty() ? "" : fmt::format("<span class=cost>{}</span>", cost));
}

/// The rows. Long runs of rows without costs are folded.
template <class Plain, class Markup>
std::string folded(std::size_t count, const std::string& what, Plain plain, Markup markup) {
  std::string out;
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i;
    while (end < count && plain(end)) ++end;
    const bool fold = end - i > most_alike;
    if (fold) out += fmt::format("<details><summary>{} {}</summary>\n", how_many(end - i, "line"), what);
    for (end = std::max(end, i + 1); i < end; ++i) out += markup(i);
    if (fold) out += "</details>\n";
  }
  return out;
}

/// One source, in the column of its side.
std::string column_markup(const char* side, const ComparedSide& of, const TracedSource* source) {
  if (source == nullptr) return "<div></div>";
  const std::vector<std::string> lines = split_lines(source->text);
  const auto number = [](std::size_t i) { return static_cast<unsigned>(i + 1); };
  return "<div class=column>" +
         folded(
             lines.size(), "that touch no memory",
             [&](std::size_t i) { return cost_at(of, *source, number(i)).empty(); },
             [&](std::size_t i) { return half_markup(side, of, source, number(i), lines) + "\n"; }) +
         "</div>";
}

std::string pair_markup(const RunsBeside& comparison, int a, int b) {
  const auto source_of = [](const ComparedSide& side, int i) {
    return i < 0 ? nullptr : &side.sources[static_cast<std::size_t>(i)];
  };
  const TracedSource* const left = source_of(comparison.a, a);
  const TracedSource* const right = source_of(comparison.b, b);
  const auto name = [](const TracedSource* source) {
    return source == nullptr ? "–" : foreign_text(source->file);
  };
  std::string out = fmt::format(
      "<h3>{}</h3>\n<div class=source>\n",
      name(left) == name(right)
          ? name(left)
          : fmt::format("<span class=letter>A</span> {} &nbsp; <span class=\"b letter\">B</span> {}",
                        name(left), name(right)));
  const std::string text_a = left == nullptr ? "" : left->text, text_b = right == nullptr ? "" : right->text;
  const std::vector<LinePair> pairs = paired_lines(text_a, text_b);
  const auto same = std::count_if(pairs.begin(), pairs.end(), [](const LinePair& one) { return one.same; });
  if (2 * static_cast<std::size_t>(same) < pairs.size())  // two different programs, not two versions of one
    return out + "<div class=pair>" + column_markup("a", comparison.a, left) +
           column_markup("b", comparison.b, right) + "</div></div>\n";
  const std::vector<std::string> lines_a = split_lines(text_a), lines_b = split_lines(text_b);
  return out +
         folded(
             pairs.size(), "that are alike and touch no memory",
             [&](std::size_t i) {
               return pairs[i].same && cost_at(comparison.a, *left, pairs[i].a).empty() &&
                      cost_at(comparison.b, *right, pairs[i].b).empty();
             },
             [&](std::size_t i) {
               return fmt::format("<div class=\"pair {}\">{}{}</div>\n", pairs[i].same ? "same" : "changed",
                                  half_markup("a", comparison.a, left, pairs[i].a, lines_a),
                                  half_markup("b", comparison.b, right, pairs[i].b, lines_b));
             }) +
         "</div>\n";
}

std::string who_markup(const char* side, const ComparedSide& of) {
  return fmt::format("<p class={}><span class=letter>{}</span> {}: <span class={}>{}</span>.</p>", side,
                     side[0] == 'a' ? "A" : "B", foreign_text(side_text(of)),
                     of.right && of.end.empty() ? "good" : "bad", foreign_text(verdict_text(of)));
}

std::string change_markup(const ComparedMeasure& measure) {
  const std::string text = change_text(measure.a, measure.b);
  // These rows are neither good nor bad: a ratio of costs is not itself a cost, and neither is the size of a
  // launch.
  static const std::vector<std::string> neutral = {"launches",     "blocks",           "warps",
                                                   "active_lanes", "sectors_per_load", "sectors_per_store"};
  if (!measure.a || !measure.b || *measure.a == *measure.b ||
      std::find(neutral.begin(), neutral.end(), measure.id) != neutral.end())
    return text;
  return fmt::format("<span class={}>{}</span>", *measure.b < *measure.a ? "less" : "more", text);
}

}  // namespace

std::string beside_page(const RunsBeside& comparison, const std::string& head) {
  const std::string title = beside_title(comparison);
  const bool differ = comparison.results && comparison.results->differ > 0;
  std::string body = fmt::format(
      "<style>{}</style>\n<h1>{}</h1>\n<p class=of>{}</p>\n<div class=who>{}{}</div>\n<p id=results "
      "class={}>{}</p>\n",
      beside_style, foreign_text(title), foreign_text(inputs_text(comparison)), who_markup("a", comparison.a),
      who_markup("b", comparison.b), differ ? "bad" : "same", foreign_text(results_text(comparison)));
  body += "<h2>All kernels together</h2>\n";
  PageTable totals{.id = "totals",
                   .caption = "All kernels together",
                   .heads = {"", "A", "B", "A to B"},
                   .is_number = {false, true, true, false},
                   .rows = {}};
  for (const ComparedMeasure& measure : measures_of(comparison))
    totals.rows.push_back(
        {{(measure.title[0] == ' ' ? "&emsp;" : "") + foreign_text(std::string(trimmed(measure.title)))},
         {measure_text(measure.a)},
         {measure_text(measure.b)},
         {change_markup(measure)}});
  body += table_markup(totals) + "<h2>By kernel</h2>\n";
  PageTable kernels{.id = "kernels",
                    .caption = "By kernel",
                    .heads = {"kernel", "", "grid, block"},
                    .is_number = {false, false, false},
                    .rows = {}};
  for (const std::string& name : kernel_heads) {
    kernels.heads.push_back(name);
    kernels.is_number.push_back(true);
  }
  for (const auto& [letter, side] : {std::pair("A", &comparison.a), std::pair("B", &comparison.b)})
    for (const ComparedKernel& kernel : side->kernels) {
      std::vector<PageCell> row = {
          {foreign_text(kernel.name)},
          {fmt::format("<span class=\"{}letter\">{}</span>", letter[0] == 'B' ? "b " : "", letter)},
          {fmt::format("({}), ({})", fmt::join(kernel.grid_dim, ","), fmt::join(kernel.block_dim, ","))}};
      for (const std::string& cell : kernel_cells(kernel)) row.push_back({cell});
      kernels.rows.push_back(std::move(row));
    }
  body += table_markup(kernels) +
          "<p class=of>Requests of warps to global and to shared memory, with sectors of 32 bytes and bank "
          "conflicts.</p>\n<h2>By array</h2>\n";
  PageTable arrays{
      .id = "arrays",
      .caption = "By array",
      .heads = {"array", "", "accesses A", "B", "requests A", "B", "each takes A", "B", "conflicts A", "B"},
      .is_number = {false, false, true, true, true, true, true, true, true, true},
      .rows = {}};
  for (const auto& row : array_pairs(comparison)) {
    const ComparedArray& any = row.a != nullptr ? *row.a : *row.b;
    const std::vector<std::string> a = array_cells(row.a), b = array_cells(row.b);
    arrays.rows.push_back({{foreign_text(any.name)},
                           {fmt::format("{}{}", doing_word(any.does), any.shared ? ", shared" : "")},
                           {a[0]},
                           {b[0]},
                           {a[1]},
                           {b[1]},
                           {a[2]},
                           {b[2]},
                           {a[3]},
                           {b[3]}});
  }
  body += table_markup(arrays);
  body +=
      "<p class=of>Accesses are of threads, requests of warps. A request of global memory takes sectors of "
      "32 bytes, one of shared memory turns of the 32 banks.</p>\n";
  if (const std::string note = arrays_note(comparison); !note.empty()) body += "<p>" + note + "</p>\n";
  for (const ComparedSide* side : {&comparison.a, &comparison.b})
    for (const std::string& sentence : side->left_out)
      body +=
          fmt::format("<p class=of>{}: {}</p>\n", side == &comparison.a ? "A" : "B", foreign_text(sentence));
  body +=
      "<h2>Line by line</h2>\n<p class=of>Below each line is its cost, in requests of warps. Lines "
      "that differ have a bar.</p>\n";
  for (const auto& [a, b] : paired_sources(comparison)) body += pair_markup(comparison, a, b);
  return page(foreign_text(title), body, head);
}

}  // namespace grader
