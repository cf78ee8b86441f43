/// @file
/// The page that plays a film: one HTML file that holds all it needs, and asks no network for anything.
#pragma once
#include "view/film.hpp"

namespace grader {

/// Stands at the head of each page, so that a later one may take its place.
inline constexpr const char* page_maker = "<meta name=generator content=\"CUDA Lab Kit: grader view\">";
/// So it stands in stills, which are SVG.
inline constexpr const char* still_maker = "<metadata>Made by grader view ";

/// @param title, about text of others: what is played, and where it comes from
std::string film_page(const Film& film, const std::string& title, const std::string& about);

/// Refuses a place where no page can go, before any work is done for it: a folder that is not there, which is a slip of the
/// hand more often than a wish, and a file that is there and was not made here, unless it may be replaced.
/// @throws Error (usage)
void need_page_place(const fs::path& file, bool replace);

/// Writes it. A file that is there and was not made here stays, unless it may be replaced.
/// @throws Error (usage) as need_page_place(), (environment)
void write_page(const fs::path& file, const std::string& page, bool replace);

}  // namespace grader
