#include "tree/memory.h"

#include <algorithm>

namespace tesuji {

void* Memory::allocate(std::size_t bytes) {
    bytes = (bytes + 7) & ~std::size_t{7};
    if (bytes > left_) {
        // Blocks double up to a megabyte: the trees of hundreds of small games stay small.
        const std::size_t block = std::max(bytes, std::clamp(bytes_, first_block, largest_block));
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block));
        free_ = blocks_.back().get();
        left_ = block;
        bytes_ += block;
    }
    void* const result = free_;
    free_ += bytes;
    left_ -= bytes;
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
