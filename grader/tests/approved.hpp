/// @file
/// Compares terminal texts with texts that a person has read and approved: approved/<name>.txt.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/columns.hpp"
#include "base/terminal.hpp"
#include "grader_runner.hpp"

namespace grader::testing {

/// Compares a text with the approved text, which is at most 80 columns wide. With KIT_APPROVE=1, the new text
/// replaces it. Read the new text before you commit it.
inline void expect_approved(const std::string& name, const std::string& text) {
  const std::string file = KIT_SOURCE_DIR "/grader/tests/approved/" + name + ".txt";
  if (const char* approve = std::getenv("KIT_APPROVE"); approve != nullptr && std::string(approve) == "1")
    write_file(file, text);
  EXPECT_EQ(text, read_file(file)) << "when the change is meant: KIT_APPROVE=1, and read " << file;
  for (const std::string& line : split_lines(text)) EXPECT_LE(display_width(line), 80) << line;
}

}  // namespace grader::testing
