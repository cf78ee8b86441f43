#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/markup.hpp"
#include "base/terminal.hpp"
#include "base/utc.hpp"

namespace grader {
namespace {

constexpr const char* page_style = R"(
:root{color-scheme:light dark;--ink:#1a1d21;--paper:#fff;--soft:#f2f4f7;--line:#c9d0d9;--faint:#59636e;--blue:#1f5fa8;--bad:#a3271c;--good:#1c6b3c}
@media(prefers-color-scheme:dark){:root{--ink:#e7eaee;--paper:#15181c;--soft:#20252b;--line:#434b55;--faint:#a3adb8;--blue:#7db4f0;--bad:#f09a90;--good:#7fd3a0}}
*{box-sizing:border-box}body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.45 system-ui,sans-serif}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1rem 0 .3rem}p.of{margin:0;color:var(--faint);overflow-wrap:anywhere}a{color:var(--blue)}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;margin:.8rem 0;padding:0}
dl.cards{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}dl.cards div{background:var(--soft);border-radius:.4rem;padding:.5rem .9rem;min-width:7rem}
dl.cards dt{font-size:.85rem}dl.cards dd{margin:0;font-size:1.4rem;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tbody th{font-weight:inherit;overflow-wrap:anywhere}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}th button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:.2rem 0;cursor:pointer;text-decoration:underline dotted}
th[aria-sort=ascending] button::after{content:" \25B2"}th[aria-sort=descending] button::after{content:" \25BC"}
.good{color:var(--good)}.bad{color:var(--bad)}.time{white-space:nowrap}label{display:block;margin:.5rem 0}input,select{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--faint);border-radius:.25rem;padding:.3rem .5rem;max-width:100%}
:focus-visible{outline:3px solid var(--blue);outline-offset:2px}svg{display:block;height:auto;min-width:30rem;width:100%;max-width:46rem}svg text{fill:var(--ink);font:13px system-ui,sans-serif}
.bar{fill:var(--blue)}.axis{stroke:var(--line)}.dot{fill:var(--blue);fill-opacity:.55}.box{fill:var(--blue);fill-opacity:.25}.median{stroke:var(--blue);stroke-width:3}.reference{stroke:var(--good);stroke-width:3}.limit{stroke:var(--bad);stroke-width:3;stroke-dasharray:4 3}
.r0{stroke:#0072b2}.r1{stroke:#d55e00}.r2{stroke:#009e73}.r3{stroke:#cc79a7}.r4{stroke:#56b4e9}.r5{stroke:#b87f00}.r6{stroke:var(--ink)}.r7{stroke:#8a8a8a}.rank{fill:none;stroke-width:2.5}.d1{stroke-dasharray:9 4}.d2{stroke-dasharray:2 3}
meter{width:8rem}summary{cursor:pointer}details.pair{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:.4rem .7rem}
.beside{display:grid;grid-template-columns:1fr 1fr;gap:.8rem;margin:.6rem 0}.beside div{min-width:0}pre{background:var(--soft);font-size:.85rem;margin:.2rem 0;overflow-x:auto;padding:.5rem}
div.words{overflow-wrap:anywhere;min-width:7rem}#cases th,#rules th,#patterns th{overflow-wrap:normal}pre.words{white-space:pre-wrap;overflow-wrap:anywhere}
.list{margin:.3rem 0;padding-left:1.2rem}.list li{overflow-wrap:anywhere}
@media(max-width:40rem){.beside{grid-template-columns:1fr}th,td{padding:.35rem .4rem}}
@media print{:root{--ink:#000;--paper:#fff;--soft:#fff;--line:#888;--faint:#333;--blue:#1f5fa8;--bad:#a3271c;--good:#1c6b3c}nav,label,.count,th button::after{display:none}body{max-width:none;padding:0}.scroll{overflow:visible}th,td{padding:.2rem .3rem}tr,svg,.beside{break-inside:avoid}thead{display:table-header-group}}
)";

constexpr const char* page_script = R"(
"use strict";
for(const table of document.querySelectorAll("table.sortable")){
 const body=table.tBodies[0];
 for(const button of table.querySelectorAll("th button"))button.addEventListener("click",()=>{
  const th=button.closest("th"),column=th.cellIndex,up=th.getAttribute("aria-sort")!=="ascending";
  for(const other of th.parentNode.cells)other.removeAttribute("aria-sort");
  th.setAttribute("aria-sort",up?"ascending":"descending");
  const key=row=>row.cells[column].dataset.key??row.cells[column].textContent;
  const number=th.classList.contains("n");
  [...body.rows].sort((a,b)=>(number?Number(key(a))-Number(key(b)):key(a).localeCompare(key(b)))*(up?1:-1)).forEach(row=>body.append(row));
 });
}
for(const field of document.querySelectorAll("input[data-table]")){
 const body=document.getElementById(field.dataset.table).tBodies[0],count=document.getElementById(field.dataset.table+"-count");
 field.addEventListener("input",()=>{
  const wanted=field.value.toLowerCase();let shown=0;
  for(const row of body.rows){row.hidden=!row.textContent.toLowerCase().includes(wanted);shown+=!row.hidden}
  count.textContent=shown+" of "+body.rows.length+" "+count.dataset.what;
 });
}
addEventListener("beforeprint",()=>{for(const one of document.querySelectorAll("details.pair"))one.open=true});
)";

std::string svg(int width, int height, const std::string& words, const std::string& content) {
  return fmt::format(
      "<div class=scroll tabindex=0 role=group aria-label=\"figure\"><svg viewBox=\"0 0 {} {}\" role=img "
      "aria-label=\"{}\">{}</svg></div>\n",
      width, height, foreign_text(words), content);
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x={:.1f} y={:.1f} text-anchor={}>{}</text>", x, y, anchor, foreign_text(text));
}

std::string line(const char* kind, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class={} x1={:.1f} y1={:.1f} x2={:.1f} y2={:.1f} />", kind, x1, y1, x2, y2);
}

/// The quantile of sorted values at a share from 0 to 1.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::string page(const std::string& title, const std::string& body, const std::string& head) {
  return fmt::format("{}<style>{}</style>\n<main>{}</main>\n<script>{}</script>\n", page_head(title, head),
                     page_style, body, page_script);
}

std::string table_markup(const PageTable& table) {
  std::string head, rows;
  const auto number = [&](std::size_t i) { return i < table.is_number.size() && table.is_number[i]; };
  for (std::size_t i = 0; i < table.heads.size(); ++i)
    head +=
        fmt::format("<th scope=col{}>{}", number(i) ? " class=n" : "",
                    table.sortable ? "<button type=button>" + table.heads[i] + "</button>" : table.heads[i]);
  for (const auto& row : table.rows) {
    rows += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      rows += fmt::format("<{}{}{}>{}", i == 0 ? "th scope=row" : "td", number(i) ? " class=n" : "",
                          row[i].key ? fmt::format(" data-key={:.9g}", *row[i].key) : "", row[i].markup);
    rows += "\n";
  }
  std::string out;
  if (!table.filter.empty())
    out += fmt::format(
        "<label>{} <input type=search size=24 data-table={}></label>\n"
        "<p class=count id={}-count data-what=\"{}\" aria-live=polite>{} {}</p>\n",
        table.filter, table.id, table.id, table.filtered, table.rows.size(), table.filtered);
  return out +
         fmt::format(
             "<div class=scroll tabindex=0 role=region aria-label=\"{}\"><table id={}{}><caption>{}</caption>"
             "<thead><tr>{}<tbody>\n{}</table></div>\n",
             table.caption, table.id, table.sortable ? " class=sortable" : "", table.caption, head, rows);
}

std::string bars_svg(const std::vector<Bar>& bars, const std::string& axis, const std::string& words) {
  int most = 1;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  std::string out;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double height = 120.0 * bars[i].value / most, x = 10 + 60.0 * static_cast<double>(i);
    out +=
        fmt::format("<rect class=bar x={:.0f} y={:.1f} width=52 height={:.1f} />", x, 148 - height, height) +
        text_at(x + 26, 142 - height, "middle", std::to_string(bars[i].value)) +
        text_at(x + 26, 168, "middle", bars[i].label);
  }
  const int width = 20 + 60 * static_cast<int>(bars.size());
  return svg(width, 190, words, out + text_at(width / 2.0, 187, "middle", axis));
}

std::string times_svg(const std::vector<TimeLine>& lines, const std::string& words) {
  double least = HUGE_VAL, most = 0;
  for (const TimeLine& one : lines) {
    const auto take = [&](double value) {
      if (value <= 0) return;
      least = std::min(least, value);
      most = std::max(most, value);
    };
    for (const double value : one.values) take(value);
    if (one.reference) take(*one.reference);
    if (one.limit) take(*one.limit);
  }
  if (most <= 0) return "";
  const double low = std::floor(std::log10(least) - 0.02),
               high = std::max(low + 1, std::ceil(std::log10(most) + 0.02));
  constexpr double left = 150, right = 690, step = 34;
  const auto x_of = [&](double value) {
    return left + (right - left) * (std::log10(std::max(value, 1e-12)) - low) / (high - low);
  };
  const double bottom = 12 + step * static_cast<double>(lines.size());
  std::string out;
  const int every = high - low > 7 ? 2 : 1;
  for (int power = static_cast<int>(low); power <= static_cast<int>(high); power += every) {
    const double x = x_of(std::pow(10, power));
    out += line("axis", x, 8, x, bottom) + text_at(x, bottom + 18, "middle", human_time(std::pow(10, power)));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const TimeLine& one = lines[i];
    const double y = 12 + step * (static_cast<double>(i) + 0.5);
    out +=
        text_at(left - 12, y + 4, "end", one.label.size() > 18 ? one.label.substr(0, 17) + "…" : one.label);
    std::vector<double> sorted = one.values;
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.empty()) {
      const double q1 = x_of(quantile(sorted, 0.25)), q3 = x_of(quantile(sorted, 0.75));
      out += fmt::format("<rect class=box x={:.1f} y={:.1f} width={:.1f} height=18 />", q1, y - 9,
                         std::max(1.0, q3 - q1));
      if (sorted.size() <= 100)
        for (const double value : sorted)
          out += fmt::format("<circle class=dot cx={:.1f} cy={:.1f} r=3.5 />", x_of(value), y);
      else
        out += line("axis", x_of(sorted.front()), y, x_of(sorted.back()), y);
      const double median = x_of(quantile(sorted, 0.5));
      out += line("median", median, y - 9, median, y + 9);
    }
    if (one.reference) out += line("reference", x_of(*one.reference), y - 14, x_of(*one.reference), y + 14);
    if (one.limit) out += line("limit", x_of(*one.limit), y - 14, x_of(*one.limit), y + 14);
  }
  const double legend = bottom + 42;
  double x = left;
  for (const auto& [kind, label] :
       {std::pair{"median", "median"}, {"reference", "reference solution"}, {"limit", "time limit"}}) {
    out += line(kind, x, legend - 12, x, legend + 2) + text_at(x + 10, legend, "start", label);
    x += 60 + 7.0 * static_cast<double>(std::string(label).size());
  }
  return svg(720, static_cast<int>(legend) + 12, words, out);
}

std::string ranks_svg(const std::vector<RankLine>& lines, const std::vector<std::string>& moments,
                      const std::string& words) {
  if (lines.empty() || moments.empty()) return "";
  int worst = 1;
  for (const RankLine& one : lines)
    for (const int rank : one.ranks) worst = std::max(worst, rank);
  constexpr double left = 40, right = 540, top = 20;
  const double step = worst > 12 ? 300.0 / worst : 26;
  const auto x_of = [&](std::size_t i) {
    return moments.size() < 2
               ? right
               : left + (right - left) * static_cast<double>(i) / static_cast<double>(moments.size() - 1);
  };
  const auto y_of = [&](int rank) { return top + step * (rank - 1); };
  std::string out;
  const int every = worst > 12 ? 5 : 1;
  for (int rank = 1; rank <= worst; rank += rank == 1 && every > 1 ? every - 1 : every)
    out += text_at(left - 14, y_of(rank) + 4, "end", std::to_string(rank)) +
           line("axis", left, y_of(rank), right, y_of(rank));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string points;
    double y = 0;
    for (std::size_t k = 0; k < lines[i].ranks.size(); ++k)
      if (const int rank = lines[i].ranks[k]; rank > 0) {
        if (points.empty() && k > 0) points = fmt::format("{:.1f},{:.1f} ", x_of(k) - 6, y_of(rank));
        y = y_of(rank);
        points += fmt::format("{:.1f},{:.1f} ", x_of(k), y);
      }
    if (points.empty()) continue;
    out += fmt::format(
               "<polyline class=\"rank r{} d{}\" points=\"{}\" /><circle class=\"rank r{}\" cx={:.1f} "
               "cy={:.1f} r=4 />",
               i % 8, i / 8 % 3, points, i % 8, right, y) +
           text_at(right + 12, y + 4, "start", lines[i].label);
  }
  const double bottom = y_of(worst) + 30;
  out += text_at(left, bottom, "start", moments.front());
  if (moments.size() > 1) out += text_at(right, bottom, "end", moments.back());
  return svg(740, static_cast<int>(bottom) + 10, words, out);
}

}  // namespace grader
