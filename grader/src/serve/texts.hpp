/// @file
/// The page's files, which the build embeds into the program (cmake/KitRooms.cmake).
#pragma once

namespace grader {

extern const char* const workbench_html;
extern const char* const workbench_css;
extern const char* const workbench_js;
extern const char* const workbench_api_js;
extern const char* const workbench_editor_js;
extern const char* const workbench_handout_js;
extern const char* const workbench_verdict_js;
extern const char* const workbench_views_js;
extern const char* const class_html;
extern const char* const class_css;
extern const char* const class_js;

}  // namespace grader
