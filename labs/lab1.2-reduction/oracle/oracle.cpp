/// @file
/// The oracle of lab1.2: draws numbers whose sum is exact in float, and adds them up.
///
/// The sum is exact in any order, but not for the 512 numbers of schemes 2 and 3. There a large number is added to one
/// element of each of the scheme's first pairs, and subtracted from the other: it cancels in the first level. A tree with
/// other pairs adds up large numbers, which rounds.
///
///     oracle inputs --seed N --dir D [--length=n] [--scheme=S]     D/data.npy, float32 (n)
///     oracle expect --dir D [--length=n] [--scheme=S]              D/sum.npy, float32 (1)
#include <lab/npy.hpp>
#include <lab/oracle.hpp>
#include <lab/sums.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::int64_t default_n = 512;
constexpr std::int64_t largest_n = 16000000;  // as in the program

/// Whether some wrong program would give the right sum with these numbers.
bool trivial(const std::vector<float>& data) {
  const lab::Sum sum = lab::sum_of(data.data(), data.size());
  if (sum.value == 0 || !sum.exact_in_float()) return true;
  return data.size() > 1 &&
         std::all_of(data.begin(), data.end(), [&data](float x) { return x == data.front(); });
}

/// Whether an argument of the program is `--scheme=NAME`.
bool has_scheme(const lab::OracleRequest& request, const std::string& name) {
  return std::find(request.arguments.begin(), request.arguments.end(), "--scheme=" + name) !=
         request.arguments.end();
}

/// The element that goes to element t of the first half, when `count` are left.
std::size_t partner(std::size_t t, std::size_t count, bool mirrored) {
  return mirrored ? count - 1 - t : t + count / 2;
}

/// Adds up in float, in the order of scheme 2, or of scheme 3 if mirrored.
float sum_by_tree(std::vector<float> data, bool mirrored) {
  for (std::size_t count = data.size(); count >= 2; count /= 2)
    for (std::size_t t = 0; t < count / 2; ++t) data[t] += data[partner(t, count, mirrored)];
  return data[0];
}

/// Large numbers that cancel in the pairs of this scheme. With a term of at most 999 each is below 2^24, thus exact.
std::vector<float> with_cancelling_pairs(lab::Random& random, std::vector<float> data, bool mirrored) {
  for (std::size_t t = 0; t < data.size() / 2; ++t) {
    const std::int64_t magnitude = random.integer(1 << 23, (1 << 24) - 1000);
    const auto large = static_cast<float>(random.integer(0, 1) == 0 ? magnitude : -magnitude);
    data[t] += large;
    data[partner(t, data.size(), mirrored)] -= large;
  }
  return data;
}

void draw(const lab::OracleRequest& request) {
  const auto n = static_cast<std::size_t>(request.option("length", default_n, 1, largest_n));
  const bool mirrored = has_scheme(request, "3"),
             paired = n == default_n && (mirrored || has_scheme(request, "2"));
  lab::Random random(request.seed);
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::vector<float> data = lab::draw_terms<float>(random, n);
    if (trivial(data)) continue;
    if (paired) {
      data = with_cancelling_pairs(random, std::move(data), mirrored);
      if (sum_by_tree(data, mirrored) == sum_by_tree(data, !mirrored)) continue;
    }
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
