#include "report/leaderboard_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/markup.hpp"
#include "base/terminal.hpp"
#include "base/utc.hpp"
#include "report/page.hpp"

namespace grader {
namespace {

std::string threshold_words(double threshold) {
  return threshold == 1 ? "as fast as the reference" : fmt::format("{:.4g} × the reference", threshold);
}

/// The table with the number of students that reached each threshold.
std::string thresholds_table(const Leaderboard& board) {
  PageTable table;
  table.id = "thresholds";
  table.caption = "Goals";
  table.heads = {"Goal", "Time at most", "Reached by"};
  table.is_number = {false, true, true};
  for (std::size_t i = 0; i < board.thresholds.size(); ++i) {
    const auto reached = std::count_if(board.placings.begin(), board.placings.end(), [&](const Placing& one) {
      return one.threshold && *one.threshold >= i;
    });
    table.rows.push_back({{threshold_words(board.thresholds[i])},
                          {human_time(board.thresholds[i] * board.reference_s)},
                          {fmt::format("{}", reached)}});
  }
  return table_markup(table);
}

std::string placings_table(const Leaderboard& board, bool with_students) {
  PageTable table;
  table.id = "board";
  table.caption = "Leaderboard";
  table.sortable = true;
  table.filter = "Show those with";
  table.filtered = "places";
  table.heads = {"Nickname", "Rank"};
  table.is_number = {false, true};
  const auto column = [&](const char* head, bool number) {
    table.heads.push_back(head);
    table.is_number.push_back(number);
  };
  if (with_students) column("Student", false);
  if (board.timed) column("Kernel time", true);
  if (board.reference_s > 0) {
    column("× reference", true);
    column("Goal reached", false);
  }
  // Only instructors see this column. Otherwise a reader who notices when a student hands in could find the
  // student's nickname by the time.
  if (with_students) column("Since (UTC)", false);
  auto line = board.lines.begin();
  const auto lines_before = [&](double time_s) {
    for (; line != board.lines.end() && line->time_s <= time_s; ++line) {
      std::vector<PageCell> row = {{foreign_text(line->name) + " (reference)"}, {"–"}};
      if (with_students) row.push_back({"–"});
      row.push_back({human_time(line->time_s), line->time_s});
      row.resize(table.heads.size(), {"–"});
      table.rows.push_back(std::move(row));
    }
  };
  for (const Placing& one : board.placings) {
    lines_before(one.time_s);
    std::vector<PageCell> row = {{foreign_text(one.nickname)}, {std::to_string(one.rank)}};
    if (with_students) row.push_back({foreign_text(one.student)});
    if (board.timed) row.push_back({human_time(one.time_s), one.time_s});
    if (board.reference_s > 0) {
      row.push_back({fmt::format("{:.2f}", one.to_reference)});
      row.push_back({one.threshold ? threshold_words(board.thresholds[*one.threshold]) : "–"});
    }
    if (with_students)
      row.push_back({"<span class=time>" + foreign_text(minute_of(one.received_at)) + "</span>"});
    table.rows.push_back(std::move(row));
  }
  lines_before(std::numeric_limits<double>::infinity());
  return table_markup(table);
}

std::string counted_section(const CountedBoard& board, bool with_students) {
  PageTable table;
  table.id = "counted";
  table.caption = "What the kernels do";
  table.sortable = true;
  table.heads = {"Nickname", "Rank"};
  table.is_number = {false, true};
  if (with_students) {
    table.heads.push_back("Student");
    table.is_number.push_back(false);
  }
  for (const char* head : {"Sectors", "Bank conflicts", "Barriers"}) {
    table.heads.push_back(head);
    table.is_number.push_back(true);
  }
  const auto add = [&](const std::string& name, const std::string& rank, const std::string& student,
                       const KernelCounts& counts) {
    std::vector<PageCell> row = {{foreign_text(name)}, {rank}};
    if (with_students) row.push_back({foreign_text(student)});
    for (const std::int64_t count : {counts.sectors, counts.conflicts, counts.barriers})
      row.push_back({std::to_string(count), static_cast<double>(count)});
    table.rows.push_back(std::move(row));
  };
  auto line = board.lines.begin();
  const auto add_line = [&] { add(line->name + " (reference)", "–", "–", line->counts), ++line; };
  for (const CountedPlacing& one : board.placings) {
    while (line != board.lines.end() && line->counts <= one.counts) add_line();
    add(one.nickname, std::to_string(one.rank), one.student, one.counts);
  }
  while (line != board.lines.end()) add_line();
  return fmt::format(
             "<h3>Fewest sectors, conflicts and barriers</h3>\n<p>Ranked is what the kernels do in case {}, "
             "as the "
             "emulation counts it: sectors of global memory, then bank conflicts of shared memory, then "
             "barriers. "
             "Times play no part.\n",
             foreign_text(board.case_id)) +
         table_markup(table);
}

/// @param with_times whether moments are named by their times; otherwise by numbers
std::string rank_figure(const Leaderboard& board, bool with_times) {
  std::vector<RankLine> lines;
  std::string words = "Rank over time.";
  for (std::size_t i = 0; i < board.placings.size() && i < Leaderboard::followed; ++i) {
    RankLine line{board.placings[i].nickname, {}};
    int first = 0;
    for (const Leaderboard::Moment& moment : board.history) {
      line.ranks.push_back(moment.ranks[i]);
      if (first == 0) first = moment.ranks[i];
    }
    words += fmt::format(" {}: first rank {}, now {}.", line.label, first, board.placings[i].rank);
    lines.push_back(std::move(line));
  }
  std::vector<std::string> moments;
  for (const Leaderboard::Moment& moment : board.history)
    moments.push_back(with_times ? minute_of(moment.at) : fmt::format("change {}", moments.size() + 1));
  return ranks_svg(lines, moments, words);
}

}  // namespace

std::string leaderboard_section(const Leaderboard& board, bool with_students) {
  std::string out = "<p>";
  if (!board.timed)
    out += "No times were measured in this lab: the first student with all points ranks first.";
  else
    out += fmt::format(
        "Ranked is the time of the kernels in case {}, of those who have all points; each with the best "
        "attempt.{}{}",
        foreign_text(board.case_id),
        board.reference_s > 0 ? fmt::format(" The reference takes {}.", human_time(board.reference_s)) : "",
        board.time_source == "emulation" ? " The times are of the emulation, on processors that other "
                                           "hand-ins shared: small differences mean nothing."
                                         : "");
  out += "\n";
  if (board.placings.empty()) return out + "<p>Nobody has all points yet.\n";
  out += placings_table(board, with_students);
  if (board.reference_s > 0 && !board.thresholds.empty()) out += "<h3>Goals</h3>\n" + thresholds_table(board);
  out +=
      fmt::format("<h3>Rank over time{}</h3>\n", board.placings.size() > Leaderboard::followed
                                                     ? fmt::format(", of the first {}", Leaderboard::followed)
                                                     : "") +
      rank_figure(board, with_students);
  if (board.counted) out += counted_section(*board.counted, with_students);
  return out;
}

std::string leaderboard_page(const Lab& lab, const Leaderboard& board, const std::string& made_at) {
  const std::string title = fmt::format("{}: leaderboard", foreign_text(lab.id));
  return page(
      title,
      fmt::format(
          "<h1>{}</h1>\n<p class=of>{}, {} UTC\n<dl class=cards><div><dt>on the board</dt><dd>{}</dd></div>"
          "<div><dt>handed something in</dt><dd>{}</dd></div></dl>\n",
          title, foreign_text(lab.title), foreign_text(minute_of(made_at)), board.placings.size(),
          board.students) +
          leaderboard_section(board, false));
}

}  // namespace grader
