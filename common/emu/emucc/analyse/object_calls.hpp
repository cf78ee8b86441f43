/// @file
/// Finds functions of objects that are called on the wrong side: member functions, constructors, destructors
/// and operators of the host in device code, and those of the device in host code. Also finds virtual
/// functions that override a function of another side.
///
/// The objects' classes must be declared in the user's text. No overload is chosen here: if a call may call
/// one of several functions, it is an error only if all of them are of the wrong side. Objects of unknown
/// classes are ignored.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

Findings check_object_calls(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
