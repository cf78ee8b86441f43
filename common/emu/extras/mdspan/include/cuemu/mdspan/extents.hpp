// The sizes of a view of several dimensions. Each size is known at compile time, or only at run time.
// Included by <cuda/std/mdspan>.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace cuda::std {

/// The sizes of `sizeof...(Extents)` dimensions. The object stores only the sizes of dynamic_extent
/// dimensions.
template <class IndexType, ::std::size_t... Extents>
class extents {
  static_assert(::std::is_integral_v<IndexType> && !::std::is_same_v<IndexType, bool>,
                "extents: the index type must be an integer");

 public:
  using index_type = IndexType;
  using size_type = ::std::make_unsigned_t<IndexType>;
  using rank_type = ::std::size_t;

  static constexpr rank_type rank() noexcept { return sizeof...(Extents); }
  static constexpr rank_type rank_dynamic() noexcept {
    return ((Extents == dynamic_extent ? rank_type{1} : rank_type{0}) + ... + rank_type{0});
  }
  static constexpr ::std::size_t static_extent(const rank_type r) noexcept { return fixed()[r]; }

  constexpr index_type extent(const rank_type r) const noexcept {
    return fixed()[r] == dynamic_extent ? kept_[place(r)] : static_cast<index_type>(fixed()[r]);
  }

  constexpr extents() noexcept = default;

  /// Constructs from all sizes, or only from the sizes that are unknown at compile time.
  template <
      class... Sizes,
      ::std::enable_if_t<(::std::is_convertible_v<Sizes, IndexType> && ...) && sizeof...(Sizes) != 0 &&
                             (sizeof...(Sizes) == sizeof...(Extents) || sizeof...(Sizes) == rank_dynamic()),
                         int> = 0>
  explicit constexpr extents(const Sizes... sizes) noexcept {
    const ::std::array<index_type, sizeof...(Sizes)> all{{static_cast<index_type>(sizes)...}};
    take(all.data(), sizeof...(Sizes));
  }
  template <class Size, ::std::size_t N,
            ::std::enable_if_t<::std::is_convertible_v<const Size&, IndexType> &&
                                   (N == sizeof...(Extents) || N == rank_dynamic()),
                               int> = 0>
  constexpr extents(const ::std::array<Size, N>& sizes) noexcept {
    ::std::array<index_type, N> all{};
    for (rank_type r = 0; r < N; ++r) all[r] = static_cast<index_type>(sizes[r]);
    take(all.data(), N);
  }
  /// Constructs from sizes of another type. That type may have other sizes that are known at compile time.
  template <class Other, ::std::size_t... Others,
            ::std::enable_if_t<
                sizeof...(Others) == sizeof...(Extents) &&
                    ((Others == dynamic_extent || Extents == dynamic_extent || Others == Extents) && ...),
                int> = 0>
  constexpr extents(const extents<Other, Others...>& other) noexcept {
    ::std::array<index_type, rank() + 1> all{};
    for (rank_type r = 0; r < rank(); ++r) all[r] = static_cast<index_type>(other.extent(r));
    take(all.data(), rank());
  }

  template <class Other, ::std::size_t... Others>
  friend constexpr bool operator==(const extents& a, const extents<Other, Others...>& b) noexcept {
    if constexpr (sizeof...(Others) != sizeof...(Extents))
      return false;
    else {
      for (rank_type r = 0; r < rank(); ++r)
        if (static_cast<::std::size_t>(a.extent(r)) != static_cast<::std::size_t>(b.extent(r))) return false;
      return true;
    }
  }
  template <class Other, ::std::size_t... Others>
  friend constexpr bool operator!=(const extents& a, const extents<Other, Others...>& b) noexcept {
    return !(a == b);
  }

 private:
  static constexpr ::std::array<::std::size_t, sizeof...(Extents) + 1> fixed() noexcept {
    return {{Extents..., 0}};
  }
  /// The position at which the size of dimension r is stored.
  static constexpr rank_type place(const rank_type r) noexcept {
    rank_type count = 0;
    for (rank_type i = 0; i < r; ++i) count += fixed()[i] == dynamic_extent ? 1 : 0;
    return count;
  }
  constexpr void take(const index_type* const sizes, const rank_type count) noexcept {
    for (rank_type r = 0; r < rank(); ++r)
      if (fixed()[r] == dynamic_extent) kept_[place(r)] = sizes[count == rank() ? r : place(r)];
  }

  ::std::array<index_type, rank_dynamic() == 0 ? 1 : rank_dynamic()> kept_{};
};

namespace cuemu_detail {
template <class IndexType, class Places>
struct all_dynamic;
template <class IndexType, ::std::size_t... Places>
struct all_dynamic<IndexType, ::std::index_sequence<Places...>> {
  using type = extents<IndexType, (static_cast<void>(Places), dynamic_extent)...>;
};
template <class T>
struct is_extents : ::std::false_type {};
template <class IndexType, ::std::size_t... Extents>
struct is_extents<extents<IndexType, Extents...>> : ::std::true_type {};

/// The product of the sizes of dimensions [from, to).
template <class Extents>
constexpr typename Extents::index_type product(const Extents& sizes, const ::std::size_t from,
                                               const ::std::size_t to) noexcept {
  typename Extents::index_type result = 1;
  for (::std::size_t r = from; r < to; ++r) result = static_cast<decltype(result)>(result * sizes.extent(r));
  return result;
}
}  // namespace cuemu_detail

template <class IndexType, ::std::size_t Rank>
using dextents = typename cuemu_detail::all_dynamic<IndexType, ::std::make_index_sequence<Rank>>::type;
template <::std::size_t Rank, class IndexType = ::std::size_t>
using dims = dextents<IndexType, Rank>;

template <class... Sizes>
explicit extents(Sizes...) -> extents<::std::size_t, (static_cast<void>(sizeof(Sizes)), dynamic_extent)...>;

}  // namespace cuda::std
