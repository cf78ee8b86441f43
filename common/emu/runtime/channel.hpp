// The channel to the grader that started the program (LAB_PROFILE=fd:N): a socket that nobody can open by a name. The
// grader says first what it wants to know; a program tells by neither its environment nor its arguments whether it is
// checked. Lines carry seals (common/profile's line_seal.hpp).
#pragma once

#include <string>

namespace cuemu {

/// Whether a grader listens.
bool has_channel();

/// Tells it a line, which holds no line break.
void tell_channel(const std::string& line);

/// Tells it a whole JSON text, whose strings hold no line break, as a line of this kind. Nothing where nobody listens.
void tell_report(const char* kind, std::string json);

/// What the grader said under this name, else the environment; null: neither. Lives as long as the program.
const char* setting(const char* name);

}  // namespace cuemu
