/// @file
/// Finds what is called for an object on the wrong side: member functions, constructors, destructors and operators of the
/// host in device code, and those of the device in host code; and virtual functions that override one of another side.
///
/// Objects are of the classes that the user's own text declares. Where one of several functions may be called, all must be
/// of the wrong side: no overload is chosen here. Nothing is said of objects whose class is not known.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

Findings check_object_calls(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
