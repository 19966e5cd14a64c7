#include "base/peak.h"

#include <array>
#include <cstddef>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define TESUJI_X86 1
#include <immintrin.h>
#endif

namespace tesuji {
namespace {

constexpr std::size_t chains = 12;  // sums side by side: more than any core has under way at once

volatile float sink = 0;  // results go here, so that nothing is left out

// Whatever the compiler makes of it.
double plain_floats(long rounds) {
    std::array<float, 16 * chains> sums{};
    const float factor = 0.999F + sink;
    for (long round = 0; round < rounds; ++round)
        for (float& sum : sums) sum = sum * factor + 1.0F;
    for (const float sum : sums) sink = sink + sum * 0;
    return 2.0 * static_cast<double>(sums.size()) * static_cast<double>(rounds);
}

#ifdef TESUJI_X86
__attribute__((target("avx512f"))) double wide_floats(long rounds) {
    __m512 sums[chains];  // a template would lose the type's alignment
    for (__m512& sum : sums) sum = _mm512_set1_ps(sink);
    const __m512 factor = _mm512_set1_ps(0.999F + sink), more = _mm512_set1_ps(1.0F);
    for (long round = 0; round < rounds; ++round)
        for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, more);
    alignas(64) std::array<float, 16> left_over;
    for (const __m512& sum : sums) {
        _mm512_store_ps(left_over.data(), sum);
        sink = sink + left_over[0] * 0;
    }
    return 2.0 * 16 * chains * static_cast<double>(rounds);
}

__attribute__((target("avx2,fma"))) double narrow_floats(long rounds) {
    __m256 sums[chains];  // a template would lose the type's alignment
    for (__m256& sum : sums) sum = _mm256_set1_ps(sink);
    const __m256 factor = _mm256_set1_ps(0.999F + sink), more = _mm256_set1_ps(1.0F);
    for (long round = 0; round < rounds; ++round)
        for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, factor, more);
    alignas(32) std::array<float, 8> left_over;
    for (const __m256& sum : sums) {
        _mm256_store_ps(left_over.data(), sum);
        sink = sink + left_over[0] * 0;
    }
    return 2.0 * 8 * chains * static_cast<double>(rounds);
}

__attribute__((target("avx512f,avx512vnni"))) double wide_bytes(long rounds) {
    __m512i sums[chains];  // a template would lose the type's alignment
    for (__m512i& sum : sums) sum = _mm512_set1_epi32(static_cast<int>(sink));
    const __m512i left = _mm512_set1_epi32(1 + static_cast<int>(sink)), right = left;
    for (long round = 0; round < rounds; ++round)
        for (__m512i& sum : sums) sum = _mm512_dpbusd_epi32(sum, left, right);
    alignas(64) std::array<int, 16> left_over;
    for (const __m512i& sum : sums) {
        _mm512_store_si512(left_over.data(), sum);
        sink = sink + static_cast<float>(left_over[0]) * 0;
    }
    return 2.0 * 64 * chains * static_cast<double>(rounds);
}
#endif

}  // namespace

double peak_in_floats(long rounds) {
#ifdef TESUJI_X86
    if (__builtin_cpu_supports("avx512f")) return wide_floats(rounds);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return narrow_floats(rounds);
#endif
    return plain_floats(rounds);
}

double peak_in_bytes(long rounds) {
#ifdef TESUJI_X86
    if (__builtin_cpu_supports("avx512vnni")) return wide_bytes(rounds);
#endif
    static_cast<void>(rounds);
    return 0;
}

}  // namespace tesuji
