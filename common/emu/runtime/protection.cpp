#include "protection.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

#include "memory.hpp"

namespace cuemu {

namespace {

enum class Method { none, keys, pages };

struct Protection {
  Method method = Method::none;
  int key = -1;
};

const Protection& protection() {
  static const Protection chosen = [] {
    Protection result;
    const char* const wish = std::getenv("CUEMU_PROTECT");
    if (wish != nullptr && std::strcmp(wish, "0") == 0) return result;
    result.method = Method::pages;
#if defined(__x86_64__)
    if (wish != nullptr && std::strcmp(wish, "pages") == 0) return result;
    result.key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    if (result.key >= 0) result.method = Method::keys;
#endif
    return result;
  }();
  return chosen;
}

// For the method `pages`: the number of threads with access. The pages remain open while this number is above 0.
std::mutex users_mutex;
int users = 0;
bool pages_open = false;  // current state of the pages
thread_local bool has_access = false;
thread_local bool closes_later = false;

void set_open(bool wanted) {
  if (pages_open != wanted) protect_all_device_memory(wanted);
  pages_open = wanted;
}

void count_user(bool allowed) {
  const std::lock_guard<std::mutex> lock(users_mutex);
  users += allowed ? 1 : -1;
  if (allowed || (users == 0 && !closes_later)) set_open(allowed);
}

#if defined(__x86_64__)
unsigned read_rights() {
  unsigned rights = 0, high = 0;
  __asm__ volatile("rdpkru" : "=a"(rights), "=d"(high) : "c"(0));
  return rights;
}
void write_rights(unsigned rights) {
  __asm__ volatile("wrpkru" : : "a"(rights), "c"(0), "d"(0) : "memory");
}
#else
unsigned read_rights() {
  return 0;
}
void write_rights(unsigned) {}
#endif

}  // namespace

bool open_pages(std::uintptr_t begin, std::size_t bytes) {
  void* const pages = reinterpret_cast<void*>(begin);
#if defined(__x86_64__)
  if (protection().method == Method::keys)
    return pkey_mprotect(pages, bytes, PROT_READ | PROT_WRITE, protection().key) == 0;
#endif
  return mprotect(pages, bytes, PROT_READ | PROT_WRITE) == 0;
}

unsigned exchange_access(bool allowed) {
  switch (protection().method) {
    case Method::keys: {
      const unsigned previous = read_rights();
      const unsigned bits = 3u << 2 * protection().key;
      write_rights(allowed ? previous & ~bits : previous | bits);
      return previous;
    }
    case Method::pages: {
      const bool previous = has_access;
      if (previous != allowed) count_user(allowed);
      has_access = allowed;
      return previous ? 1 : 0;
    }
    case Method::none:
      return 0;
  }
  return 0;
}

void open_access_in_handler() {
  if (protection().method == Method::keys) exchange_access(true);
}

void close_device_memory_later() {
  closes_later = true;
}

void close_device_memory() {
  if (protection().method != Method::pages) return;
  const std::lock_guard<std::mutex> lock(users_mutex);
  if (users == 0) set_open(false);
}

void close_new_memory(std::uintptr_t begin) {
  if (protection().method != Method::pages) return;
  const std::lock_guard<std::mutex> lock(users_mutex);
  if (!pages_open) close_one_allocation(begin);
}

void restore_access(unsigned previous) {
  if (protection().method == Method::keys)
    write_rights(previous);
  else if (protection().method == Method::pages)
    exchange_access(previous != 0);
}

DeviceAccess::DeviceAccess(bool open) : open_(open) {
  if (open_) previous_ = exchange_access(true);
}
DeviceAccess::~DeviceAccess() {
  if (open_) restore_access(previous_);
}

HostOnly::HostOnly() : previous_(exchange_access(false)) {
  close_device_memory();
}
HostOnly::~HostOnly() {
  restore_access(previous_);
}

}  // namespace cuemu
