#include "sites.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <mutex>
#include <optional>

#include "services.hpp"
#include "shadow.hpp"
#include "source.hpp"

namespace cuemu::check {

namespace {

/// The code addresses of the known sites, indexed by their numbers.
std::deque<const void*>& known_sites() {
  static auto* const all = new std::deque<const void*>{nullptr};
  return *all;
}
std::mutex& sites_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

}  // namespace

Code code_at(const void* pc) {
  if (!line_of(pc).known()) return Code::foreign;
  return is_direct(pc) ? Code::users_own : Code::inlined;
}

const void* address_of(Site site) {
  const std::lock_guard<std::mutex> lock(sites_mutex());
  return known_sites()[site];
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

Sites::Sites() : first_(table_for(own_code())) {}

Sites::Table Sites::table_for(const OwnCode& code) {
  auto* const entries =
      static_cast<std::uint32_t*>(std::calloc(code.code_end - code.begin, sizeof(std::uint32_t)));
  if (entries == nullptr) fatal("no memory is left for the checker");
  return {code, entries};
}

const Sites::Table* Sites::table_elsewhere(const void* pc) const {
  for (const auto& each : others_) {
    const Table* const table = each.load(std::memory_order_acquire);
    if (table == nullptr || table->has(pc)) return table;
  }
  return nullptr;
}

std::uint32_t* Sites::entry_elsewhere(const void* pc) const {
  const Table* const table = table_elsewhere(pc);
  return table != nullptr ? table->entry(pc) : nullptr;
}

bool Sites::is_constant(std::uintptr_t address, const void* pc) const {
  const auto has = [&](const OwnCode& code) { return address >= code.begin && address < code.variables; };
  if (has(first_.code)) return true;
  const Table* const other = first_.has(pc) ? nullptr : table_elsewhere(pc);
  return other != nullptr && has(other->code);
}

Site Sites::find(const void* pc) {
  const Busy busy;  // the linker may choose the program's copy of a template, which is instrumented
  const Code code = code_at(pc);
  const std::lock_guard<std::mutex> lock(sites_mutex());
  std::uint32_t* entry = entry_of(pc);
  if (entry == nullptr) {
    const std::optional<OwnCode> object = object_with(pc);
    const auto end = std::find_if(std::begin(others_), std::end(others_) - 1,
                                  [](const auto& each) { return each.load() == nullptr; });
    if (!object || end == std::end(others_) - 1) return foreign;
    const auto* const table = new Table(table_for(*object));
    end->store(table, std::memory_order_release);
    entry = table->entry(pc);
  }
  Site site = foreign;
  if (code != Code::foreign) {
    std::deque<const void*>& all = known_sites();
    if (all.size() <= most_sites) all.push_back(pc);
    site = static_cast<Site>(all.size() - 1);  // beyond the limit one site represents all other places
  }
  *entry = (site + 1) | (code == Code::users_own ? own : 0);
  return site;
}

}  // namespace cuemu::check
