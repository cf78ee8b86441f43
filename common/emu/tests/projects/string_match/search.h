#pragma once
#include <vector>
#include <string>
#define MAX_PATTERN 64
std::vector<int> search_naive(const std::string& text, const std::string& pattern, bool ignore_case);
std::vector<int> search_kmp(const std::string& text, const std::string& pattern, bool ignore_case);
