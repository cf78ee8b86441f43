// What threads of a split kernel keep from one phase to the next: pieces of memory that belong to a resident
// block and are used again for the blocks after it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace cuemu {

class ThreadStorage {
 public:
  /// The piece `slot`, of at least `bytes`. What was in it is lost when it has to grow.
  void* get(unsigned slot, std::size_t bytes);

 private:
  struct Free {
    void operator()(void* memory) const noexcept;
  };
  struct Piece {
    std::unique_ptr<void, Free> memory;
    std::size_t bytes = 0;
  };
  std::vector<Piece> pieces_;
};

}  // namespace cuemu
