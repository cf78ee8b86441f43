/// @file
/// Carries out a command line: preprocess, translate, compile and link, several files at once.
#pragma once
#include "driver/options.hpp"

namespace emucc {

/// @return exit status: 0, or 1 after messages on standard error
/// @throws UsageError
int drive(const Options& options);

}  // namespace emucc
