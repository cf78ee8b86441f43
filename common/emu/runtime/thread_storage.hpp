// Memory in which threads of a split kernel keep values between phases. It belongs to a resident block and is reused
// for later blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace cuemu {

class ThreadStorage {
 public:
  /// Returns the piece `slot`, with a size of at least `bytes`. If the piece must grow, it loses its contents.
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
