// The counters' reports: a table for a terminal, and JSON.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "counters.hpp"
#include "options.hpp"
#include "services.hpp"
#include "wire/json.hpp"

/// The address at which the program's file begins in memory, defined by the linker.
extern "C" const char __executable_start[];

namespace cuemu::counters {

namespace {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

/// Formats the ratio a / b without superfluous digits: "1", "1.5", "0.031".
std::string ratio(std::uint64_t a, std::uint64_t b, int digits = 2) {
  if (b == 0) return "–";
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, static_cast<double>(a) / static_cast<double>(b));
  std::string result = text;
  if (result.find('.') == result.npos) return result;
  while (result.back() == '0') result.pop_back();
  if (result.back() == '.') result.pop_back();
  return result;
}

std::string percent(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? "–" : ratio(a * 100, b, 0) + " %";
}

std::string triple_of(const dim3& d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

/// Returns the width of a text in a terminal. Continuation bytes of UTF-8 take no column.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}
std::string right(const std::string& text, std::size_t width) {
  const std::size_t taken = columns_of(text);
  return (taken < width ? std::string(width - taken, ' ') : " ") + text;
}

/// Returns the path relative to the current folder. If it is too long for a line, its beginning is cut.
std::string fitted_path(const std::string& path) {
  constexpr std::size_t width = 78;
  std::string text = short_path(path);
  if (text.rfind("./", 0) == 0) text.erase(0, 2);
  return text.size() <= width ? text : "…" + text.substr(text.size() - (width - 1));
}

void summary(std::string& out, const Tally& t) {
  const auto line = [&out](const std::string& what, const std::string& value, const std::string& more) {
    out += "  " + what + std::string(what.size() < 22 ? 22 - what.size() : 1, ' ') + right(value, 14) +
           (more.empty() ? "" : "   " + more) + "\n";
  };
  const std::uint64_t shared = t[Counter::shared_loads] + t[Counter::shared_stores];
  if (shared > 0) {
    line("shared memory requests", grouped(shared),
         grouped(t[Counter::shared_load_wavefronts] + t[Counter::shared_store_wavefronts]) + " wavefronts");
    line("bank conflicts", grouped(t.conflicts()), "wavefronts that a better layout saves");
  }
  const auto global = [&](const char* what, Counter requests, Counter sectors, Counter bytes) {
    if (t[requests] == 0) return;
    const std::string each = ratio(t[sectors], t[requests]);
    line(what, grouped(t[requests]),
         each + (each == "1" ? " sector" : " sectors") + " per request, " +
             percent(t[bytes], t[sectors] * sector_bytes) + " used");
  };
  global("global loads", Counter::global_loads, Counter::global_load_sectors, Counter::global_load_bytes);
  global("global stores", Counter::global_stores, Counter::global_store_sectors, Counter::global_store_bytes);
  if (t[Counter::constant_loads] > 0)
    line("constant loads", grouped(t[Counter::constant_loads]),
         grouped(t[Counter::constant_turns]) + " more turns: other addresses");
  if (t[Counter::atomics] > 0)
    line("atomic operations", grouped(t[Counter::atomics]),
         percent(t[Counter::shared_atomics], t[Counter::atomics]) + " to shared memory; " +
             grouped(t[Counter::atomic_turns]) + " more turns: same address");
  line("divergent branches", grouped(t[Counter::divergent_branches]), "");
  line("active lanes", ratio(t[Counter::lanes], t[Counter::steps], 1), "of 32, on average");
  if (t[Counter::barriers] > 0)
    line("barriers", grouped(t[Counter::barriers]),
         ratio(t[Counter::barriers], t[Counter::blocks]) + " per block");
}

/// Returns the cost of a line, by which the lines to show are chosen.
std::uint64_t weight(const Tally& t) {
  return t[Counter::shared_load_wavefronts] + t[Counter::shared_store_wavefronts] + t.sectors() +
         t[Counter::constant_turns] + t[Counter::atomic_turns] + t[Counter::atomics] +
         t[Counter::divergent_branches] + t[Counter::barriers];
}

void lines(std::string& out, const KernelTally& kernel, std::size_t most) {
  struct Row {
    Line line;
    Tally tally;
  };
  std::vector<Row> rows;
  for (const auto& [line, tally] : kernel.by_line())
    if (weight(tally) > 0) rows.push_back({line, tally});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return weight(a.tally) > weight(b.tally); });
  const std::size_t left_out = rows.size() > most ? rows.size() - most : 0;
  rows.resize(rows.size() - left_out);
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.line < b.line; });
  std::string file;
  for (const Row& row : rows) {
    const Tally& t = row.tally;
    if (row.line.file != file) {
      file = row.line.file;
      out += "\n  " + fitted_path(file) +
             "\n   line  requests  conflicts   sectors  sectors/  diver-   lanes  barriers\n"
             "                                         request   gent\n";
    }
    const std::uint64_t shared = t[Counter::shared_loads] + t[Counter::shared_stores];
    const std::uint64_t requests =
        shared + t.global_requests() + t[Counter::atomics] + t[Counter::constant_loads];
    const auto shown = [](std::uint64_t value, bool known) {
      return known ? grouped(value) : std::string("–");
    };
    out += right(std::to_string(row.line.line), 7) + right(shown(requests, requests > 0), 10) +
           right(shown(t.conflicts(), shared > 0), 11) +
           right(shown(t.sectors(), t.global_requests() > 0), 10) +
           right(ratio(t.sectors(), t.global_requests()), 10) +
           right(shown(t[Counter::divergent_branches], t[Counter::steps] > 0), 8) +
           right(ratio(t[Counter::lanes], t[Counter::steps], 1), 8);
    if (t[Counter::barriers] > 0) out += right(grouped(t[Counter::barriers]), 10);
    std::string text = text_of(row.line);
    constexpr std::size_t width = 68;
    if (columns_of(text) > width) {
      std::size_t end = width - 2;
      while (end > 0 && (text[end] & 0xc0) == 0x80) --end;  // don't split a UTF-8 character
      text = text.substr(0, end) + " …";
    }
    out += "\n           " + text + "\n";
  }
  if (left_out > 0)
    out += "  and " + std::to_string(left_out) +
           " cheaper lines (CUEMU_COUNTERS=lines=" + std::to_string(rows.size() + left_out) + " shows all)\n";
}

std::string json_of(const Tally& tally) {
  kit_wire::Object object;
  for (unsigned i = 0; i < counter_count; ++i) object.add(name_of(static_cast<Counter>(i)), tally.values[i]);
  return object.text();
}

std::string json_of(const LaunchTally& launch) {
  const unsigned grid[3] = {launch.grid.x, launch.grid.y, launch.grid.z};
  const unsigned block[3] = {launch.block.x, launch.block.y, launch.block.z};
  char occupancy[64];
  std::snprintf(occupancy, sizeof occupancy, "%.6g", launch.occupancy.share);
  return kit_wire::Object()
      .add("grid", grid)
      .add("block", block)
      .add("dynamic_shared", launch.dynamic_shared)
      .json("occupancy", occupancy)
      .add("resident_blocks", launch.occupancy.blocks)
      .add("occupancy_limit", launch.occupancy.limit)
      .add("shared", launch.shared)
      .add("loaded_bytes", launch.loaded)
      .add("stored_bytes", launch.stored)
      .json("counters", json_of(launch.tally))
      .text();
}

/// How many times warps ran each piece of the program's code. The key is the code's address in the program's file.
std::string json_of_code(const KernelTally& kernel) {
  std::map<std::uintptr_t, std::uint64_t> entered;
  for (const Place& place : kernel.places)
    if (place.entered != 0)
      entered[place.code - reinterpret_cast<std::uintptr_t>(__executable_start)] += place.entered;
  std::vector<std::pair<std::uintptr_t, std::uint64_t>> code(entered.begin(), entered.end());
  return kit_wire::json_array(code, [](const auto& at) {
    return kit_wire::Object().add("address", at.first).add("warps", at.second).text();
  });
}

std::string json_of(const KernelTally& kernel) {
  std::map<Line, unsigned> accesses;
  for (const Place& place : kernel.places) accesses[place.line] += place.bytes != 0 ? 1 : 0;
  std::vector<std::string> lines;
  for (const auto& [line, tally] : kernel.by_line()) {
    if (tally.empty()) continue;
    lines.push_back(kit_wire::Object()
                        .add("file", line.file)
                        .add("line", line.line)
                        .add("text", text_of(line))
                        .add("accesses", accesses[line])
                        .json("counters", json_of(tally))
                        .text());
  }
  return kit_wire::Object()
      .add("name", kernel.name)
      .add("unseen", kernel.unseen)
      .json("totals", json_of(kernel.total()))
      .json("launches",
            kit_wire::json_array(kernel.launches, [](const LaunchTally& launch) { return json_of(launch); }))
      .json("lines", kit_wire::json_array(lines, [](const std::string& line) { return line; }))
      .json("code", json_of_code(kernel))
      .text();
}

}  // namespace

const char* name_of(Counter counter) {
  return counter_names[static_cast<unsigned>(counter)];
}

std::string as_text(const std::vector<std::unique_ptr<KernelTally>>& kernels, std::size_t most) {
  std::string out;
  for (const auto& kernel : kernels) {
    if (kernel->launches.empty()) continue;
    const LaunchTally& last = kernel->launches.back();
    const std::size_t times = kernel->launches.size();
    out += "\ncounters of " + kernel->name + ": " + (times == 1 ? "1 launch" : grouped(times) + " launches") +
           ", grid " + triple_of(last.grid) + ", block " + triple_of(last.block) + "\n";
    char occupancy[128];
    std::snprintf(occupancy, sizeof occupancy, "  %-22s%14.3f   %d block%s on a multiprocessor: %s\n",
                  "occupancy", last.occupancy.share, last.occupancy.blocks,
                  last.occupancy.blocks == 1 ? "" : "s", last.occupancy.limit);
    out += occupancy;
    summary(out, kernel->total());
    if (kernel->unseen > 0)
      out += "  " + grouped(kernel->unseen) +
             " accesses are not counted: more than memory holds; use a smaller size\n";
    lines(out, *kernel, most);
  }
  return out;
}

std::string as_json(const std::vector<std::unique_ptr<KernelTally>>& kernels) {
  const auto one = [](const std::unique_ptr<KernelTally>& kernel) { return json_of(*kernel); };
  std::error_code unknown;
  return kit_wire::Object()
             .add("format", kit_wire::format)
             .add("kind", "counters")
             .add("source", "emulation")
             .add("device", device_name())
             .add("program", std::filesystem::read_symlink("/proc/self/exe", unknown).string())
             .json("kernels", kit_wire::json_array(kernels, one))
             .text() +
         "\n";
}

void Counters::report() {
  static bool done = false;
  if (done) return;
  done = true;
  const Busy busy;
  const std::string table = as_text(kernels_, options().lines);
  if (has_channel())
    send_report("counters_table",
                kit_wire::json_string(table.substr(std::min<std::size_t>(1, table.size()))));
  else if (!options().quiet)
    std::fputs(table.c_str(), stderr);
  send_report("counters", as_json(kernels_));
  if (options().json.empty()) return;
  std::ofstream out(options().json);
  out << as_json(kernels_);
  if (!out.flush())
    std::fprintf(stderr, "cuemu: the counters can't be written to %s (CUEMU_COUNTERS): check the folder\n",
                 options().json.c_str());
}

}  // namespace cuemu::counters
