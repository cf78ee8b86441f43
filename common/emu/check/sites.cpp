#include "sites.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <mutex>

#include "own_code.hpp"
#include "services.hpp"
#include "shadow.hpp"
#include "source.hpp"

namespace cuemu::check {

namespace {

struct KnownSite {
  const void* pc;
  Code code;
};
/// By site.
std::deque<KnownSite>& known_sites() {
  static auto* const all = new std::deque<KnownSite>{{nullptr, Code::foreign}};
  return *all;
}
std::mutex& sites_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

}  // namespace

Code code_at(const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(pc);
  if (at < own_code().begin || at >= own_code().code_end || !line_of(pc).known()) return Code::foreign;
  return is_direct(pc) ? Code::users_own : Code::inlined;
}

const void* address_of(Site site) {
  const std::lock_guard<std::mutex> lock(sites_mutex());
  return known_sites()[site].pc;
}
Code code_of(Site site) {
  const std::lock_guard<std::mutex> lock(sites_mutex());
  return known_sites()[site].code;
}

namespace {

std::array<std::atomic<bool>, most_sites + 1> volatile_sites{};

}  // namespace

void note_volatile(Site site) {
  volatile_sites[site].store(true, std::memory_order_relaxed);
}
bool is_volatile_at(Site site) {
  return volatile_sites[site].load(std::memory_order_relaxed);
}

Sites::Sites()
    : begin_(own_code().begin),
      bytes_(own_code().code_end - begin_),
      by_offset_(static_cast<std::uint32_t*>(std::calloc(bytes_, sizeof(std::uint32_t)))) {
  if (by_offset_ == nullptr) fatal("no memory is left for the checker");
}

Site Sites::find(const void* pc) {
  const Code code = code_at(pc);
  Site site = foreign;
  if (code != Code::foreign) {
    const std::lock_guard<std::mutex> lock(sites_mutex());
    std::deque<KnownSite>& all = known_sites();
    if (all.size() <= most_sites) all.push_back({pc, code});
    site = static_cast<Site>(all.size() - 1);  // more than all of these: one stands for the rest
  }
  by_offset_[reinterpret_cast<std::uintptr_t>(pc) - begin_] =
      (site + 1) | (code == Code::users_own ? own : 0);
  return site;
}

}  // namespace cuemu::check
