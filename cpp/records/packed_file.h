// Packed files: read by mapping, written whole or not at all.
#pragma once

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/mapped_file.h"
#include "records/packed_body.h"

namespace tesuji {

class PackedFile {
  public:
    // Checks the header and the index. Throws FileError, or std::invalid_argument for a file that is not
    // whole.
    explicit PackedFile(const std::string& path);

    const std::string& path() const { return path_; }
    std::size_t games() const { return header_.games; }
    const PackedEntry& entry(std::size_t game) const { return entries_[game]; }
    // Checks the pages a game lies on when they are first touched. Throws std::invalid_argument if they
    // changed.
    BodyView body(std::size_t game) const;
    void check_all() const;  // every page, now

  private:
    void check_page(std::size_t page) const;
    [[noreturn]] void refuse(const std::string& why) const;

    std::string path_;
    MappedFile file_;
    PackedHeader header_;
    const PackedEntry* entries_ = nullptr;
    const unsigned char* bodies_ = nullptr;
    const unsigned char* page_sums_ = nullptr;
    std::size_t pages_ = 0;
    std::unique_ptr<std::atomic<bool>[]> checked_;
};

// Writes a draft beside the target and renames it at the end, so that a killed writer leaves the old file or
// none, and a draft that the next writer to this target removes.
class PackedWriter {
  public:
    explicit PackedWriter(const std::string& path);
    ~PackedWriter();  // without `finish`, nothing remains
    PackedWriter(const PackedWriter&) = delete;
    PackedWriter& operator=(const PackedWriter&) = delete;

    void append(const PackedGame& game);
    // As `append`, but leaves out a game whose moves are already there under some symmetry; says whether it
    // was new.
    bool append_new(const PackedGame& game);
    std::size_t games() const { return entries_.size(); }
    void finish();

  private:
    void write(const void* data, std::size_t bytes);
    void write_body(const std::string& body);
    void close_file();

    std::string path_, temporary_;
    std::FILE* file_ = nullptr;
    std::vector<PackedEntry> entries_;
    std::vector<std::uint64_t> page_sums_;
    std::string page_;  // the part of the last page already written but not yet summed
    std::uint64_t body_bytes_ = 0;
    std::unordered_set<std::uint64_t> keys_;
};

}  // namespace tesuji
