#include "records/packed_file.h"

#include <stdexcept>

#include "base/hash.h"

namespace tesuji {

static_assert(sizeof(PackedHeader) % 8 == 0 && sizeof(PackedEntry) % 8 == 0,
              "the index stays aligned in the mapping");

PackedFile::PackedFile(const std::string& path) : path_(path), file_(path) {
    if (file_.bytes() < sizeof(PackedHeader))
        refuse("is not a packed file of games; `tesuji data pack` makes one");
    std::memcpy(&header_, file_.data(), sizeof header_);
    if (header_.magic != packed_magic) refuse("is not a packed file of games; `tesuji data pack` makes one");
    if (header_.version != packed_version || header_.entry_bytes != sizeof(PackedEntry))
        refuse("has version " + std::to_string(header_.version) + ", this program reads version " +
               std::to_string(packed_version) + "; pack it again");
    if (header_.checksum != checksum(&header_, sizeof header_ - sizeof header_.checksum))
        refuse("has a damaged header");
    if (header_.file_bytes != file_.bytes())
        refuse("is " + std::to_string(file_.bytes()) + " bytes long instead of " +
               std::to_string(header_.file_bytes) + ": it was cut or only partly copied");
    if (header_.body_bytes > file_.bytes() || header_.games > file_.bytes()) refuse("has a damaged header");
    pages_ = (header_.body_bytes + page_bytes - 1) / page_bytes;
    const std::size_t padded = (header_.body_bytes + 7) / 8 * 8;
    const std::size_t index_bytes = header_.games * sizeof(PackedEntry) + pages_ * 8;
    if (sizeof header_ + padded + index_bytes != file_.bytes()) refuse("has a damaged header");
    bodies_ = file_.data() + sizeof header_;
    const unsigned char* index = bodies_ + padded;
    if (checksum(index, index_bytes) != header_.index_checksum) refuse("has a damaged index");
    entries_ = reinterpret_cast<const PackedEntry*>(index);
    for (std::size_t game = 0; game < header_.games; ++game) {
        const PackedEntry& entry = entries_[game];
        const bool fits =
            entry.bytes <= header_.body_bytes && entry.offset <= header_.body_bytes - entry.bytes;
        if (entry.size < min_size || entry.size > max_size || !fits || least_body_bytes(entry) > entry.bytes)
            refuse("has an index that contradicts itself at game " + std::to_string(game));
    }
    page_sums_ = index + header_.games * sizeof(PackedEntry);
    checked_ = std::make_unique<std::atomic<bool>[]>(pages_);
}

BodyView PackedFile::body(std::size_t game) const {
    const PackedEntry& entry = entries_[game];
    const std::size_t first = entry.offset / page_bytes;
    const std::size_t last = (entry.offset + (entry.bytes ? entry.bytes - 1 : 0)) / page_bytes;
    for (std::size_t page = first; page <= last && page < pages_; ++page)
        if (!checked_[page].load(std::memory_order_relaxed)) check_page(page);
    return BodyView(entry, bodies_ + entry.offset);
}

void PackedFile::check_all() const {
    for (std::size_t page = 0; page < pages_; ++page) check_page(page);
}

void PackedFile::check_page(std::size_t page) const {
    const std::size_t begin = page * page_bytes;
    const std::size_t bytes = std::min<std::size_t>(page_bytes, header_.body_bytes - begin);
    std::uint64_t expected;
    std::memcpy(&expected, page_sums_ + 8 * page, sizeof expected);
    if (checksum(bodies_ + begin, bytes) != expected)
        refuse("is damaged between bytes " + std::to_string(sizeof header_ + begin) + " and " +
               std::to_string(sizeof header_ + begin + bytes));
    checked_[page].store(true, std::memory_order_relaxed);
}

void PackedFile::refuse(const std::string& why) const { throw std::invalid_argument(path_ + " " + why); }

}  // namespace tesuji
