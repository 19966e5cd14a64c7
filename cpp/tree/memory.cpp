#include "tree/memory.h"

#include <algorithm>
#include <cstdint>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace tesuji {

namespace {

// A descent through millions of nodes otherwise waits for page tables more than for the nodes.
void ask_for_huge_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    madvise(block, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace

void* Memory::allocate(std::size_t bytes, std::size_t alignment) {
    bytes = (bytes + 7) & ~std::size_t{7};
    std::size_t skipped = -reinterpret_cast<std::uintptr_t>(free_) & (alignment - 1);
    if (skipped + bytes > left_) {
        // Blocks double up to a huge page: the trees of hundreds of small games stay small.
        const std::size_t block = std::max(bytes, std::clamp(bytes_, first_block, largest_block));
        const std::align_val_t aligned{block == largest_block ? largest_block : 64};
        blocks_.emplace_back(::operator new(block, aligned), Release{aligned});
        free_ = static_cast<std::byte*>(blocks_.back().get());
        left_ = block;
        bytes_ += block;
        skipped = 0;
        if (block == largest_block) ask_for_huge_pages(free_, block);
    }
    void* const result = free_ + skipped;
    free_ += skipped + bytes;
    left_ -= skipped + bytes;
    return result;
}

void* Memory::allocate_list(std::size_t entry_bytes, int room_log2) {
    std::vector<void*>& recycled = free_lists_[room_log2];
    if (recycled.empty()) return allocate(entry_bytes << room_log2);
    void* const list = recycled.back();
    recycled.pop_back();
    return list;
}

}  // namespace tesuji
