#include "verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "base/error.hpp"
#include "verify/elements.hpp"
#include "verify/patterns.hpp"
#include "verify/product.hpp"
#include "verify/raw_file.hpp"

namespace grader {
namespace {

constexpr std::size_t most_shown = 8;      // wrong elements in a report
constexpr std::size_t least_sample = 100;  // the smallest number of elements that a sample must have

/// Reads an array of the kit. If this fails, the student is not at fault.
Array read_trusted(const fs::path& file) {
  try {
    return Array::read(file);
  } catch (const lab::NpyError& error) {
    throw Error(ErrorKind::fault, std::string("The grader can't use its own data: ") + error.what() + ".");
  }
}

/// @throws lab::NpyError when the count in a file's header differs from the number of elements, because the type is
///         not float32 or the file is truncated
void hold_to_count(const fs::path& file, const RawFile& raw, const FileLayout& layout) {
  if (!layout.count_at) return;
  std::uint32_t count = 0;
  std::memcpy(&count, raw.header.data() + *layout.count_at, sizeof count);
  const std::uintmax_t row = raw.array.size() / layout.rows();
  if (count != row)
    throw lab::NpyError(
        fmt::format("{}: its header says that a row has {} elements, and the file holds {} of "
                    "float32",
                    file.string(), count, row));
}

RawFile read_trusted_raw(const fs::path& file, const FileLayout& layout) {
  try {
    RawFile raw = read_raw(file, layout, lab::NpyLinks::follow);
    hold_to_count(file, raw, layout);
    return raw;
  } catch (const lab::NpyError& error) {
    throw Error(ErrorKind::fault, std::string("The grader can't use its own data: ") + error.what() + ".");
  }
}

/// Reads the .npy inputs; patterns can't use files of other formats.
std::vector<Array> readable_inputs(const std::vector<fs::path>& files) {
  std::vector<Array> inputs;
  for (const fs::path& file : files) {
    if (is_npy(file)) inputs.push_back(read_trusted(file));
  }
  return inputs;
}

/// The problem of an output file, without the folders of its path, which mean nothing to a student.
std::string problem_of(const lab::NpyError& error, const fs::path& file) {
  std::string text = error.what();
  if (text.compare(0, file.string().size(), file.string()) == 0)
    text = file.filename().string() + text.substr(file.string().size());
  return text + ".";
}

/// Checks type and shape in the header only, so that an output that claims terabytes is not read.
std::string header_problem(const fs::path& file, const std::string& dtype,
                           const std::vector<std::size_t>& shape) {
  const lab::NpyHeader header = lab::read_npy_header(file.string(), lab::NpyLinks::refuse);
  if (header.dtype == dtype && header.shape == shape) return {};
  return fmt::format("{}: expected shape {} of {}, found shape {} of {}.", file.filename().string(),
                     lab::npy_shape_words(shape), lab::npy_dtype_words(dtype),
                     lab::npy_shape_words(header.shape), lab::npy_dtype_words(header.dtype));
}

/// The output as an array. If it can't be read, `result.problem` receives the reason.
std::optional<Array> read_output(const fs::path& file, const Array& expected, Verification& result) {
  result.problem = header_problem(file, expected.dtype(), expected.shape());
  if (!result.problem.empty()) return std::nullopt;
  return Array::read(file, lab::NpyLinks::refuse);
}

/// Does the same for files with a layout. The header must match exactly, since it contains counts.
std::optional<Array> read_raw_output(const fs::path& file, const RawFile& expected, const FileLayout& layout,
                                     Verification& result) {
  const std::uintmax_t bytes = layout.header + expected.array.size() * sizeof(float);
  RawFile got = read_raw(file, layout, lab::NpyLinks::refuse, bytes);
  if (got.header == expected.header) return std::move(got.array);
  const auto differs = std::mismatch(got.header.begin(), got.header.end(), expected.header.begin());
  result.problem = fmt::format(
      "{}: the first {} bytes, its header, are not the expected ones: byte {} is 0x{:02x}, expected "
      "0x{:02x}.",
      file.filename().string(), layout.header, differs.first - got.header.begin(),
      static_cast<unsigned char>(*differs.first), static_cast<unsigned char>(*differs.second));
  return std::nullopt;
}

/// Marks elements outside of a sample as right if they are finite numbers. @return the number of compared
/// elements
std::size_t leave_out(std::vector<bool>& wrong, const Array& got, const Array& expected) {
  std::size_t compared = 0;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    if (std::isnan(expected[i])) {
      wrong[i] = !std::isfinite(got[i]);
    } else {
      ++compared;
    }
  }
  if (compared < std::min(least_sample, wrong.size()))
    throw Error(
        ErrorKind::fault,
        fmt::format("The grader can't use its own data: the oracle computed {} of {} elements, and a sample "
                    "needs at least {}.",
                    compared, wrong.size(), least_sample));
  return compared;
}

void name_pattern(Mismatch& mismatch, Evidence&& evidence, const RunFacts& run) {
  evidence.run = run;
  if (const auto pattern = find_pattern(evidence)) {
    mismatch.pattern = pattern->name;
    mismatch.explanation = pattern->explanation;
  }
}

/// One row of a file whose rows are separate arrays.
Array row_of(const Array& whole, std::size_t row) {
  std::vector<float> data(whole.columns());
  for (std::size_t j = 0; j < data.size(); ++j) data[j] = static_cast<float>(whole.at(row, j));
  return Array({whole.columns()}, std::move(data));
}

/// Whether row `row` of the output contains the right values of row `other`.
bool holds_row(std::size_t row, std::size_t other, const Array& got, const Array& expected,
               const Tolerance& tolerance) {
  for (std::size_t j = 0; j < got.columns(); ++j)
    if (outside(got.at(row, j), expected.at(other, j), tolerance)) return false;
  return true;
}

/// The index of another row whose right values this row contains.
std::optional<std::size_t> array_held_by(std::size_t row, const Array& got, const Array& expected,
                                         const Tolerance& tolerance) {
  for (std::size_t other = 0; other < got.rows(); ++other)
    if (other != row && holds_row(row, other, got, expected, tolerance)) return other;
  return std::nullopt;
}

/// Two rows of a file that contain each other's values.
std::optional<std::pair<std::size_t, std::size_t>> swapped_arrays(const Array& got, const Array& expected,
                                                                  const Tolerance& tolerance) {
  for (std::size_t row = 0; row < got.rows(); ++row)
    if (const auto other = array_held_by(row, got, expected, tolerance);
        other && holds_row(*other, row, got, expected, tolerance))
      return std::pair{row, *other};
  return std::nullopt;
}

/// Names the wrong arrays of a file, and the pattern of the first.
void name_pattern_of_arrays(Mismatch& mismatch, const Array& got, const Array& expected,
                            const Tolerance& tolerance, const std::vector<bool>& wrong,
                            const std::vector<std::string>& names, const RunFacts& run) {
  std::vector<std::string> which, others;
  std::optional<Pattern> pattern;
  std::size_t which_row = 0;  // index of the first wrong array
  for (std::size_t row = 0; row < names.size(); ++row) {
    const auto begin = wrong.begin() + static_cast<std::ptrdiff_t>(row * got.columns());
    const std::vector<bool> mask(begin, begin + static_cast<std::ptrdiff_t>(got.columns()));
    const bool right = std::find(mask.begin(), mask.end(), true) == mask.end();
    (right ? others : which).push_back(names[row]);
    if (right || which.size() > 1) continue;
    which_row = row;
    const Array one = row_of(got, row), wanted = row_of(expected, row);
    ArrayEvidence evidence(one, wanted, {}, tolerance, mask);
    evidence.run = run;
    pattern = find_pattern(evidence);
  }
  const std::optional<std::size_t> source =
      which.size() == 1 ? array_held_by(which_row, got, expected, tolerance) : std::nullopt;
  if (source) {
    mismatch.pattern = "swapped-arrays";
    mismatch.explanation = fmt::format(
        "Only {0} is wrong: it holds the values of {1}. Is {1} computed, passed or copied "
        "where {0} belongs?",
        which[0], names[*source]);
  } else if (const auto swapped = swapped_arrays(got, expected, tolerance); others.empty() && swapped) {
    mismatch.pattern = "swapped-arrays";
    mismatch.explanation = fmt::format(
        "{0} and {1} are exchanged: {0} holds the values of {1}, and the other way round. Are they exchanged "
        "where they "
        "are computed (such as a sine for a cosine), in the arguments of a call, or in a copy?",
        names[swapped->first], names[swapped->second]);
  } else if (!others.empty()) {
    mismatch.pattern = pattern ? pattern->name : "one-array";
    mismatch.explanation = fmt::format(
        "Only {} {} wrong, {} {} right. {}", fmt::join(which, " and "), which.size() > 1 ? "are" : "is",
        fmt::join(others, " and "), others.size() > 1 ? "are" : "is",
        pattern ? pattern->explanation : "Look at what is computed for the one and not for the other.");
  } else if (pattern) {
    mismatch.pattern = pattern->name;
    mismatch.explanation = fmt::format("In {}: {}", which[0], pattern->explanation);
  }
}

std::vector<const Array*> pointers(const std::vector<Array>& arrays) {
  std::vector<const Array*> result;
  for (const Array& array : arrays) result.push_back(&array);
  return result;
}

/// The suspected rows to compute: the first rows if the sums are exact, else the worst rows and a few random ones.
std::vector<std::size_t> rows_to_compute(const SuspectRows& found, std::size_t rows, std::uint64_t seed) {
  std::vector<std::size_t> chosen = found.suspects;
  if (found.exact) {
    chosen.resize(std::min(chosen.size(), most_shown));
    return chosen;
  }
  chosen.resize(std::min<std::size_t>(chosen.size(), 32));
  std::mt19937_64 random(seed ^ 0x5bd1e995);
  for (int i = 0; i < 4 && rows > 0; ++i) chosen.push_back(random() % rows);
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// Compares the computed rows element by element, and stores the elements to show. @return the wrong rows
std::vector<std::size_t> confirm_rows(const Array& got, const Array& m, const Array& n,
                                      const Tolerance& tolerance, const std::vector<std::size_t>& rows,
                                      std::vector<WrongElement>& shown) {
  const auto expected = product_rows({m}, {n}, rows);
  std::vector<std::size_t> wrong;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t before = got.columns() * rows[r];
    bool row_wrong = false;
    for (std::size_t j = 0; j < got.columns(); ++j) {
      if (!outside(got[before + j], got.rounded(expected[r][j]), tolerance)) continue;
      row_wrong = true;
      if (shown.size() < most_shown)
        shown.push_back({{rows[r], j}, got.text_of(expected[r][j]), got.text(before + j)});
    }
    if (row_wrong) wrong.push_back(rows[r]);
  }
  return wrong;
}

void require_product(const Array& m, const Array& n) {
  if (m.shape().size() != 2 || n.shape().size() != 2 || m.columns() != n.rows())
    throw Error(ErrorKind::fault,
                fmt::format("The inputs {} and {} of a case with verify = \"freivalds\" can't be multiplied.",
                            lab::npy_shape_words(m.shape()), lab::npy_shape_words(n.shape())));
  if (!magnitude(m).finite || !magnitude(n).finite)
    throw Error(ErrorKind::fault, "The inputs of a case with verify = \"freivalds\" must be finite.");
}

}  // namespace

Verification verify_array(const fs::path& got_file, const fs::path& expected_file,
                          const Tolerance& case_tolerance, const std::vector<fs::path>& input_files,
                          const Comparison& how) {
  const RawFile trusted =
      how.layout ? read_trusted_raw(expected_file, *how.layout) : RawFile{{}, read_trusted(expected_file)};
  const Array& expected = trusted.array;
  const Tolerance tolerance = resolved(case_tolerance, expected);
  Verification result;
  try {
    const std::optional<Array> output = how.layout ? read_raw_output(got_file, trusted, *how.layout, result)
                                                   : read_output(got_file, expected, result);
    if (!output) return result;
    const Array& got = *output;
    std::vector<bool> wrong = wrong_elements(got, expected, tolerance);
    Mismatch mismatch;
    mismatch.total = how.sample ? leave_out(wrong, got, expected) : got.size();
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      if (!wrong[i]) continue;
      if (mismatch.wrong++ < most_shown)
        mismatch.first.push_back({got.coordinates(i), expected.text(i), got.text(i)});
    }
    result.right = mismatch.wrong == 0;
    if (result.right) return result;
    // A pattern is a statement about the whole array; a sample is not enough.
    if (how.layout && !how.layout->arrays.empty() && !how.sample) {
      name_pattern_of_arrays(mismatch, got, expected, tolerance, wrong, how.layout->arrays, how.run);
    } else if (!how.sample) {
      const std::vector<Array> inputs = readable_inputs(input_files);
      name_pattern(mismatch, ArrayEvidence(got, expected, pointers(inputs), tolerance, wrong), how.run);
    }
    result.mismatch = std::move(mismatch);
    result.wrong = std::move(wrong);
  } catch (const lab::NpyError& error) {
    result.problem = problem_of(error, got_file);
  }
  return result;
}

Verification verify_product(const fs::path& got_file, const std::vector<fs::path>& input_files,
                            const Tolerance& tolerance, std::uint64_t seed, int rounds, const RunFacts& run) {
  if (input_files.size() < 2)
    throw Error(ErrorKind::fault, "A case with verify = \"freivalds\" needs a lab with two inputs.");
  std::vector<Array> inputs;
  for (const fs::path& file : input_files) inputs.push_back(read_trusted(file));
  const Array &m = inputs[0], &n = inputs[1];
  require_product(m, n);
  Verification result;
  try {
    result.problem = header_problem(got_file, m.dtype(), {m.rows(), n.columns()});
    if (!result.problem.empty()) return result;
    const Array got = Array::read(got_file, lab::NpyLinks::refuse);
    Freivalds freivalds(got, m, n, tolerance, seed);
    const SuspectRows found = freivalds.suspect_rows(rounds);
    Mismatch mismatch;
    const std::vector<std::size_t> confirmed =
        confirm_rows(got, m, n, tolerance, rows_to_compute(found, got.rows(), seed), mismatch.first);
    result.right = confirmed.empty();
    if (result.right) return result;
    std::vector<std::size_t> wrong_rows = confirmed;
    wrong_rows.insert(wrong_rows.end(), found.certain.begin(), found.certain.end());
    std::sort(wrong_rows.begin(), wrong_rows.end());
    wrong_rows.erase(std::unique(wrong_rows.begin(), wrong_rows.end()), wrong_rows.end());
    mismatch.wrong = wrong_rows.size();
    mismatch.total = got.rows();
    name_pattern(mismatch,
                 ProductEvidence(got, pointers(inputs), tolerance, wrong_rows, freivalds.wrong_columns()),
                 run);
    result.mismatch = std::move(mismatch);
  } catch (const lab::NpyError& error) {
    result.problem = problem_of(error, got_file);
  }
  return result;
}

void explain_with_profile(Mismatch& mismatch, const Profile& profile, const std::vector<fs::path>& inputs,
                          const fs::path& output) {
  // Only the lab knows how much of a file in its own format goes to the device.
  const auto bytes = [](const fs::path& file, lab::NpyLinks links) -> std::uint64_t {
    if (!is_npy(file)) return 0;
    const lab::NpyHeader header = lab::read_npy_header(file.string(), links);
    return header.count * header.item_size;
  };
  // If another result, such as a transpose, was computed, the copies are right.
  static const std::set<std::string> symptoms = {
      "",     "unwritten", "nan",          "zeros",      "constant", "infinite",           "garbage",
      "tail", "rows-from", "columns-from", "edges-from", "box",      "accumulated-garbage"};
  // If no kernel ran, no other cause explains more.
  if (symptoms.count(mismatch.pattern) == 0 && !run_facts(profile).no_kernel) return;
  try {
    std::uint64_t input_bytes = 0;
    for (const fs::path& input : inputs) input_bytes += bytes(input, lab::NpyLinks::follow);
    const auto pattern = profile_pattern(profile, input_bytes, bytes(output, lab::NpyLinks::refuse));
    if (!pattern) return;
    mismatch.pattern = pattern->name;
    mismatch.explanation = pattern->explanation;
  } catch (const lab::NpyError&) {
    // If the sizes are unknown, the pattern of the values is kept.
  }
}

}  // namespace grader
