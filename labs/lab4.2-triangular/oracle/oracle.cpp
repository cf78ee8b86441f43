/// @file
/// What is right in lab4.2: draws points, and computes each cell in a double loop, without any map.
///
///     oracle inputs --seed N --dir D [N] [options of the program]     D/points.npy, float32 (N, 2)
///     oracle expect --dir D [N] [options of the program]              D/result.npy: see below
///     oracle judge --facts FILE                                       whether a rectangle was launched
///
/// The result is that of the program, float32: (N, N) cells, or (N, N, N); of large ones (N), a checksum for each
/// row; for neighbours (N); for --sweep (maps, N); for --rows (N, 4).
#include <lab/npy.hpp>
#include <lab/oracle.hpp>
#include <lab/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

constexpr std::int64_t default_n = 256, largest_n = 65536;
constexpr std::int64_t largest_copied_n = 1024, largest_copied_solid_n = 64;  // as in the program
constexpr int maps = 7;

/// The value of --name=VALUE.
std::string option_of(const lab::OracleRequest& request, const std::string& name, const std::string& preset) {
  const std::string begin = "--" + name + "=";
  for (const std::string& argument : request.arguments)
    if (argument.rfind(begin, 0) == 0) return argument.substr(begin.size());
  return preset;
}

bool has_flag(const lab::OracleRequest& request, const std::string& name) {
  for (const std::string& argument : request.arguments)
    if (argument == "--" + name) return true;
  return false;
}

/// N: the argument that is no option.
std::size_t size_of(const lab::OracleRequest& request) {
  std::size_t at = 0;
  while (at < request.arguments.size() && request.arguments[at][0] == '-') ++at;
  return static_cast<std::size_t>(request.integer(at, default_n, 1, largest_n));
}

/// Whole numbers, so that squared distances are exact.
std::vector<float> draw_points(std::uint64_t seed, std::size_t n) {
  lab::Random random(seed);
  std::vector<float> points(2 * n);
  for (float& coordinate : points) coordinate = static_cast<float>(random.integer(0, 1023));
  return points;
}

void draw(const lab::OracleRequest& request) {
  const std::size_t n = size_of(request);
  const std::vector<float> points = draw_points(request.seed, n);
  if (n > 2 && std::equal(points.begin() + 2, points.end(), points.begin()))
    lab::usage_error("oracle inputs: all points are the same; use another seed.");
  lab::write_npy(request.path("points.npy"), {n, 2}, points.data());
}

/// Squared distance of two points, which is exact.
double squared(const std::vector<float>& points, std::size_t a, std::size_t b) {
  const double dx = points[2 * a] - points[2 * b], dy = points[2 * a + 1] - points[2 * b + 1];
  return dx * dx + dy * dy;
}

/// For each row: how many points before it are at most 100 away.
void expect_neighbours(const lab::OracleRequest& request, const std::vector<float>& points, std::size_t n) {
  std::vector<float> found(n);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t col = 0; col < row; ++col)
      found[row] += squared(points, col, row) <= 100.0 * 100.0 ? 1 : 0;
  lab::write_npy(request.path("result.npy"), {n}, found.data());
}

/// Calls use(value), where value(row, column, number) is what the payload leaves in a cell, a whole number or a float;
/// number: the cell's own, from 1, row after row. Chosen once: there are up to 2^31 cells.
template <typename Use>
void with_payload(const std::string& payload, const std::vector<float>& points, Use use) {
  if (payload == "count") {
    use([](std::size_t, std::size_t, std::uint64_t) { return std::uint64_t{1}; });
  } else if (payload == "distance") {
    use([&](std::size_t row, std::size_t col, std::uint64_t) {
      return static_cast<float>(std::sqrt(squared(points, col, row)));
    });
  } else {
    use([](std::size_t, std::size_t, std::uint64_t number) { return number; });
  }
}

/// Calls cell(column, value) for each cell of a row, where a solid's columns are those of y and x together.
/// @param number of the cell before, counted on
template <typename Value, typename Cell>
void for_row(std::size_t row, std::size_t n, bool solid, std::uint64_t& number, Value value, Cell cell) {
  for (std::size_t y = solid ? 0 : row; y <= row; ++y)
    for (std::size_t col = 0; col <= y; ++col) cell((solid ? y * n : 0) + col, value(row, col, ++number));
}

void expect_cells(const lab::OracleRequest& request, const std::vector<float>& points, std::size_t n,
                  bool solid, const std::string& payload) {
  const std::size_t width = solid ? n * n : n;
  std::vector<float> cells(n * width);
  with_payload(payload, points, [&](auto value) {
    std::uint64_t number = 0;
    for (std::size_t row = 0; row < n; ++row)
      for_row(row, n, solid, number, value,
              [&](std::size_t col, auto got) { cells[row * width + col] = static_cast<float>(got); });
  });
  lab::write_npy(request.path("result.npy"), std::vector<std::size_t>(solid ? 3 : 2, n), cells.data());
}

/// A cell in a checksum is its 4 bytes as an unsigned number: of a whole number, or of a float.
std::uint64_t bits_of(std::uint64_t value) {
  return value;
}
std::uint64_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The sum of cell * (column + 1) of each row, modulo 2^24.
void expect_checksums(const lab::OracleRequest& request, const std::vector<float>& points, std::size_t n,
                      bool solid, const std::string& payload) {
  std::vector<float> result;
  with_payload(payload, points, [&](auto value) {
    std::uint64_t number = 0;
    for (std::size_t row = 0; row < n; ++row) {
      std::uint64_t sum = 0;
      for_row(row, n, solid, number, value,
              [&](std::size_t col, auto got) { sum += bits_of(got) * (col + 1); });
      result.push_back(static_cast<float>(sum & ((std::uint64_t{1} << 24) - 1)));
    }
  });
  lab::write_npy(request.path("result.npy"), {n}, result.data());
}

void expect(const lab::OracleRequest& request) {
  const std::size_t n = size_of(request);
  const std::string map = option_of(request, "map", "bb"), payload = option_of(request, "payload", "write");
  if (has_flag(request, "rows")) {
    std::vector<float> rows;
    for (std::size_t i = 0; i < n; ++i)
      rows.insert(rows.end(), {0, static_cast<float>(i), static_cast<float>(i), static_cast<float>(i)});
    return lab::write_npy(request.path("result.npy"), {n, 4}, rows.data());
  }
  if (has_flag(request, "sweep")) {
    std::vector<float> right;
    for (int i = 0; i < (map == "all" ? maps : 1); ++i)
      for (std::size_t size = 1; size <= n; ++size) right.push_back(static_cast<float>(size * size));
    return lab::write_npy(request.path("result.npy"), {right.size() / n, n}, right.data());
  }
  const bool solid = map == "cube" || map == "tetrahedron";
  const std::vector<float> points = lab::read_npy<float>(request.path("points.npy"), 2).data;
  if (payload == "neighbours") return expect_neighbours(request, points, n);
  const bool whole = n <= static_cast<std::size_t>(solid ? largest_copied_solid_n : largest_copied_n);
  if (map == "launches") {  // which does nothing
    const std::vector<float> nothing(whole ? n * n : n);
    return lab::write_npy(request.path("result.npy"), std::vector<std::size_t>(whole ? 2 : 1, n),
                          nothing.data());
  }
  if (!whole) return expect_checksums(request, points, n, solid, payload);
  expect_cells(request, points, n, solid, payload);
}

/// A line of blocks does the same work, but is another map.
lab::Judgement judge(const lab::JudgeRequest& request) {
  for (const lab::KernelLaunch& launch : request.launches)
    if (launch.kernel.find("mapKernel") != std::string::npos && launch.grid[1] == 1)
      return lab::Judgement::failed(
          "The grid is a line of " + std::to_string(launch.grid[0]) +
              " blocks, and this map is a rectangle: its blocks have a column and a row.",
          "draw the rectangle for 3 rows of blocks, and read its two sides from the drawing");
  return lab::Judgement::passed();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return lab::run_oracle(argc, argv, draw, expect, judge);
  } catch (const lab::NpyError& error) {
    lab::usage_error(error.what());
  }
}
