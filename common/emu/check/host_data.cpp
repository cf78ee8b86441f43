// Finds kernels that read the host's constants or tables of virtual functions. On a GPU each side has its own ones.
// In the emulation both sides share them, so the launch's arguments and the objects decide to which side they belong.
#include <algorithm>
#include <cstring>

#include "checker.hpp"
#include "source.hpp"

namespace cuemu::check {

namespace {

/// Whether any word of the arguments that the host passed to a kernel satisfies `fits`. The arguments of a
/// grid that a kernel launched are not examined, since they may be device data.
template <class Fits>
bool is_given(const LaunchView& launch, const Fits& fits) {
  const auto* const words = static_cast<const std::uintptr_t*>(launch.closure);
  const std::size_t count = launch.is_child ? 0 : launch.kernel->closure_bytes / sizeof *words;
  return std::any_of(words, words + count,
                     [&](std::uintptr_t word) { return fits(turned_back(word).address); });
}

bool is_table(const Variable& variable) {
  return variable.name.rfind("vtable for ", 0) == 0;
}

}  // namespace

/// Handles a read of a constant. False if the constant is the host's.
bool Checker::read_constant(BlockState& state, std::uintptr_t address, std::size_t size, unsigned kind,
                            const void* pc) {
  if (size == sizeof(void*)) {  // looking up a symbol is slow
    const Variable& table = variable_at(reinterpret_cast<const void*>(address));
    if (is_table(table)) {
      use_table(state, table, last_pointer_read_, pc);
      return true;
    }
  }
  return !is_the_hosts_constant(*state.launch, address, size, pc) ||
         stray(state, address, size, kind, pc, Stray::Where::constant);
}

void Checker::table_asked_for(std::uintptr_t object, const void* pc) {
  BlockState* const state = running_block();
  if (state == nullptr) return;
  const Uninterrupted whole(*current_fiber);
  if (!may_be_mistaken(reads, pc)) return;
  const Region* const region = map_.at(object);
  const bool is_good = region != nullptr ? !region->retired() && region->contains(object, sizeof(void*))
                                         : state->is_private(*current_fiber, object);
  if (!is_good) return;
  use_table(*state, variable_at(*reinterpret_cast<const void* const*>(object)), object, pc);
}

void Checker::object_made(std::uintptr_t table) {
  if (running_block() == nullptr) return;
  const Uninterrupted whole(*current_fiber);
  tables_of_kernels_.insert(table);
}

/// An object that the host has made points to the host's table, even after a copy to the device. In the emulation
/// both sides share one table. So an object counts as the host's if no kernel has written to it or made an object of
/// its class.
void Checker::use_table(BlockState& state, const Variable& table, std::uintptr_t object, const void* pc) {
  const auto leads_there = [&](std::uintptr_t word) { return word >= table.begin && word < table.end; };
  const auto report_to_rules = [&](const Region* region) {
    const HostObject event{state, region, site_of(pc)};
    for (const RulePtr& rule : rules_) rule->used_object_of_host(event);
  };
  if (is_given(*state.launch, leads_there)) return report_to_rules(nullptr);
  Region* const region = map_.at(object);
  if (region == nullptr || region->retired() || region->of_runtime ||
      !region->contains(object, sizeof(void*)) || !unwatched_.empty())
    return;
  const auto pointer = *reinterpret_cast<const std::uintptr_t*>(object);
  if (!leads_there(pointer) || tables_of_kernels_.count(pointer) != 0) return;
  std::unique_lock<std::mutex> lock(host_memory_, std::defer_lock);
  if (region->for_host()) lock.lock();
  const Mark written = region->at(object).write;
  if (lock.owns_lock()) lock.unlock();
  if (written.epoch() <= Epochs::outside_kernels ||
      Timeline::get().era(written.stamp().era).doing != Doing::kernel)
    report_to_rules(region);
}

HostPointer Checker::last_pointer_of_host() {
  Region* const region = map_.at(last_pointer_read_);
  if (region == nullptr || region->retired() || !region->contains(last_pointer_read_, sizeof(void*)) ||
      !unwatched_.empty())
    return {};
  std::unique_lock<std::mutex> lock(host_memory_, std::defer_lock);
  if (region->for_host()) lock.lock();
  const Mark written = region->at(last_pointer_read_).write;
  const bool by_host = (region->from_host || region->for_host()) &&
                       (written.epoch() <= Epochs::outside_kernels ||
                        Timeline::get().era(written.stamp().era).doing != Doing::kernel);
  return by_host ? HostPointer{region, *reinterpret_cast<const std::uintptr_t*>(last_pointer_read_)}
                 : HostPointer{};
}

const Region* Checker::holder_of_pointer(const LaunchView& launch, std::uintptr_t address) {
  constexpr std::uintptr_t near = 64 * 1024;
  const auto leads_there = [&](std::uintptr_t pointer) { return address - pointer < near; };
  const HostPointer last = last_pointer_of_host();
  return leads_there(last.value) && !is_given(launch, leads_there) ? last.holder : nullptr;
}

bool Checker::is_the_hosts_variable(const LaunchView& launch, std::uintptr_t address) {
  const Variable& variable = variable_at(reinterpret_cast<const void*>(address));
  const auto leads_there = [&](std::uintptr_t word) { return word >= variable.begin && word < variable.end; };
  return !variable.name.empty() &&
         (is_given(launch, leads_there) || leads_there(last_pointer_of_host().value));
}

/// Whether a constant is the host's. Constants of host and device code are mixed in memory. A constant is the
/// host's if the kernel received its address as an argument, or read the address where the host had stored
/// it.
bool Checker::is_the_hosts_constant(const LaunchView& launch, std::uintptr_t address, std::size_t size,
                                    const void* pc) {
  constexpr std::uintptr_t longest_string = 4096;
  const auto leads_there = [&](std::uintptr_t given) {
    if (given > address || !sites_.is_constant(given, pc)) return false;
    const auto* const begin = reinterpret_cast<const char*>(given);
    const Variable& variable = variable_at(begin);
    if (!variable.name.empty())
      return address < variable.end && !is_table(variable) && !in_variable_template(begin);
    // Literals have no symbols.
    return address == given || (size == 1 && address - given < longest_string &&
                                std::memchr(begin, 0, address - given) == nullptr);
  };
  return is_given(launch, leads_there) || leads_there(last_pointer_of_host().value);
}

}  // namespace cuemu::check
