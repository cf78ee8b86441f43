// figure.cpp: a map as a picture, drawn from what its kernels did: on the left the grids with all their blocks,
// on the right the triangle, where each block has the colour of the one that did it. Plain C++.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "triangular.h"

namespace {

constexpr int margin = 16, gap = 14, heading = 22;

// Which block came: what Work::trace stored.
struct Visitor {
  bool any;
  std::uint32_t launch, x, y;
};

Visitor visitorOf(std::uint32_t traced) {
  return {traced >> 31 != 0, traced >> 20 & 0x7ff, traced & 0x3ff, traced >> 10 & 0x3ff};
}

// "#rrggbb" for `index` of `count`: from blue over green and yellow to red, all pale enough for a label.
std::string colourOf(unsigned index, unsigned count) {
  const double t = count > 1 ? static_cast<double>(index) / (count - 1) : 0;
  constexpr int stops[5][3] = {
      {143, 188, 230}, {140, 208, 196}, {196, 219, 136}, {247, 210, 120}, {240, 160, 135}};
  const int from = std::min(3, static_cast<int>(4 * t));
  int rgb[3];
  for (int i = 0; i < 3; ++i)
    rgb[i] = static_cast<int>(stops[from][i] + (4 * t - from) * (stops[from + 1][i] - stops[from][i]) + 0.5);
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
  return text;
}

// The picture as it grows.
class Picture {
 public:
  explicit Picture(int side) : side_(side) {}

  void square(int x, int y, const std::string& colour, const std::string& label) {
    char line[256];
    std::snprintf(line, sizeof line,
                  "  <rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"#666666\" "
                  "stroke-width=\"0.7\"/>\n",
                  x, y, side_, side_, colour.c_str());
    body_ += line;
    if (!label.empty() && side_ >= 24) text(x + side_ / 2, y + side_ / 2 + 3, label, 9, "middle");
    width_ = std::max(width_, x + side_ + margin);
    height_ = std::max(height_, y + side_ + margin);
  }
  void text(int x, int y, const std::string& words, int size, const std::string& anchor) {
    char line[256];
    std::snprintf(
        line, sizeof line,
        "  <text x=\"%d\" y=\"%d\" font-size=\"%d\" text-anchor=\"%s\" fill=\"#222222\">%s</text>\n", x, y,
        size, anchor.c_str(), words.c_str());
    body_ += line;
    height_ = std::max(height_, y + margin);
  }
  void widen(int width) { width_ = std::max(width_, width + margin); }
  int side() const { return side_; }
  int width() const { return width_; }

  bool write(const std::string& file, const std::string& title, const std::string& description) const {
    std::FILE* const out = std::fopen(file.c_str(), "w");
    if (out == nullptr) return false;
    std::fprintf(out,
                 "<svg role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                 "height=\"%d\" font-family=\"sans-serif\">\n  <title>%s</title>\n  <desc>%s</desc>\n"
                 "  <rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n%s</svg>\n",
                 width_, height_, width_, height_, title.c_str(), description.c_str(), body_.c_str());
    return std::fclose(out) == 0;
  }

 private:
  int side_, width_ = 0, height_ = 0;
  std::string body_;
};

// The launches in the order of their numbers, and how their blocks are coloured: by launch if there are several,
// by row of the grid if it has rows, else by number.
struct Colours {
  std::map<std::uint32_t, unsigned> rank;
  dim3 only = dim3(1);

  explicit Colours(const std::vector<Launch>& launches) {
    for (const Launch& launch : launches) rank[launch.number] = 0;
    unsigned next = 0;
    for (auto& [number, index] : rank) index = next++;
    only = launches[0].grid;
  }
  std::string of(std::uint32_t launch, unsigned x, unsigned y) const {
    if (rank.size() > 1) return colourOf(rank.at(launch), static_cast<unsigned>(rank.size()));
    return only.y > 1 ? colourOf(y, only.y) : colourOf(x, only.x);
  }
  std::string label(unsigned x, unsigned y) const {
    return rank.size() == 1 && only.y == 1 ? std::to_string(x) : std::to_string(x) + "," + std::to_string(y);
  }
};

}  // namespace

bool drawFigure(std::string_view file, std::string_view title, const std::vector<Launch>& launches,
                const std::vector<std::uint32_t>& trace, int N) {
  const int n = blocksFor(N);
  const Colours colours(launches);
  Picture picture(n <= 8 ? 28 : n <= 12 ? 24 : 14);
  const int side = picture.side(), wrap = std::max(n, 8);

  // Which blocks did something.
  std::map<std::uint32_t, std::vector<std::uint32_t>> useful;
  for (int row = 0; row < n; ++row) {
    for (int col = 0; col <= row; ++col) {
      const Visitor who = visitorOf(trace[(static_cast<std::size_t>(row) * N + col) * BLOCK_SIZE]);
      if (who.any) useful[who.launch].push_back(who.y << 16 | who.x);
    }
  }

  // The grids, one after the other from left to right; a new line when one does not fit.
  picture.text(margin, margin + 6, "blocks of the grid", 13, "start");
  int x0 = margin, y0 = margin + heading, tallest = 0;
  std::vector<Launch> sorted = launches;
  std::sort(sorted.begin(), sorted.end(),
            [](const Launch& a, const Launch& b) { return a.number < b.number; });
  for (const Launch& launch : sorted) {
    const int width = std::min(static_cast<int>(launch.grid.x), launch.grid.y == 1 ? wrap : 1 << 16);
    const int height = launch.grid.y == 1 ? static_cast<int>((launch.grid.x - 1) / width + 1)
                                          : static_cast<int>(launch.grid.y);
    if (x0 > margin && x0 + width * side > margin + wrap * side)
      x0 = margin, y0 += tallest + gap, tallest = 0;
    const std::vector<std::uint32_t>& did = useful[launch.number];
    for (unsigned y = 0; y < launch.grid.y; ++y) {
      for (unsigned x = 0; x < launch.grid.x; ++x) {
        const bool idle = std::find(did.begin(), did.end(), y << 16 | x) == did.end();
        const int px = x0 + static_cast<int>(x % width) * side;
        const int py = y0 + static_cast<int>(y + x / width) * side;
        picture.square(px, py, idle ? "#ffffff" : colours.of(launch.number, x, y),
                       idle ? "–" : colours.label(x, y));
      }
    }
    tallest = std::max(tallest, height * side);
    x0 += width * side + gap;
  }

  // The triangle.
  const int left = std::max(picture.width(), margin + 150) + 2 * gap;
  picture.text(left, margin + 6, "blocks of the triangle, and who does them", 13, "start");
  for (int row = 0; row < n; ++row) {
    for (int col = 0; col <= row; ++col) {
      const Visitor who = visitorOf(trace[(static_cast<std::size_t>(row) * N + col) * BLOCK_SIZE]);
      picture.square(left + col * side, margin + heading + row * side,
                     who.any ? colours.of(who.launch, who.x, who.y) : "#ffffff",
                     who.any ? colours.label(who.x, who.y) : "?");
    }
  }
  picture.widen(left + 270);  // the heading may be wider than the triangle

  std::size_t launched = 0;
  for (const Launch& launch : launches) launched += static_cast<std::size_t>(launch.grid.x) * launch.grid.y;
  const std::string description =
      "On the left all blocks of " + std::to_string(launches.size()) +
      (launches.size() == 1 ? " launch" : " launches") + ", " + std::to_string(launched) +
      " in number, those without work in white. On the right the triangle of " + std::to_string(n) +
      " rows of blocks; each block has the colour and the place in the grid of the block that does it.";
  return picture.write(std::string(file), "The map " + std::string(title), description);
}
