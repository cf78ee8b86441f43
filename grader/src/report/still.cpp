// Panels are laid out from left to right, then downwards. The colours are those of the viewer's page (Okabe
// and Ito), but paler, so that text on them is readable. The background is white, as in all figures of the
// handouts.
#include "report/still.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include "base/columns.hpp"
#include "base/error.hpp"
#include "base/markup.hpp"
#include "base/terminal.hpp"

namespace grader {
namespace {

constexpr double page_width = 720, margin = 14, gap = 22;
constexpr std::size_t largest_side = 512;  // the largest number of elements of an array in each direction

constexpr std::array<std::array<int, 3>, 8> palette = {{{0xe6, 0x9f, 0x00},
                                                        {0x56, 0xb4, 0xe9},
                                                        {0x00, 0x9e, 0x73},
                                                        {0xf0, 0xe4, 0x42},
                                                        {0x00, 0x72, 0xb2},
                                                        {0xd5, 0x5e, 0x00},
                                                        {0xcc, 0x79, 0xa7},
                                                        {0x44, 0x44, 0x44}}};

/// @param strength the strength of the colour on white, from 0 to 1
std::string colour_text(std::size_t key, double strength) {
  const auto& base = palette[key % palette.size()];
  const auto mixed = [&](int part) { return static_cast<int>(255 - strength * (255 - part) + 0.5); };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(base[0]), mixed(base[1]), mixed(base[2]));
}
constexpr double of_writer = 0.6, of_reader = 0.38;

std::string label(double x, double y, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, more, foreign_text(text));
}
double label_width(const std::string& text, double size) {
  return 0.58 * size * display_width(text);
}

/// A part of a panel's drawing, with its size.
struct Box {
  std::string markup;
  double width = 0, height = 0;
};

/// The last accesses to an element in the part of the run that the panel shows.
struct Touched {
  std::size_t reads = 0;
  std::optional<std::size_t> writer, reader;  ///< keys of colours
  std::uint32_t thread = 0;                   ///< of the last write
  std::uint32_t value = 0;
};

struct Position {
  std::size_t launch = 0, block = 0, stretch = 0;  ///< from 0
};

[[noreturn]] void lacks(const Trace& trace, const std::string& what) {
  throw Error(ErrorKind::usage, fmt::format("Case {} of {} has {} to draw.", trace.case_id, trace.lab, what),
              fmt::format("grader view {} --case {} --format text", trace.lab, trace.case_id));
}

bool looks_at(const StillPanel& panel, const TracedLaunch& launch) {
  return launch.number >= static_cast<std::uint64_t>(panel.first_launch) &&
         (panel.last_launch == 0 || launch.number <= static_cast<std::uint64_t>(panel.last_launch));
}

/// Visits all steps in a panel's range.
template <class Visit>
void each_step(const StillSource& source, Visit visit) {
  const StillPanel& panel = source.panel;
  for (std::size_t l = 0; l < source.trace.launches.size(); ++l) {
    const TracedLaunch& launch = source.trace.launches[l];
    if (!looks_at(panel, launch)) continue;
    for (std::size_t b = 0; b < launch.blocks.size(); ++b) {
      if (!panel.block.empty() && launch.blocks[b].block != panel.block) continue;
      const auto& phases = launch.blocks[b].phases;
      for (std::size_t p = static_cast<std::size_t>(panel.first - 1); p < phases.size(); ++p) {
        if (panel.last > 0 && p >= static_cast<std::size_t>(panel.last)) break;
        for (const TracedStep& step : phases[p].steps)
          if (step.accesses()) visit(Position{l, b, p}, launch, launch.blocks[b], step);
      }
    }
  }
}

/// Visits each element that a lane accesses, with the thread, the position in the array, and the number of the value.
template <class Visit>
void each_element(const TracedStep& step, const TracedArray& array, Visit visit) {
  const std::size_t each = std::max<std::size_t>(step.bytes / array.element, 1);
  const auto lanes = static_cast<std::size_t>(std::popcount(step.lanes));
  step.each_lane([&](std::uint32_t thread, std::size_t i, std::int64_t offset) {
    if (offset < 0) return;
    for (std::size_t k = 0; k < each; ++k) {
      const std::size_t at = i * each + k;
      const std::uint32_t value = step.values.size() == lanes * each ? step.values[at]
                                  : step.values.size() == 1          ? step.values[0]
                                                                     : 0;
      visit(thread, static_cast<std::size_t>(offset) / array.element + k, value);
    }
  });
}

std::size_t key_of(StillPanel::Colour colour, const Position& at, const TracedLaunch& launch,
                   const TracedBlock& block, const TracedStep& step, std::uint32_t thread) {
  using Colour = StillPanel::Colour;
  switch (colour) {
    case Colour::warp:
      return step.warp;
    case Colour::block:
      return block.block[0] +
             launch.grid_dim[0] * (block.block[1] + std::size_t{launch.grid_dim[1]} * block.block[2]);
    case Colour::thread:
      return thread;
    case Colour::stretch:
      return at.stretch;
    case Colour::launch:
      return at.launch;
  }
  return 0;
}

const char* colour_word(StillPanel::Colour colour) {
  using Colour = StillPanel::Colour;
  switch (colour) {
    case Colour::warp:
      return "warp";
    case Colour::block:
      return "block";
    case Colour::thread:
      return "thread";
    case Colour::stretch:
      return "stretch";
    case Colour::launch:
      return "launch";
  }
  return "";
}

/// @param name "M", or "M[64]" with its number of elements
bool is_called(const TracedArray& array, const std::string& name) {
  const auto is = [&](const std::string& its) {
    return its == name || fmt::format("{}[{}]", its, array.bytes / array.element) == name;
  };
  return is(array.name) || is(array.on_device);
}

/// The title of an array, such as "tile_M, 16 × 16, of which the first 4".
std::string array_title(const std::string& name, const TracedArray& array, std::size_t count) {
  return fmt::format(
      "{}, {}{}", name.substr(0, name.find('[')), fmt::join(array.shape, " × "),
      count < array.bytes / array.element ? fmt::format(", of which the first {}", count) : "");
}

/// Names the block's barrier after which a stretch begins.
std::string stretch_text(std::size_t stretch) {
  return stretch == 0 ? "at first" : fmt::format("after barrier {}", stretch);
}

/// The legend of the colours, in rows not much wider than the panel.
Box legend(const StillPanel& panel, const std::set<std::size_t>& keys, double wanted_width) {
  constexpr double row = 16, swatch = 15, between = 12, font = 11;
  const double width = std::max(wanted_width, 190.0);
  Box box;
  if (keys.empty()) return box;
  if (keys.size() > palette.size()) {
    const std::string text =
        fmt::format("A colour for each {}; after eight they come again.", colour_word(panel.colour));
    for (const std::string& line : split_lines(wrap(text, static_cast<int>(width / (0.58 * font))))) {
      box.markup += label(0, box.height + font, line, " class=\"s\"");
      box.width = std::max(box.width, label_width(line, font));
      box.height += row;
    }
    return box;
  }
  double x = 0;
  box.height = row;
  for (const std::size_t key : keys) {
    const std::string text = panel.colour == StillPanel::Colour::stretch ? stretch_text(key)
                             : panel.colour == StillPanel::Colour::launch
                                 ? fmt::format("launch {}", key + 1)
                                 : fmt::format("{} {}", colour_word(panel.colour), key);
    const double its = swatch + label_width(text, font);
    if (x > 0 && x + its > width) {
      x = 0;
      box.height += row;
    }
    box.markup +=
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.0f}\" width=\"11\" height=\"11\" fill=\"{}\" class=\"c\"/>\n",
                    x, box.height - row + 1, colour_text(key, of_writer)) +
        label(x + swatch, box.height - row + font, text, " class=\"s\"");
    box.width = std::max(box.width, x + its);
    x += its + between;
  }
  return box;
}

std::string number_text(const StillPanel& panel, const Touched& its, const Trace& trace) {
  using Numbers = StillPanel::Numbers;
  switch (panel.numbers) {
    case Numbers::none:
      return "";
    case Numbers::reads:
      return its.reads > 0 ? std::to_string(its.reads) : "";
    case Numbers::thread:
      return its.writer ? std::to_string(its.thread) : "";
    case Numbers::value:
      return its.writer || its.reader ? trace.values[its.value] : "";
  }
  return "";
}

/// One array as a grid.
Box array_box(const StillSource& source, const std::string& name, std::set<std::size_t>& keys) {
  const StillPanel& panel = source.panel;
  const TracedArray* array = nullptr;
  std::map<std::size_t, Touched> cells;
  each_step(source, [&](const Position& at, const TracedLaunch& launch, const TracedBlock& block,
                        const TracedStep& step) {
    const TracedArray& its = source.trace.arrays[step.array];
    if (!is_called(its, name)) return;
    array = &its;
    each_element(step, its, [&](std::uint32_t thread, std::size_t flat, std::uint32_t value) {
      if (panel.elements > 0 && flat >= panel.elements) return;
      Touched& cell = cells[flat];
      const std::size_t key = key_of(panel.colour, at, launch, block, step, thread);
      cell.value = value;
      if (step.does == TracedStep::Does::read) {
        ++cell.reads;
        cell.reader = key;
      } else {
        cell.writer = key;
        cell.thread = thread;
      }
    });
  });
  if (array == nullptr) lacks(source.trace, "no array " + name);
  const bool plane = array->shape.size() > 1;
  const std::size_t all = array->bytes / array->element,
                    count = panel.elements > 0 ? std::min(panel.elements, all) : all;
  const std::size_t across = plane ? array->shape.back() : std::min<std::size_t>(count, 32);
  const std::size_t down = (count + across - 1) / across;
  if (across > largest_side || down > largest_side) lacks(source.trace, fmt::format("too much of {}", name));
  const bool numbers = panel.numbers != StillPanel::Numbers::none;
  const std::size_t side = std::max(across, down);
  const double size = numbers       ? (side <= 8 ? 24 : 20)
                      : side <= 8   ? 20
                      : side <= 20  ? 10
                      : side <= 50  ? 5
                      : side <= 128 ? 2
                                    : 1;
  Box box;
  const std::string title = array_title(name, *array, count);
  box.markup = label(0, 12, title);
  const double top = 19;
  box.width = std::max(size * static_cast<double>(across), label_width(title, 12));
  box.height = top + size * static_cast<double>(down);
  // Neighbours with the same colour are drawn as one rectangle, with the lines between elements over it.
  const bool lines = size >= 5;
  const auto fill_at = [&](std::size_t row, std::size_t column) -> std::string {
    const auto found = cells.find(row * across + column);
    if (found == cells.end()) return "";
    const Touched& its = found->second;
    keys.insert(its.writer ? *its.writer : *its.reader);
    return its.writer ? colour_text(*its.writer, of_writer) : colour_text(*its.reader, of_reader);
  };
  for (std::size_t row = 0; row < down; ++row)
    for (std::size_t column = 0; column < across;) {
      const std::string fill = fill_at(row, column);
      std::size_t end = column + 1;
      while (end < across && fill_at(row, end) == fill) ++end;
      if (!fill.empty())
        box.markup += fmt::format("<path d=\"M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z\" fill=\"{}\"/>\n",
                                  size * static_cast<double>(column), top + size * static_cast<double>(row),
                                  size * static_cast<double>(end - column), size,
                                  size * static_cast<double>(end - column), fill);
      column = end;
    }
  std::string grid;
  const std::size_t every_row = lines ? 1 : down, every_column = lines ? 1 : across;
  const double right = size * static_cast<double>(across), bottom = top + size * static_cast<double>(down);
  for (std::size_t row = 0; row <= down; row += every_row)
    grid += fmt::format("M0 {:.0f}h{:.0f}", top + size * static_cast<double>(row), right);
  for (std::size_t column = 0; column <= across; column += every_column)
    grid += fmt::format("M{:.0f} {:.0f}V{:.0f}", size * static_cast<double>(column), top, bottom);
  box.markup += fmt::format("<path d=\"{}\" fill=\"none\" class=\"c\"/>\n", grid);
  if (numbers)
    for (const auto& [flat, its] : cells) {
      const std::size_t row = flat / across, column = flat % across;
      box.markup +=
          label(size * (static_cast<double>(column) + .5), top + size * (static_cast<double>(row) + .5) + 3.5,
                cut_to(number_text(panel, its, source.trace), static_cast<int>(size / 5)), " class=\"n\"");
    }
  return box;
}

std::string moved(const Box& box, double x, double y) {
  return fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n", x, y, box.markup);
}

/// Boxes from left to right, wrapped at the width.
Box flow(const std::vector<Box>& boxes, double width, double between) {
  Box out;
  double x = 0, y = 0, tallest = 0;
  for (const Box& box : boxes) {
    if (x > 0 && x + box.width > width) {
      x = 0;
      y += tallest + between;
      tallest = 0;
    }
    out.markup += moved(box, x, y);
    tallest = std::max(tallest, box.height);
    out.width = std::max(out.width, x + box.width);
    out.height = y + tallest;
    x += box.width + between;
  }
  return out;
}

Box arrays_box(const StillSource& source) {
  std::set<std::size_t> keys;
  std::vector<Box> boxes;
  for (const std::string& name : source.panel.arrays) boxes.push_back(array_box(source, name, keys));
  Box box = flow(boxes, page_width - 2 * margin, gap);
  const Box key = legend(source.panel, keys, box.width);
  box.markup += moved(key, 0, box.height + 8);
  box.width = std::max(box.width, key.width);
  box.height += key.height > 0 ? key.height + 8 : 0;
  return box;
}

/// A row of elements for each stretch or launch that writes one of the arrays.
Box rounds_box(const StillSource& source) {
  const StillPanel& panel = source.panel;
  const std::string names = fmt::format("{}", fmt::join(panel.arrays, ", "));
  const bool by_launch = panel.colour == StillPanel::Colour::launch;
  struct Round {
    std::map<std::size_t, Touched> written;
    std::set<std::pair<std::size_t, std::size_t>> ways;  ///< from an element read to an element written
    std::size_t stretch = 0;
  };
  std::map<std::pair<std::size_t, std::size_t>, Round> rounds;
  const TracedArray* array = nullptr;
  std::map<std::uint32_t, std::set<std::size_t>> read;  // the elements that each thread read in this stretch
  std::pair<std::size_t, std::size_t> here{~std::size_t{0}, 0};
  std::set<std::size_t> keys;
  each_step(source, [&](const Position& at, const TracedLaunch& launch, const TracedBlock& block,
                        const TracedStep& step) {
    const TracedArray& its = source.trace.arrays[step.array];
    if (std::none_of(panel.arrays.begin(), panel.arrays.end(),
                     [&](const std::string& name) { return is_called(its, name); }))
      return;
    if (array == nullptr || its.bytes / its.element > array->bytes / array->element) array = &its;
    if (here != std::pair(at.launch, at.stretch)) {
      read.clear();
      here = {at.launch, at.stretch};
    }
    Round& round = rounds[here];
    round.stretch = at.stretch;
    each_element(step, its, [&](std::uint32_t thread, std::size_t flat, std::uint32_t value) {
      if (panel.elements > 0 && flat >= panel.elements) return;
      if (step.does != TracedStep::Does::write) read[thread].insert(flat);
      if (step.does == TracedStep::Does::read) return;
      Touched& cell = round.written[flat];
      cell.writer = key_of(panel.colour, at, launch, block, step, thread);
      cell.thread = thread;
      cell.value = value;
      keys.insert(*cell.writer);
      for (const std::size_t from : read[thread]) round.ways.emplace(from, flat);
    });
  });
  for (auto round = rounds.begin(); round != rounds.end();)
    round = round->second.written.empty() ? rounds.erase(round) : std::next(round);
  if (array == nullptr || rounds.empty()) lacks(source.trace, "no rounds of " + names);
  const std::size_t all = array->bytes / array->element,
                    count = std::min<std::size_t>(panel.elements > 0 ? panel.elements : all, 64);
  const double size = count <= 16 ? 26 : count <= 32 ? 18 : 9, step = size + 30, left = by_launch ? 124 : 100;
  Box box;
  const std::string title = array_title(names, *array, count);
  box.markup = label(0, 12, title);
  double y = 22;
  const auto middle = [&](std::size_t i) { return left + size * (static_cast<double>(i) + .5); };
  bool first = true;
  for (const auto& [where, round] : rounds) {
    if (!first) {
      for (const auto& [from, to] : round.ways)
        box.markup +=
            fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"w\"/>\n",
                        middle(from), y + size - step + 2, middle(to), y - 3);
    }
    first = false;
    box.markup +=
        label(0, y + size / 2 + 4,
              by_launch ? printable(source.trace.launches[where.first].kernel) : stretch_text(round.stretch),
              " class=\"s\"");
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = round.written.find(i);
      box.markup += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"{}\" class=\"c\"/>\n",
          left + size * static_cast<double>(i), y, size, size,
          found == round.written.end() ? "#fff" : colour_text(*found->second.writer, of_writer));
      if (found != round.written.end())
        box.markup +=
            label(middle(i), y + size / 2 + 4,
                  cut_to(number_text(panel, found->second, source.trace), static_cast<int>(size / 5)),
                  " class=\"n\"");
    }
    y += step;
  }
  box.width = std::max(left + size * static_cast<double>(count), label_width(title, 12));
  const Box key = by_launch ? Box() : legend(panel, keys, box.width);  // rows have the names of their kernels
  box.markup += moved(key, 0, y - step + size + 8);
  box.height = y - step + size + 8 + key.height;
  box.width = std::max(box.width, key.width);
  return box;
}

Box threads_box(const StillSource& source) {
  const StillPanel& panel = source.panel;
  const auto launch = std::find_if(source.trace.launches.begin(), source.trace.launches.end(),
                                   [&](const TracedLaunch& one) { return looks_at(panel, one); });
  if (launch == source.trace.launches.end())
    lacks(source.trace, fmt::format("no launch {}", panel.first_launch));
  std::vector<Box> boxes;
  std::set<std::size_t> keys;
  const unsigned x = launch->block_dim[0];
  const std::size_t rows = (launch->threads() + x - 1) / x;
  for (const TracedBlock& block : launch->blocks) {
    Box box;
    box.markup = label(0, 12, fmt::format("block ({})", fmt::join(block.block, ",")));
    constexpr double width = 52, height = 22;
    for (std::uint32_t thread = 0; thread < launch->threads(); ++thread) {
      const std::uint32_t row = thread / x;
      const double left = width * (thread % x), top = 19 + height * row;
      keys.insert(thread / 32);
      box.markup += fmt::format(
                        "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"{}\" "
                        "class=\"c\"/>\n",
                        left, top, width, height, colour_text(thread / 32, of_writer)) +
                    label(left + width / 2, top + 15,
                          fmt::format("({})", fmt::join(launch->thread(thread), ",")), " class=\"n\"");
    }
    box.width = std::max(width * x, 70.0);
    box.height = 19 + height * static_cast<double>(rows);
    boxes.push_back(std::move(box));
  }
  Box box = flow(boxes, page_width - 2 * margin, gap);
  const Box key = legend(panel, keys, box.width);
  box.markup += moved(key, 0, box.height + 8);
  box.height += key.height + 8;
  return box;
}

Box film_box(const StillSource& source) {
  constexpr double side = 216;
  Box box;
  box.width = box.height = side;
  box.markup = fmt::format(
      "<rect x=\"0\" y=\"0\" width=\"{0:.0f}\" height=\"{0:.0f}\" fill=\"#fff\" class=\"c\"/>\n", side);
  const StillFrame& frame = source.frame;
  for (std::size_t i = 0; i < frame.obstacles.size(); ++i) {
    const std::vector<double>& one = frame.obstacles[i];
    box.markup += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" class=\"c\"/>\n",
                              side * one[0], side * (1 - one[1]), side * one[2],
                              frame.goal && i == 0 ? "#b3261e" : "#d5d9de");
  }
  for (std::size_t i = 0; i < frame.points.size(); ++i)
    box.markup +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" class=\"c\"/>\n",
                    side * frame.points[i].first, side * (1 - frame.points[i].second),
                    std::max(1.5, side * frame.radius), colour_text(frame.groups[i] + 1, of_writer));
  return box;
}

Box panel_box(const StillSource& source) {
  using Draws = StillPanel::Draws;
  Box inner;
  switch (source.panel.draws) {
    case Draws::arrays:
      inner = arrays_box(source);
      break;
    case Draws::rounds:
      inner = rounds_box(source);
      break;
    case Draws::threads:
      inner = threads_box(source);
      break;
    case Draws::film:
      inner = film_box(source);
      break;
  }
  if (source.panel.title.empty()) return inner;
  Box box;
  const std::vector<std::string> title =
      split_lines(wrap(source.panel.title, static_cast<int>(std::max(inner.width, 150.0) / 7)));
  double y = 0;
  for (const std::string& line : title) {
    y += 17;
    box.markup += label(0, y - 4, line, " class=\"t\"");
    box.width = std::max(box.width, label_width(line, 13.5));
  }
  box.markup += moved(inner, 0, y + 4);
  box.width = std::max(box.width, inner.width);
  box.height = y + 4 + inner.height;
  return box;
}

}  // namespace

std::string still_svg(const Lab& lab, const std::vector<StillSource>& panels, const std::string& origin,
                      const std::string& words) {
  std::vector<Box> boxes;
  for (const StillSource& source : panels) boxes.push_back(panel_box(source));
  const Box all = flow(boxes, page_width - 2 * margin, gap);
  const double width = std::max(all.width + 2 * margin, 200.0), height = all.height + 2 * margin;
  return fmt::format(
      "<svg role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\" "
      "fill=\"#1a1d21\">\n<metadata>{2}</metadata>\n<title>{3}</title>\n<desc>{4}</desc>\n"
      "<style>.c{{stroke:#8a94a0;stroke-width:.6}}.w{{stroke:#59636e;stroke-width:1}}.s{{font-size:11px;fill:"
      "#444c55}}"
      ".n{{font-size:10px;text-anchor:middle}}.t{{font-size:13.5px;font-weight:bold}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{5}</svg>\n",
      width, height, foreign_text(origin), foreign_text(fmt::format("{}: {}", lab.id, lab.title)),
      foreign_text(words), moved(all, margin, margin));
}

}  // namespace grader
