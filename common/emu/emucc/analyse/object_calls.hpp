/// @file
/// Finds functions called for objects on the wrong side: the host's member functions, constructors, destructors and
/// operators in device code, and the device's in host code. Also finds virtual functions that override a function of
/// another side.
///
/// The objects' classes must be declared in the user's text. If one of several functions may be called, all must be
/// of the wrong side: no overload is chosen here. Objects of unknown class are ignored.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

Findings check_object_calls(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
