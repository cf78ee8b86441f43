/// @file
/// The oracle of lab2.2: draws whole numbers, and adds them up in double, which is exact.
///
///     oracle inputs --seed N --dir D [n] [--version=V]     D/data.npy, float32 (n)
///     oracle expect --dir D [n] [--version=V]              D/sum.npy, float32 (1)
#include <lab/npy.hpp>
#include <lab/oracle.hpp>
#include <lab/sums.hpp>

#include <algorithm>

namespace {

constexpr std::int64_t default_n = 1000000;
constexpr std::int64_t largest_n = 1 << 30;  // as in the program

/// Whether some wrong program would give the right sum with these numbers.
bool trivial(const std::vector<float>& data) {
  const lab::Sum sum = lab::sum_of(data.data(), data.size());
  if (sum.value == 0 || !sum.whole) return true;
  return data.size() > 1 &&
         std::all_of(data.begin(), data.end(), [&data](float x) { return x == data.front(); });
}

void draw(const lab::OracleRequest& request) {
  const auto n = static_cast<std::size_t>(request.integer(0, default_n, 1, largest_n));
  lab::Random random(request.seed);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::vector<float> data = lab::draw_terms<float>(random, n);
    if (trivial(data)) continue;
    lab::write_npy(request.path("data.npy"), {n}, data.data());
    return;
  }
  lab::usage_error("oracle inputs: a hundred attempts gave only trivial numbers; use another seed.");
}

void expect(const lab::OracleRequest& request) {
  const lab::NpyArray<float> data = lab::read_npy<float>(request.path("data.npy"), 1);
  const auto sum = static_cast<float>(lab::sum_of(data.data.data(), data.data.size()).value);
  lab::write_npy(request.path("sum.npy"), {1}, &sum);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return lab::run_oracle(argc, argv, draw, expect);
  } catch (const lab::NpyError& error) {
    lab::usage_error(error.what());
  }
}
