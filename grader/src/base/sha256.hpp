/// @file
/// SHA-256 (FIPS 180-4) of memory and files. It makes the keys of cached builds and of submissions, and
/// proves that gold files are undamaged.
///
/// The kit has its own implementation, some eighty lines that need no changes. A crypto library would be a
/// dependency on every machine, and would add megabytes to the portable program. Its speed is not needed,
/// since gold files are a few MiB.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace grader {

/// Computes the digest of bytes that are passed in pieces.
class Sha256 {
 public:
  Sha256& update(std::string_view bytes);

  /// Ends the message. @return 64 lower-case hexadecimal digits. The object must not be used afterwards.
  std::string hex_digest();

 private:
  void process(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};  ///< bytes of an incomplete block
  std::uint64_t length_ = 0;                 ///< bytes so far
};

/// The digest of some bytes, as 64 lower-case hexadecimal digits.
std::string sha256_hex(const std::string& bytes);

/// @throws Error (environment) when the path is not a regular file or can't be read
std::string sha256_file(const std::filesystem::path& file);

}  // namespace grader
