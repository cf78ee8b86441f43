#include "search.h"
#include <cctype>
#include <fstream>
#include <iostream>
#include <iterator>
#include <unistd.h>

int main(int argc, char** argv)
{
    bool ignore_case = false;
    for (int c; (c = getopt(argc, argv, "i")) != -1;)
        if (c == 'i') ignore_case = true;
        else return 2;
    std::ifstream in(argv[optind]);
    if (!in) { std::cerr << "cannot read " << argv[optind] << std::endl; return 2; }
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::string folded = text;
    for (char& c : folded) c = std::tolower(c);
    int failures = 0;
    for (int i = optind + 1; i < argc; ++i) {
        std::vector<int> expected;
        for (size_t at = (ignore_case ? folded : text).find(argv[i]); at != std::string::npos; at = (ignore_case ? folded : text).find(argv[i], at + 1))
            expected.push_back((int)at);
        const auto a = search_naive(text, argv[i], ignore_case), b = search_kmp(text, argv[i], ignore_case);
        const bool ok = a == expected && b == expected;
        std::cout << '"' << argv[i] << "\": " << a.size() << " matches" << (a.empty() ? "" : ", first at " + std::to_string(a[0])) << (ok ? "" : " WRONG") << "\n";
        failures += !ok;
    }
    return failures;
}
