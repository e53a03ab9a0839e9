// Checks the layouts of a kernel against the library.
//
// `mine::Layout` has what the checks use of a `cute::Layout`: shapes and strides as types, and `layout(i, j)`. So the example needs no
// CUTLASS. If the compiler finds the headers of CUTLASS and of CUDA (-isystem), the example checks layouts of CuTe, too. Checks only call
// a layout, so they take either.

#include <crd2idx.h>

#include <array>
#include <cstdint>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#if defined(__has_include)
#if __has_include(<cute/layout.hpp>) && __has_include(<cuda_runtime_api.h>)
#include <cute/layout.hpp>
#include <cute/layout_composed.hpp>
#include <cute/swizzle.hpp>
#include <cute/swizzle_layout.hpp>
#define WITH_CUTE
#endif
#endif

namespace mine {

template <int64_t... N>
struct Tuple {};

template <class Shape, class Stride>
struct Layout;

template <int64_t... Extent, int64_t... Stride>
struct Layout<Tuple<Extent...>, Tuple<Stride...>> {
  static_assert(sizeof...(Extent) == sizeof...(Stride), "one stride for each extent");

  template <class... Index>
  constexpr int64_t operator()(Index... index) const {
    return ((static_cast<int64_t>(index) * Stride) + ... + 0);
  }
};

// S<B, M, S> of CuTe: bits M+S.. are combined with bits M.. by exclusive-or.
template <int B, int M, int S>
struct Swizzle {
  static_assert(S >= B, "the fields do not overlap");

  constexpr int64_t operator()(int64_t x) const { return x ^ ((x & (((int64_t{1} << B) - 1) << (M + S))) >> S); }
};

}  // namespace mine

namespace {

struct Free {
  void operator()(crd2idx_layout *layout) const { crd2idx_layout_free(layout); }
};

using Handle = std::unique_ptr<crd2idx_layout, Free>;

void require(crd2idx_status status, const crd2idx_error &error) {
  if (status != CRD2IDX_STATUS_OK) {
    throw std::runtime_error(error.message);
  }
}

Handle parsed(std::string_view expression) {
  crd2idx_error error;
  crd2idx_layout *layout = nullptr;
  require(crd2idx_layout_parse(expression.data(), expression.size(), &layout, &error), error);
  return Handle(layout);
}

// Compares a function of two coordinates with a layout of rank 2, at every coordinate. Returns the number of differences.
template <class Function>
int64_t differences(std::string_view expression, const Function &function) {
  crd2idx_error error;
  const Handle layout = parsed(expression);
  std::array<int64_t, 2> extents{};
  require(crd2idx_layout_extents(layout.get(), extents.data(), extents.size(), &error), error);
  std::vector<int64_t> coordinates;
  for (int64_t j = 0; j < extents[1]; ++j) {
    for (int64_t i = 0; i < extents[0]; ++i) {
      coordinates.insert(coordinates.end(), {i, j});
    }
  }
  std::vector<int64_t> indices(coordinates.size() / 2);
  require(crd2idx_layout_indices(layout.get(), coordinates.data(), indices.size(), 2, indices.data(), &error), error);
  int64_t found = 0;
  for (size_t k = 0; k < indices.size(); ++k) {
    const int64_t i = coordinates[2 * k], j = coordinates[2 * k + 1], mine = function(i, j);
    if (mine != indices[k] && found++ == 0) {
      std::cout << expression << " at (" << i << "," << j << "): the kernel has " << mine << ", the layout " << indices[k] << "\n";
    }
  }
  std::cout << expression << ": " << indices.size() << " coordinates, " << found << " differences\n";
  return found;
}

#ifdef WITH_CUTE
// The same layouts in CuTe.
int64_t differences_of_cute() {
  using cute::Int, cute::make_layout, cute::make_shape, cute::make_stride;
  const auto checked = [](std::string_view expression, const auto &layout) {
    return differences(expression, [&](int64_t i, int64_t j) { return int64_t{layout(static_cast<int>(i), static_cast<int>(j))}; });
  };
  const auto rows = make_layout(make_shape(Int<128>{}, Int<64>{}), make_stride(Int<64>{}, Int<1>{}));
  const auto atom = make_layout(make_shape(Int<8>{}, Int<64>{}), make_stride(Int<64>{}, Int<1>{}));
  return checked("(128,64):(64,1)", rows) + checked("S<3,3,3> o 0 o (8,64):(64,1)", composition(cute::Swizzle<3, 3, 3>{}, atom)) +
         checked("zipped_divide((128,64):(64,1), (8,16))", zipped_divide(rows, make_shape(Int<8>{}, Int<16>{})));
}
#else
int64_t differences_of_cute() { return 0; }
#endif

}  // namespace

int main() {
  try {
    // A layout that the kernel states as types.
    constexpr mine::Layout<mine::Tuple<128, 64>, mine::Tuple<64, 1>> rows;
    int64_t wrong = differences("(128,64):(64,1)", [&](int64_t i, int64_t j) { return rows(i, j); });

    // A tile in shared memory: rows of 64 halves, swizzled so that eight rows of a column are in eight banks.
    constexpr mine::Swizzle<3, 3, 3> swizzle;
    constexpr mine::Layout<mine::Tuple<8, 64>, mine::Tuple<64, 1>> atom;
    wrong += differences("S<3,3,3> o 0 o (8,64):(64,1)", [&](int64_t i, int64_t j) { return swizzle(atom(i, j)); });

    // An index function that the kernel writes by hand, and the algebra that it stands for: element t of tile b.
    wrong += differences("zipped_divide((128,64):(64,1), (8,16))", [](int64_t t, int64_t b) {
      const int64_t row = t % 8 + b % 16 * 8, column = t / 8 + b / 16 * 16;
      return row * 64 + column;
    });

    wrong += differences_of_cute();

    // A mistake is found, with its first coordinate: the stride of the rows is 72 in the kernel.
    const int64_t mistakes = differences("(16,64):(64,1)", [](int64_t i, int64_t j) { return i * 72 + j; });

    // Two layouts are compared as functions, at any size, without a loop.
    crd2idx_error error;
    bool equal = false;
    crd2idx_difference difference;
    const Handle left = parsed("((2,4),1048576):((1,2),8)"), right = parsed("8388608:1");
    require(crd2idx_layout_equal(left.get(), right.get(), &equal, &difference, &error), error);
    return wrong == 0 && mistakes == 960 && equal ? 0 : 1;
  } catch (const std::exception &error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
