/// @file
/// The page that plays a film: one self-contained HTML file, which uses no network.
#pragma once
#include "view/film.hpp"

namespace grader {

/// In the head of each page, so that a later page may replace it.
inline constexpr const char* page_maker = "<meta name=generator content=\"CUDA Lab Kit: grader view\">";
/// The same for stills, which are SVG.
inline constexpr const char* still_maker = "<metadata>Made by grader view ";

/// @param title, about foreign text: the film's name and its origin
std::string film_page(const Film& film, const std::string& title, const std::string& about);

/// Rejects a place where no page may be written, before any work is done: a missing folder, which is usually a typing
/// error, and an existing file that this program did not make, unless it may be replaced.
/// @throws Error (usage)
void need_page_place(const fs::path& file, bool replace);

/// Writes the page. An existing file that this program did not make is kept, unless it may be replaced.
/// @throws Error (usage) as need_page_place(), (environment)
void write_page(const fs::path& file, const std::string& page, bool replace);

}  // namespace grader
