/// @file
/// The page that plays a film: one HTML file that holds all it needs, and asks no network for anything.
#pragma once
#include "view/film.hpp"

namespace grader {

/// Stands at the head of each page, so that a later one may take its place.
inline constexpr const char* page_maker = "<meta name=generator content=\"CUDA Lab Kit: grader view\">";

/// @param title, about text of others: what is played, and where it comes from
std::string film_page(const Film& film, const std::string& title, const std::string& about);

/// Writes it. A file that is there and was not made here stays, unless it may be replaced.
/// @throws Error (usage, environment)
void write_page(const fs::path& file, const std::string& page, bool replace);

}  // namespace grader
