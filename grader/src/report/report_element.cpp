// The last write is shown in full, with the reads of its thread. Each earlier write gets one line. Reads are grouped
// by source line, and the reads of one loop iteration are in one row: a row ends where an array occurs again.
#include "report/report_element.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/columns.hpp"

namespace grader {
namespace {

constexpr std::size_t most_rows = 40, most_earlier_writes = 8;

std::string point(const std::vector<unsigned>& at) {
  return fmt::format("({})", fmt::join(at, ","));
}

/// "matrixmul_kernel.cu:67  sum += …", truncated to the terminal.
std::string source_line(const std::string& file, unsigned line, const Submission& submission, int indent,
                        int width) {
  std::string text = file.empty() ? "" : fmt::format("{}:{}", file, line);
  for (const SubmissionFile& one : submission.files) {
    if (one.name != file) continue;
    const std::vector<std::string> lines = split_lines(one.text);
    if (line >= 1 && line <= lines.size()) text += "  " + printable(std::string(trimmed(lines[line - 1])));
  }
  return std::string(static_cast<std::size_t>(indent), ' ') + cut_to(text, width - indent) + "\n";
}

std::string writer(const RecordedWrite& write) {
  if (write.by == "copy") return "by a copy that the host requested";
  if (write.by == "fill") return "by a cudaMemset of the host's";
  return fmt::format("by thread {} of block {}{}", point(write.thread), point(write.block),
                     write.by == "atomic" ? ", atomically" : "");
}

std::string launch_of(const RecordedWrite& write, const Recording& recording) {
  if (write.kernel.empty())
    return write.launch == 0 ? "before the first launch"
                             : fmt::format("after launch {} of {}", write.launch, recording.launches);
  return fmt::format("in launch {} of {}: {}<<<{}, {}>>>", write.launch, recording.launches, write.kernel,
                     point(write.grid_dim), point(write.block_dim));
}

std::string read_text(const RecordedRead& read) {
  std::string text = fmt::format("{} = {}", read.element.text(), read.value);
  if (read.never_written) text += " (never written)";
  if (read.copied) text += fmt::format(" (from {})", read.copied->text());
  return text;
}

/// The reads of one loop iteration.
struct Row {
  std::vector<const RecordedRead*> reads;
};

std::vector<Row> rows_of(const std::vector<RecordedRead>& reads) {
  std::vector<Row> rows;
  for (const RecordedRead& read : reads) {
    const auto again = [&](const RecordedRead* other) { return other->element.array == read.element.array; };
    const bool begins = rows.empty() || rows.back().reads.front()->line != read.line ||
                        rows.back().reads.front()->file != read.file ||
                        std::any_of(rows.back().reads.begin(), rows.back().reads.end(), again);
    if (begins) rows.emplace_back();
    rows.back().reads.push_back(&read);
  }
  return rows;
}

std::string reads_text(const RecordedWrite& write, const Submission& submission, const Style& style,
                       bool all) {
  const std::vector<Row> rows = rows_of(write.reads);
  // A note about a single hidden row would take as much space as the row itself.
  const std::size_t shown = all || rows.size() <= most_rows + 1 ? rows.size() : most_rows;
  std::string text, file;
  unsigned line = 0;
  std::uint64_t left_out = write.left_out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<const RecordedRead*>& reads = rows[i].reads;
    if (i >= shown) {
      left_out += reads.size();
      continue;
    }
    if (reads.front()->line != line || reads.front()->file != file) {
      line = reads.front()->line;
      file = reads.front()->file;
      text += style.faint(source_line(file, line, submission, 2, style.width));
    }
    std::vector<std::string> terms;
    for (const RecordedRead* read : reads) terms.push_back(read_text(*read));
    text += wrap("    " + fmt::format("{}", fmt::join(terms, "  ·  ")), style.width, 6) + "\n";
  }
  if (left_out > 0)
    text += fmt::format("  … {} more{}\n", left_out, write.left_out > 0 ? "" : ": --verbose shows them");
  return text;
}

/// "0 to 2, 7"
std::string ranges_text(const std::vector<std::size_t>& numbers) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    all.push_back(end - i < 2
                      ? fmt::format("{}", numbers[i])
                      : fmt::format("{} {} {}", numbers[i], end - i == 2 ? "and" : "to", numbers[end - 1]));
    i = end;
  }
  constexpr std::size_t most = 8;
  const std::size_t more = all.size() > most ? all.size() - most : 0;
  all.resize(all.size() - more);
  return fmt::format("{}{}", fmt::join(all, ", "), more > 0 ? " …" : "");
}

/// The terms of the element's sum that are missing, repeated, or taken from elsewhere.
std::string terms_text(const RecordedTerms& terms, const Style& style) {
  if (terms.whole()) return "";
  std::vector<std::string> wrong;
  if (!terms.missing.empty())
    wrong.push_back(fmt::format("k = {} {} missing", ranges_text(terms.missing),
                                terms.missing.size() == 1 ? "is" : "are"));
  if (!terms.repeated.empty())
    wrong.push_back(fmt::format("k = {} {} there more than once", ranges_text(terms.repeated),
                                terms.repeated.size() == 1 ? "is" : "are"));
  std::string text = fmt::format("Of its {} terms {}[{}][k] · {}[k][{}]", terms.count, terms.left.array,
                                 terms.left.indices[0], terms.right.array, terms.right.indices[1]);
  text += wrong.empty() ? std::string(", none is missing.") : fmt::format(", {}.", fmt::join(wrong, "; "));
  if (!terms.foreign.empty()) {
    const auto& [left, right] = terms.foreign.front();
    text += fmt::format(
        " {} · {}{} was added, which does not belong there.", left.text(), right.text(),
        terms.foreign.size() == 1 ? "" : fmt::format(" (and {} others)", terms.foreign.size() - 1));
  }
  return "\n" + wrap(text, style.width) + "\n";
}

std::string unwritten_text(const Recording& recording, const Submission& submission, const Style& style) {
  std::string text =
      wrap(fmt::format("Nobody wrote it in {}.", how_many(recording.launches, "launch", "launches")),
           style.width) +
      "\n";
  for (const RecordedNeighbour& one : recording.neighbours)
    text += fmt::format("{} beside it was written by thread {} of block {}\n", one.element.text(),
                        point(one.thread), point(one.block)) +
            style.faint(source_line(one.file, one.line, submission, 2, style.width));
  return text;
}

}  // namespace

std::string element_text(const Recording& recording, const Submission& submission, const Style& style,
                         bool all) {
  std::string head = style.strong(recording.element.text());
  if (!recording.writes.empty()) head += " = " + recording.writes.back().value;
  if (!recording.expected.empty())
    head += recording.right ? ", as it should be" : ", should be " + recording.expected;
  if (!recording.in_result.empty()) head += "; but the result has " + recording.in_result;
  std::string text =
      head + fmt::format("  (case {}: {})\n\n", recording.case_id, fmt::join(recording.args, " "));
  if (recording.writes.empty()) return text + unwritten_text(recording, submission, style);

  const RecordedWrite& last = recording.writes.back();
  text += wrap(fmt::format("{} {},\n{}.",
                           recording.count == 1 ? std::string("Written once,")
                                                : fmt::format("Written {} times, last", recording.count),
                           writer(last), launch_of(last, recording)),
               style.width) +
          "\n";
  if (last.line != 0) text += style.faint(source_line(last.file, last.line, submission, 2, style.width));
  if (last.kernel.empty()) return text;
  if (recording.terms) text += terms_text(*recording.terms, style);
  if (last.reads.empty() && last.left_out == 0)
    text += "\nBefore that it read no memory that threads share.\n";
  else
    text +=
        fmt::format("\n{}, in this order:\n",
                    recording.count == 1 ? "Before that this thread read"
                                         : "Since its previous write, or since its start, this thread read") +
        reads_text(last, submission, style, all);
  if (recording.count == 1) return text;

  text += "\nThe writes before it, the last first:\n";
  std::size_t listed = 1;
  for (std::size_t i = recording.writes.size() - 1; i-- > 0 && listed <= most_earlier_writes; ++listed) {
    const RecordedWrite& write = recording.writes[i];
    text += wrap(fmt::format("  write {}: {}, {}, {}", write.number, write.value, writer(write),
                             write.file.empty() ? launch_of(write, recording)
                                                : fmt::format("{}:{}", write.file, write.line)),
                 style.width, 4) +
            "\n";
  }
  if (recording.count > listed) text += fmt::format("  … {} more\n", recording.count - listed);
  return text;
}

}  // namespace grader
