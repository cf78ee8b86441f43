/// @file
/// Scans of magnetic resonance imaging for the lab on MRI-Q: their files, generated scans, and the right Q at some
/// voxels.
///
/// A scan has K samples, at the places (kx, ky, kz) of k-space in cycles per unit of length, and X
/// voxels at (x, y, z). With phiMag_k = phiR_k² + phiI_k², Q of a voxel is
///
///     Q = sum over k of phiMag_k · e^(2πi (kx_k·x + ky_k·y + kz_k·z)),   Qr and Qi its two parts.
///
/// The files are little-endian, with nothing between the arrays:
///
///     scan   int32 K, int32 X, float32 kx[K] ky[K] kz[K] x[X] y[X] z[X] phiR[K] phiI[K]    8 + 4 (5 K + 3 X) bytes
///     Q      uint32 X, float32 Qr[X] Qi[X]                                                 4 + 8 X bytes
///
/// S. S. Stone, J. P. Haldar et al., "Accelerating advanced MRI reconstructions on GPUs", Computing Frontiers
/// 2008; the formats come from the Parboil benchmark mri-q. Every fault of a file ends the program
/// with one sentence (exit code 2). Host code only.
#pragma once
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <lab/exit.hpp>
#include <lab/memory.hpp>
#include <lab/random.hpp>

namespace lab {

/// A scan in memory.
struct Scan {
  std::vector<float> kx, ky, kz;  ///< (K) places of the samples
  std::vector<float> phiR, phiI;  ///< (K) complex amplitude of each sample
  std::vector<float> x, y, z;     ///< (X) places of the voxels

  std::size_t samples() const { return kx.size(); }
  std::size_t voxels() const { return x.size(); }
};

/// Q at some voxels.
struct Q {
  std::vector<float> r, i;  ///< (X)
};

namespace detail {

[[noreturn, gnu::cold]] inline void scan_fail(const std::string& path, const std::string& problem) {
  usage_error("Input " + path + " " + problem);
}

/// Whether the file's beginning looks like text.
LAB_COLD inline bool looks_like_text(const unsigned char* bytes, std::size_t count) {
  return count > 0 && std::all_of(bytes, bytes + count, [](unsigned char c) {
           return (c >= 0x20 && c < 0x7f) || (c >= '\t' && c <= '\r');
         });
}

/// An open input file of known size.
class InputFile {
 public:
  LAB_COLD explicit InputFile(const std::string& path) : path_(path) {
    struct stat status;
    if (::stat(path.c_str(), &status) != 0) fail_open();
    if (!S_ISREG(status.st_mode)) scan_fail(path, "is a folder, a pipe or a device: give a file.");
    size_ = static_cast<std::size_t>(status.st_size);
    file_ = std::fopen(path.c_str(), "rb");
    if (file_ == nullptr) fail_open();
  }
  ~InputFile() { std::fclose(file_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::size_t size() const { return size_; }

  LAB_COLD void read(void* to, std::size_t bytes) {
    if (bytes > 0 && std::fread(to, 1, bytes, file_) != bytes)
      scan_fail(path_, "can't be read to its end. Copy it again.");
  }

  LAB_COLD std::vector<float> floats(std::size_t count, const char* name) {
    std::vector<float> values = host_array<float>(count, name);
    read(values.data(), count * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(values[i]))
        scan_fail(path_, "holds no number at " + std::string(name) + "[" + std::to_string(i) +
                             "]: all values must be finite. Was it written with other types or byte order?");
    }
    return values;
  }

 private:
  [[noreturn, gnu::cold]] void fail_open() const {
    scan_fail(path_, std::string("can't be opened: ") + std::strerror(errno) +
                         ". Check the path; without -i the program makes a scan of its own.");
  }

  std::string path_;
  std::FILE* file_ = nullptr;
  std::size_t size_ = 0;
};

/// Writes blocks of bytes to a file, and removes the file if writing fails.
struct Bytes {
  const void* data;
  std::size_t count;
};
LAB_COLD inline void write_blocks(const std::string& path, const std::vector<Bytes>& blocks) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool good = file != nullptr;
  for (const Bytes& block : blocks)
    good = good && std::fwrite(block.data, 1, block.count, file) == block.count;
  int error = errno;
  if (file != nullptr && std::fclose(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good) return;
  struct stat status;
  if (file != nullptr && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    std::remove(path.c_str());
  usage_error("Output " + path + " can't be written: " + std::strerror(error) +
              ". Name a file in a folder that you may write, on a disk with room.");
}

template <typename T>
Bytes block(const std::vector<T>& values) {
  return {values.data(), values.size() * sizeof(T)};
}

}  // namespace detail

/// Reads a scan's file.
LAB_COLD inline Scan read_scan(const std::string& path) {
  detail::InputFile file(path);
  unsigned char begin[64];
  const std::size_t seen = std::min(file.size(), sizeof begin);
  file.read(begin, seen);
  if (detail::looks_like_text(begin, seen))
    detail::scan_fail(path,
                      "is text, but a scan is binary: two int32 counts, then float32. Is it the right file?");
  if (seen < 8)
    detail::scan_fail(path, "has " + std::to_string(file.size()) +
                                " bytes, but a scan begins with two counts of 4 bytes each. Copy it again.");
  std::int32_t counts[2];
  std::memcpy(counts, begin, sizeof counts);
  const std::string claim =
      std::to_string(counts[0]) + " samples and " + std::to_string(counts[1]) + " voxels";
  if (counts[0] < 0 || counts[1] < 0)
    detail::scan_fail(path, "says that it holds " + claim +
                                ": the counts must be little-endian int32 from 0 up. Is it a scan?");
  const auto samples = static_cast<std::size_t>(counts[0]), voxels = static_cast<std::size_t>(counts[1]);
  const std::size_t expected = 8 + 4 * (5 * samples + 3 * voxels);  // below 2^37: no overflow in 64 bits
  if (file.size() != expected)
    detail::scan_fail(path, (file.size() < expected ? "is cut short: " : "continues after its end: ") +
                                claim + " make " + std::to_string(expected) + " bytes, but it has " +
                                std::to_string(file.size()) +
                                ". Copy it again, or is it another kind of file?");
  detail::InputFile again(path);  // from the beginning, after the counts
  again.read(begin, 8);
  Scan scan;
  scan.kx = again.floats(samples, "kx");
  scan.ky = again.floats(samples, "ky");
  scan.kz = again.floats(samples, "kz");
  scan.x = again.floats(voxels, "x");
  scan.y = again.floats(voxels, "y");
  scan.z = again.floats(voxels, "z");
  scan.phiR = again.floats(samples, "phiR");
  scan.phiI = again.floats(samples, "phiI");
  return scan;
}

/// Writes a scan's file.
LAB_COLD inline void write_scan(const std::string& path, const Scan& scan) {
  using detail::block;
  const std::vector<std::int32_t> counts = {static_cast<std::int32_t>(scan.samples()),
                                            static_cast<std::int32_t>(scan.voxels())};
  detail::write_blocks(path, {block(counts), block(scan.kx), block(scan.ky), block(scan.kz), block(scan.x),
                              block(scan.y), block(scan.z), block(scan.phiR), block(scan.phiI)});
}

/// Writes a file of Q.
LAB_COLD inline void write_q(const std::string& path, const Q& q) {
  const std::vector<std::uint32_t> count = {static_cast<std::uint32_t>(q.r.size())};
  detail::write_blocks(path, {detail::block(count), detail::block(q.r), detail::block(q.i)});
}

/// Reads a file of Q, in which NaN marks an unknown value.
/// @param voxels that the file must hold
LAB_COLD inline Q read_q(const std::string& path, std::size_t voxels) {
  detail::InputFile file(path);
  std::uint32_t count = 0;
  if (file.size() == 4 + 8 * voxels) file.read(&count, sizeof count);
  if (count != voxels || file.size() != 4 + 8 * voxels)
    detail::scan_fail(path, "is not a result for this scan: " + std::to_string(voxels) + " voxels make " +
                                std::to_string(4 + 8 * voxels) +
                                " bytes that begin with that count, but it has " +
                                std::to_string(file.size()) + ". Is it the result of another scan?");
  Q q{host_array<float>(voxels, "Qr"), host_array<float>(voxels, "Qi")};
  file.read(q.r.data(), voxels * sizeof(float));
  file.read(q.i.data(), voxels * sizeof(float));
  return q;
}

/// The shape of a generated scan.
struct ScanShape {
  std::size_t side = 0;     ///< the first side³ voxels lie on a grid, the others at random places
  std::size_t voxels = 0;   ///< X, at least side³
  std::size_t samples = 0;  ///< K
};

/// "32^3x3072" is a grid of 32³ voxels and 3072 samples, "1001x500" 1001 voxels at random places and 500
/// samples, "8^3+100x500" a grid of 8³ voxels, 100 others, and 500 samples.
/// @return false if the text is something else, or the scan is too large: more than 512³ voxels or 2^24 samples
LAB_COLD inline bool parse_shape(const std::string& text, ScanShape& shape) {
  const auto number = [](const std::string& digits, std::size_t least, std::size_t most, std::size_t& value) {
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos)
      return false;
    value = std::stoul(digits);
    return value >= least && value <= most;
  };
  const std::size_t x = text.find('x');
  if (x == std::string::npos) return false;
  const std::size_t plus = std::min(text.find('+'), x);
  const std::string left = text.substr(0, plus);  // the grid, or all voxels
  shape = {};
  if (!number(text.substr(x + 1), 0, std::size_t{1} << 24, shape.samples)) return false;
  if (left.size() < 2 || left.compare(left.size() - 2, 2, "^3") != 0)
    return plus == x && number(left, 1, std::size_t{1} << 27, shape.voxels);
  if (!number(left.substr(0, left.size() - 2), 1, 512, shape.side)) return false;
  if (plus < x && !number(text.substr(plus + 1, x - plus - 1), 1, std::size_t{1} << 27, shape.voxels))
    return false;
  shape.voxels += shape.side * shape.side * shape.side;
  return true;
}

namespace detail {

/// The smallest divisor of n in [least, 2 · least]; `least`, rounded up, if there is none.
LAB_COLD inline std::size_t divisor_from(double least, std::size_t n) {
  const auto first = static_cast<std::size_t>(std::ceil(std::max(least, 1.0)));
  for (std::size_t candidate = first; candidate <= 2 * first; ++candidate) {
    if (n % candidate == 0) return candidate;
  }
  return first;
}

/// A stack of spirals: planes of equal kz, each with interleaved spirals from the centre outwards. 147,258 samples make
/// 54 planes of 27 spirals of 101 samples.
/// Gradients are never exact, so each place deviates slightly.
LAB_COLD inline void draw_spirals(Random& random, Scan& scan, std::size_t samples, double furthest) {
  constexpr double two_pi = 6.283185307179586476925;
  const std::size_t planes = divisor_from(std::cbrt(static_cast<double>(samples)), samples);
  const std::size_t per_plane = std::max<std::size_t>(1, (samples + planes - 1) / planes);
  const std::size_t spirals = divisor_from(std::sqrt(static_cast<double>(per_plane)) / 2, per_plane);
  const std::size_t points = std::max<std::size_t>(1, (per_plane + spirals - 1) / spirals);
  const double turns = std::max(1.0, furthest / static_cast<double>(spirals));
  const auto off = [&random] { return random.real(-0.01, 0.01); };
  for (std::size_t k = 0; k < samples; ++k) {
    const std::size_t plane = k / per_plane, spiral = k % per_plane / points, point = k % per_plane % points;
    const double way =
        (static_cast<double>(point) + 0.5) / static_cast<double>(points);  // (0, 1) from the centre
    const double angle = two_pi * (turns * way + static_cast<double>(spiral) / static_cast<double>(spirals));
    const double height = (2 * static_cast<double>(plane) + 1) / static_cast<double>(planes) - 1;  // (-1, 1)
    scan.kx.push_back(static_cast<float>(furthest * way * std::cos(angle) + off()));
    scan.ky.push_back(static_cast<float>(furthest * way * std::sin(angle) + off()));
    scan.kz.push_back(static_cast<float>(furthest * height + off()));
    scan.phiR.push_back(static_cast<float>(random.real(-1, 1)));
    scan.phiI.push_back(static_cast<float>(random.real(-1, 1)));
  }
}

}  // namespace detail

/// A scan of this shape. The field of view is 1 on each axis, [-1/2, 1/2), and the samples reach as far as
/// the distance of the voxels allows (Nyquist): side / 2 cycles. On a grid, x varies fastest.
LAB_COLD inline Scan draw_scan(Random& random, const ScanShape& shape) {
  Scan scan;
  detail::draw_spirals(random, scan, shape.samples,
                       shape.side > 0 ? static_cast<double>(shape.side) / 2 : 16);
  const auto place = [&shape](std::size_t i) {
    return static_cast<float>(static_cast<double>(i) / static_cast<double>(shape.side) - 0.5);
  };
  for (std::size_t i = 0; i < shape.voxels; ++i) {
    const bool grid = i < shape.side * shape.side * shape.side;
    scan.x.push_back(grid ? place(i % shape.side) : static_cast<float>(random.real(-0.5, 0.5)));
    scan.y.push_back(grid ? place(i / shape.side % shape.side) : static_cast<float>(random.real(-0.5, 0.5)));
    scan.z.push_back(grid ? place(i / shape.side / shape.side) : static_cast<float>(random.real(-0.5, 0.5)));
  }
  return scan;
}

/// The sorted voxels at which a large result is checked: the first and the last, those where blocks begin and end,
/// random ones, and the one nearest to the origin, where |Q| is largest and sets the scale of tolerances. All voxels if
/// there are at most `count`.
LAB_COLD inline std::vector<std::size_t> sample_voxels(Random& random, const Scan& scan, std::size_t count) {
  const std::size_t voxels = scan.voxels();
  std::vector<std::size_t> chosen;
  if (voxels <= count) {
    for (std::size_t i = 0; i < voxels; ++i) chosen.push_back(i);
    return chosen;
  }
  std::size_t nearest = 0;
  const auto distance = [&scan](std::size_t i) {
    return std::hypot(static_cast<double>(scan.x[i]), static_cast<double>(scan.y[i]),
                      static_cast<double>(scan.z[i]));
  };
  for (std::size_t i = 1; i < voxels; ++i) {
    if (distance(i) < distance(nearest)) nearest = i;
  }
  chosen.push_back(nearest);
  for (std::size_t i = 0; i < count / 8; ++i) {
    chosen.push_back(i);
    chosen.push_back(voxels - 1 - i);
  }
  while (chosen.size() < count)
    chosen.push_back(static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(voxels) - 1)));
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// Q in double at the chosen voxels, from the first `samples` samples; NaN at all others. The phase is
/// reduced to one cycle first, so that large phases lose no accuracy. Takes about 40 ns for each sample and voxel.
inline Q right_q(const Scan& scan, std::size_t samples, const std::vector<std::size_t>& chosen) {
  constexpr double two_pi = 6.283185307179586476925;
  Q q;
  q.r.assign(scan.voxels(), std::numeric_limits<float>::quiet_NaN());
  q.i = q.r;
  for (const std::size_t voxel : chosen) {
    double sum_r = 0, sum_i = 0;
    for (std::size_t k = 0; k < samples; ++k) {
      const double r = scan.phiR[k], i = scan.phiI[k];
      double cycles = static_cast<double>(scan.kx[k]) * scan.x[voxel] +
                      static_cast<double>(scan.ky[k]) * scan.y[voxel] +
                      static_cast<double>(scan.kz[k]) * scan.z[voxel];
      cycles -= std::nearbyint(cycles);
      sum_r += (r * r + i * i) * std::cos(two_pi * cycles);
      sum_i += (r * r + i * i) * std::sin(two_pi * cycles);
    }
    q.r[voxel] = static_cast<float>(sum_r);
    q.i[voxel] = static_cast<float>(sum_i);
  }
  return q;
}

/// The allowed error of Q as a fraction of the largest |Qr| or |Qi|, as in Parboil's first measure. Parboil's second
/// measure, 0.2 % of each value, would allow the largest values 20 times this error.
constexpr double q_tolerance = 1e-4;

/// Counts wrong values of Q. Where `right` is unknown (NaN), a value only needs to be a number.
/// @param worst becomes the largest error, as a fraction of the largest value
inline std::size_t count_wrong(const Q& q, const Q& right, double& worst) {
  double largest = 0;
  for (const std::vector<float>* part : {&right.r, &right.i}) {
    for (const float value : *part)
      largest = std::max(largest, std::isnan(value) ? 0.0 : std::fabs(value * 1.0));
  }
  std::size_t wrong = 0;
  worst = 0;
  const auto look = [&](float got, float expected) {
    if (std::isnan(expected)) {
      wrong += std::isfinite(got) ? 0 : 1;
      return;
    }
    const double error = std::fabs(static_cast<double>(got) - expected);
    if (!(error <= q_tolerance * largest)) ++wrong;  // NaN is wrong too
    if (largest > 0) worst = std::max(worst, error / largest);
  };
  for (std::size_t i = 0; i < right.r.size(); ++i) {
    look(q.r[i], right.r[i]);
    look(q.i[i], right.i[i]);
  }
  return wrong;
}

}  // namespace lab
