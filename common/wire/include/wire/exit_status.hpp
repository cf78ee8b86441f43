/// @file
/// An exit status of emucc that no source can cause, because compilers and linkers exit with other values.
#pragma once

namespace kit_wire {

/// A program that emucc needs was killed from outside (SIGKILL); the same command may succeed later.
constexpr int killed_from_outside = 75;  // EX_TEMPFAIL of <sysexits.h>

}  // namespace kit_wire
