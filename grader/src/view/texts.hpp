/// @file
/// The texts of this folder's pages. The build embeds them into the program (cmake/KitRooms.cmake).
#pragma once

namespace grader {

extern const char* const kernel_html;
extern const char* const kernel_css;
extern const char* const kernel_draw_js;
extern const char* const kernel_grid_js;
extern const char* const kernel_js;
extern const char* const kernel_trace_js;
extern const char* const player_html;
extern const char* const player_css;
extern const char* const player_js;

}  // namespace grader
