/// @file
/// Makes the page that plays a film: one self-contained HTML file, which uses no network.
#pragma once
#include "view/film.hpp"

namespace grader {

/// Marks the head of each page, to show that a later page may replace it.
inline constexpr const char* page_maker = "<meta name=generator content=\"CUDA Lab Kit: grader view\">";
/// The same mark for still images, which are SVG files.
inline constexpr const char* still_maker = "<metadata>Made by grader view ";

/// @param title, about the film's name and where it comes from, both of which may be text from students
std::string film_page(const Film& film, const std::string& title, const std::string& about);

/// Refuses, before any work is done, a place where no page may be written: a missing folder, which is usually
/// a typing error, or an existing file that this program did not make, unless it may be replaced.
/// @throws Error (usage)
void need_page_place(const fs::path& file, bool replace);

/// Writes the page. An existing file that this program did not make is kept, unless it may be replaced.
/// @throws Error (usage) under the same conditions as need_page_place(); (environment) when the file can't be written
void write_page(const fs::path& file, const std::string& page, bool replace);

}  // namespace grader
