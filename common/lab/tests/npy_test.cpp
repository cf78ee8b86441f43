// Tests array files: NumPy's files can be read, files are written as NumPy would write them, and every damage is
// reported in one sentence.
#include "lab/npy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Npy : public testing::Test {
 protected:
  Npy() {
    std::string pattern = testing::TempDir() + "npyXXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Npy() override { std::system(("rm -rf '" + folder_ + "'").c_str()); }

  std::string path(const std::string& name = "a.npy") const { return folder_ + "/" + name; }

  std::string write_bytes(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
    return path();
  }

  static std::string bytes_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  /// A version 1.0 file with this dictionary, unpadded, and `data_bytes` zero bytes of data.
  static std::string file_with(const std::string& dictionary, std::size_t data_bytes) {
    std::string bytes("\x93NUMPY\1\0", 8);
    bytes += static_cast<char>(dictionary.size() & 0xff);
    bytes += static_cast<char>(dictionary.size() >> 8);
    return bytes + dictionary + std::string(data_bytes, '\0');
  }

  /// Reads the file as float. Returns the error's sentence without the file's name; empty if the file can be read.
  template <class T = float>
  std::string problem(const std::string& file, int rank = -1,
                      lab::NpyLinks links = lab::NpyLinks::follow) const {
    try {
      lab::read_npy<T>(file, rank, links);
      return {};
    } catch (const lab::NpyError& error) {
      EXPECT_THAT(error.what(), StartsWith(file + ": "));
      return std::string(error.what()).substr(file.size() + 2);
    }
  }
  std::string problem_of_bytes(const std::string& bytes) const { return problem(write_bytes(bytes)); }

  std::string folder_;
};

template <class T>
void round_trip(const std::string& path, const char* dtype) {
  const std::vector<T> values = {static_cast<T>(1), static_cast<T>(-1), static_cast<T>(100), 0, 7, 8};
  lab::write_npy(path, {2, 3}, values.data());
  const auto array = lab::read_npy<T>(path);
  EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(array.data, values);
  EXPECT_EQ(lab::read_npy_header(path).dtype, dtype);
}

TEST_F(Npy, EveryTypeComesBackAsItWent) {
  round_trip<float>(path(), "<f4");
  round_trip<double>(path(), "<f8");
  round_trip<std::int8_t>(path(), "|i1");
  round_trip<std::uint8_t>(path(), "|u1");
  round_trip<std::int16_t>(path(), "<i2");
  round_trip<std::uint16_t>(path(), "<u2");
  round_trip<std::int32_t>(path(), "<i4");
  round_trip<std::uint32_t>(path(), "<u4");
  round_trip<std::int64_t>(path(), "<i8");
  round_trip<std::uint64_t>(path(), "<u8");
  round_trip<long long>(path(), "<i8");
}

TEST_F(Npy, HalfComesBackAsBits) {
  const lab::NpyHalf one{0x3c00};
  lab::write_npy(path(), {}, &one);
  EXPECT_EQ(lab::read_npy<lab::NpyHalf>(path()).data[0].bits, 0x3c00);
}

// numpy.save wrote the expected bytes for the same arrays (NumPy 1.24).
TEST_F(Npy, WritesTheBytesThatNumpyWrites) {
  const std::uint32_t values[6] = {1, 2, 3, 4, 5, 6};
  lab::write_npy(path(), {2, 3}, values);
  std::string expected("\x93NUMPY\1\0\x76\0", 10);
  expected += "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 3), }";
  expected += std::string(128 - expected.size() - 1, ' ') + "\n";
  expected.append(reinterpret_cast<const char*>(values), sizeof(values));
  EXPECT_EQ(bytes_of(path()), expected);
}

TEST_F(Npy, HeadersOfEveryRankEndAtAMultipleOf64) {
  const float value = 1;
  for (std::size_t rank = 0; rank <= 32; ++rank) {
    lab::write_npy(path(), std::vector<std::size_t>(rank, 1), &value);
    const lab::NpyHeader header = lab::read_npy_header(path());
    EXPECT_EQ(header.data_offset % 64, 0u) << rank;
    EXPECT_EQ(header.shape.size(), rank);
  }
}

TEST_F(Npy, ReadsAnEmptyArrayAndASingleNumber) {
  lab::write_npy<float>(path(), {0, 4}, nullptr);
  EXPECT_EQ(lab::read_npy<float>(path()).size(), 0u);
  const double number = 2.5;
  lab::write_npy(path(), {}, &number);
  const auto array = lab::read_npy<double>(path(), 0);
  EXPECT_EQ(array.data, std::vector<double>{2.5});
}

TEST_F(Npy, ReadsVersion2AndLooseSpacing) {
  const std::string dictionary = "{ \"shape\":(2,) ,'fortran_order':False,'descr':'<f4'}\n";
  std::string bytes("\x93NUMPY\2\0", 8);
  bytes += static_cast<char>(dictionary.size());
  bytes += std::string(3, '\0') + dictionary + std::string(8, '\0');
  EXPECT_EQ(problem_of_bytes(bytes), "");
}

TEST_F(Npy, SaysWhatIsNotAnArrayFile) {
  EXPECT_THAT(problem(path("missing.npy")), HasSubstr("there is no such file"));
  EXPECT_THAT(problem(folder_), HasSubstr("found a folder"));
  EXPECT_THAT(problem_of_bytes(""), HasSubstr("found an empty file"));
  EXPECT_THAT(problem_of_bytes("1 2 3 4 5 6 7 8 9"), HasSubstr("doesn't begin as one"));
  EXPECT_THAT(problem_of_bytes("\x93NUM"), HasSubstr("doesn't begin as one"));
}

TEST_F(Npy, APipeOrADeviceNeitherHangsNorReads) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(problem(path("pipe")), HasSubstr("found a pipe"));
  EXPECT_THAT(problem("/dev/zero"), HasSubstr("found a device"));
}

TEST_F(Npy, ALinkIsFollowedOnlyWhereThatIsWanted) {
  const float value = 1;
  lab::write_npy(path(), {1}, &value);
  ASSERT_EQ(::symlink(path().c_str(), path("link").c_str()), 0);
  EXPECT_EQ(problem(path("link")), "");
  EXPECT_THAT(problem(path("link"), -1, lab::NpyLinks::refuse), HasSubstr("found a symbolic link"));
  EXPECT_EQ(problem(path(), -1, lab::NpyLinks::refuse), "");
}

TEST_F(Npy, AnUnreadableFileIsNamed) {
  const float value = 1;
  lab::write_npy(path(), {1}, &value);
  ASSERT_EQ(::chmod(path().c_str(), 0), 0);
  ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
  const uid_t user = ::geteuid();
  if (user == 0) {  // root reads every file
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const std::string what = problem(path());
  ASSERT_EQ(::seteuid(user), 0);
  EXPECT_THAT(what, HasSubstr("Permission denied"));
}

TEST_F(Npy, EveryTruncationIsFound) {
  const std::vector<float> values(12, 1.f);
  lab::write_npy(path(), {3, 4}, values.data());
  const std::string whole = bytes_of(path());
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(problem_of_bytes(whole.substr(0, length)), "") << length << " bytes";
  EXPECT_THAT(problem_of_bytes(whole.substr(0, whole.size() - 1)),
              AllOf(HasSubstr("truncated"),
                    HasSubstr("expected 48 bytes for shape (3, 4) of float32 (<f4), found 47")));
  EXPECT_THAT(problem_of_bytes(whole.substr(0, 20)),
              HasSubstr("header is truncated: expected 128 bytes, found 20"));
  EXPECT_THAT(problem_of_bytes(whole + "x"), AllOf(HasSubstr("bytes after its data"), HasSubstr("found 49")));
}

TEST_F(Npy, SaysWhatTypeOrderAndRankItExpected) {
  const double values[4] = {};
  lab::write_npy(path(), {4}, values);
  EXPECT_THAT(problem(path()), HasSubstr("expected elements of type float32 (<f4), found float64 (<f8)"));
  EXPECT_THAT(problem<double>(path(), 2), HasSubstr("expected an array of 2 dimensions, found shape (4,)"));
  EXPECT_THAT(
      problem_of_bytes(file_with("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", 4)),
      HasSubstr(
          "expected little-endian integers or floating-point numbers, found dtype float32 big-endian (>f4)"));
  EXPECT_THAT(problem_of_bytes(file_with("{'descr': '<f4', 'fortran_order': True, 'shape': (1,2)}", 8)),
              HasSubstr("found Fortran order"));
  EXPECT_THAT(problem_of_bytes(file_with("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", 8)),
              HasSubstr("dtype '|O'"));
}

TEST_F(Npy, OneDimensionHasNoOrder) {
  EXPECT_EQ(problem_of_bytes(file_with("{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}", 8)), "");
}

TEST_F(Npy, HostileHeadersAreRefused) {
  const auto shape = [](const std::string& text) {
    return file_with("{'descr': '<f4', 'fortran_order': False, 'shape': " + text + ", }\n", 4);
  };
  EXPECT_EQ(problem_of_bytes(shape("(1,)")), "");
  EXPECT_THAT(problem_of_bytes(shape("(-1,)")), HasSubstr("a whole number from 0 up"));
  EXPECT_THAT(problem_of_bytes(shape("(1.5,)")), HasSubstr("expected ',' or ')'"));
  EXPECT_THAT(problem_of_bytes(shape("1")), HasSubstr("expected '('"));
  EXPECT_THAT(problem_of_bytes(shape("(4294967296, 4294967296)")), HasSubstr("more elements than fit"));
  EXPECT_THAT(problem_of_bytes(shape("(4611686018427387904,)")), HasSubstr("more elements than fit"));
  EXPECT_THAT(problem_of_bytes(shape("(99999999999999999999999,)")), HasSubstr("fits 64 bits"));
  EXPECT_THAT(problem_of_bytes(shape("(0, 9223372036854775807, 9223372036854775807)")),
              HasSubstr("bytes after its data"));
  std::string deep = "(";
  for (int i = 0; i < 10000; ++i) deep += "1,";
  EXPECT_THAT(problem_of_bytes(shape(deep + ")")), HasSubstr("at most 64 dimensions"));
  for (const char* dictionary :
       {"", "{", "{}", "{'descr'", "{'descr': ", "{'descr': '<f4'}", "{'descr': '<f4", "[1, 2]", "{'x': 1}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} + 1",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,"})
    EXPECT_THAT(problem_of_bytes(file_with(dictionary, 4)), HasSubstr("header is damaged")) << dictionary;
}

TEST_F(Npy, AHeaderOfManyBytesIsRefusedBeforeItIsRead) {
  EXPECT_THAT(problem_of_bytes(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)),
              HasSubstr("expected at most 1 MiB"));
}

TEST_F(Npy, AnUnknownVersionIsNamed) {
  EXPECT_THAT(problem_of_bytes(std::string("\x93NUMPY\x9\0\0\0", 10)), HasSubstr("found 9.0"));
}

TEST_F(Npy, AFullDiskIsReportedAndTheDeviceStays) {
  const std::vector<float> values(100000, 1.f);
  try {
    lab::write_npy("/dev/full", {values.size()}, values.data());
    FAIL() << "expected an error";
  } catch (const lab::NpyError& error) {
    EXPECT_THAT(error.what(), HasSubstr("No space left on device"));
  }
  struct stat status;
  EXPECT_EQ(::stat("/dev/full", &status), 0);
}

TEST_F(Npy, AVectorOfAnotherSizeThanItsShapeIsRefused) {
  EXPECT_THROW(lab::write_npy(path(), {2, 2}, std::vector<float>(3)), lab::NpyError);
  lab::write_npy(path(), {2, 2}, std::vector<float>(4));
  EXPECT_EQ(lab::read_npy<float>(path(), 2).size(), 4u);
}

TEST_F(Npy, AMissingFolderIsReported) {
  const float value = 1;
  EXPECT_THROW(lab::write_npy(path("no/such/folder.npy"), {1}, &value), lab::NpyError);
}

}  // namespace
