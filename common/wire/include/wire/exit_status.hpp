/// @file
/// An exit status of emucc that a source can't cause: compilers and linkers end with other ones.
#pragma once

namespace kit_wire {

/// A program that emucc needs was killed from outside (SIGKILL). The same command may succeed later.
constexpr int killed_from_outside = 75;  // EX_TEMPFAIL of <sysexits.h>

}  // namespace kit_wire
