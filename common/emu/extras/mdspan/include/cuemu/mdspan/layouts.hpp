// Layouts of a view of several dimensions: by rows, by columns, or with a stride for each dimension. Included
// by <cuda/std/mdspan>.
#pragma once

#include "cuemu/mdspan/extents.hpp"

namespace cuda::std {

struct layout_right;
struct layout_left;
struct layout_stride;

namespace cuemu_detail {

/// The common part of layout_right and layout_left, whose elements are contiguous.
/// @tparam Rows true: the stride of the last index is one element; false: the stride of the first index is
template <class Layout, bool Rows>
struct packed_layout {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;
    using layout_type = Layout;

    constexpr mapping() noexcept = default;
    constexpr mapping(const Extents& sizes) noexcept : sizes_(sizes) {}
    template <class Other, ::std::enable_if_t<::std::is_constructible_v<Extents, Other>, int> = 0>
    constexpr mapping(const mapping<Other>& other) noexcept : sizes_(other.extents()) {}

    constexpr const Extents& extents() const noexcept { return sizes_; }
    constexpr index_type required_span_size() const noexcept { return product(sizes_, 0, Extents::rank()); }
    constexpr index_type stride(const rank_type r) const noexcept {
      return Rows ? product(sizes_, r + 1, Extents::rank()) : product(sizes_, 0, r);
    }
    template <class... Indices, ::std::enable_if_t<sizeof...(Indices) == Extents::rank() &&
                                                       (::std::is_convertible_v<Indices, index_type> && ...),
                                                   int> = 0>
    constexpr index_type operator()(const Indices... indices) const noexcept {
      constexpr rank_type rank = Extents::rank();
      const index_type all[rank + 1] = {static_cast<index_type>(indices)..., 0};
      index_type offset = 0;
      for (rank_type i = 0; i < rank; ++i) {
        const rank_type r = Rows ? i : rank - 1 - i;
        offset = static_cast<index_type>(offset * sizes_.extent(r) + all[r]);
      }
      return offset;
    }

    static constexpr bool is_always_unique() noexcept { return true; }
    static constexpr bool is_always_exhaustive() noexcept { return true; }
    static constexpr bool is_always_strided() noexcept { return true; }
    static constexpr bool is_unique() noexcept { return true; }
    static constexpr bool is_exhaustive() noexcept { return true; }
    static constexpr bool is_strided() noexcept { return true; }

    template <class Other>
    friend constexpr bool operator==(const mapping& a, const mapping<Other>& b) noexcept {
      return a.extents() == b.extents();
    }

   private:
    Extents sizes_{};
  };
};

}  // namespace cuemu_detail

/// By rows, as in C: the stride of the last index is one element.
struct layout_right : cuemu_detail::packed_layout<layout_right, true> {};

/// By columns, as in Fortran and cuBLAS: the stride of the first index is one element.
struct layout_left : cuemu_detail::packed_layout<layout_left, false> {};

/// A layout with a stride, in elements, for each dimension.
struct layout_stride {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;
    using layout_type = layout_stride;

    constexpr mapping() noexcept : mapping(layout_right::mapping<Extents>()) {}
    template <class Stride>
    constexpr mapping(const Extents& sizes, const ::std::array<Stride, Extents::rank()>& strides) noexcept
        : sizes_(sizes) {
      for (rank_type r = 0; r < Extents::rank(); ++r) strides_[r] = static_cast<index_type>(strides[r]);
    }
    template <class Stride>
    constexpr mapping(const Extents& sizes, const span<Stride, Extents::rank()> strides) noexcept
        : sizes_(sizes) {
      for (rank_type r = 0; r < Extents::rank(); ++r) strides_[r] = static_cast<index_type>(strides[r]);
    }
    /// Constructs from another mapping; takes its strides.
    template <class Other,
              ::std::enable_if_t<::std::is_constructible_v<Extents, typename Other::extents_type> &&
                                     Other::is_always_strided(),
                                 int> = 0>
    constexpr mapping(const Other& other) noexcept : sizes_(other.extents()) {
      for (rank_type r = 0; r < Extents::rank(); ++r) strides_[r] = static_cast<index_type>(other.stride(r));
    }

    constexpr const Extents& extents() const noexcept { return sizes_; }
    constexpr ::std::array<index_type, Extents::rank()> strides() const noexcept {
      ::std::array<index_type, Extents::rank()> result{};
      for (rank_type r = 0; r < Extents::rank(); ++r) result[r] = strides_[r];
      return result;
    }
    constexpr index_type stride(const rank_type r) const noexcept { return strides_[r]; }
    constexpr index_type required_span_size() const noexcept {
      index_type last = 0;
      for (rank_type r = 0; r < Extents::rank(); ++r) {
        if (sizes_.extent(r) == 0) return 0;
        last = static_cast<index_type>(last + (sizes_.extent(r) - 1) * strides_[r]);
      }
      return static_cast<index_type>(last + 1);
    }
    template <class... Indices, ::std::enable_if_t<sizeof...(Indices) == Extents::rank() &&
                                                       (::std::is_convertible_v<Indices, index_type> && ...),
                                                   int> = 0>
    constexpr index_type operator()(const Indices... indices) const noexcept {
      index_type offset = 0;
      rank_type r = 0;
      ((offset = static_cast<index_type>(offset + static_cast<index_type>(indices) * strides_[r++])), ...);
      return offset;
    }

    static constexpr bool is_always_unique() noexcept { return true; }
    static constexpr bool is_always_exhaustive() noexcept { return false; }
    static constexpr bool is_always_strided() noexcept { return true; }
    static constexpr bool is_unique() noexcept { return true; }
    constexpr bool is_exhaustive() const noexcept {
      return required_span_size() == cuemu_detail::product(sizes_, 0, Extents::rank());
    }
    static constexpr bool is_strided() noexcept { return true; }

    template <class Other>
    friend constexpr bool operator==(const mapping& a, const Other& b) noexcept {
      if (!(a.extents() == b.extents())) return false;
      for (rank_type r = 0; r < Extents::rank(); ++r)
        if (a.stride(r) != b.stride(r)) return false;
      return true;
    }

   private:
    Extents sizes_{};
    ::std::array<index_type, Extents::rank() + 1> strides_{};
  };
};

}  // namespace cuda::std
