#include "base/sha256.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"

namespace grader {
namespace {

// Test vectors of FIPS 180-4 and of the NIST test suite.
TEST(Sha256, KnownDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Near the end of a block, the padding takes one block or two.
TEST(Sha256, PaddingAtTheEndOfABlock) {
  EXPECT_EQ(sha256_hex(std::string(55, '\0')),
            "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7");
  EXPECT_EQ(sha256_hex(std::string(56, '\0')),
            "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb");
  EXPECT_EQ(sha256_hex(std::string(64, '\0')),
            "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
}

TEST(Sha256, PiecesGiveTheDigestOfTheWhole) {
  for (std::size_t length = 0; length < 200; ++length) {
    std::string text;
    Sha256 pieces;
    for (std::size_t i = 0; i < length; ++i) {
      text += static_cast<char>(i * 7);
      pieces.update({&text.back(), 1});
    }
    EXPECT_EQ(pieces.hex_digest(), sha256_hex(text)) << length;
  }
}

TEST(Sha256, FilesAreReadWhole) {
  const std::string file = testing::TempDir() + "sha256_test.bin";
  const std::string bytes(1000003, '\x93');
  std::ofstream(file, std::ios::binary) << bytes;
  EXPECT_EQ(sha256_file(file), sha256_hex(bytes));
  std::filesystem::remove(file);
}

TEST(Sha256, OtherEntriesAreNamed) {
  try {
    sha256_file("/no/such/file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment);
    EXPECT_NE(std::string(error.what()).find("/no/such/file"), std::string::npos);
  }
  EXPECT_THROW(sha256_file("/dev/zero"), Error);
}

}  // namespace
}  // namespace grader
