/// @file
/// Finds functions that are called for objects on the wrong side: the host's member functions, constructors,
/// destructors and operators in device code, and the device's functions in host code. Also finds virtual functions
/// that override a function of another side.
///
/// The objects' classes must be declared in the user's text. If a call may call one of several functions, an error
/// requires that all of them are of the wrong side, since no overload is chosen here. Objects of unknown class are
/// ignored.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

Findings check_object_calls(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
