#include <cerrno>
#include <filesystem>
#include <random>

#include "packed_file.h"

#ifndef _WIN32
#include <unistd.h>
#endif

namespace tesuji {

PackedWriter::PackedWriter(const std::string& path) : path_(path) {
    temporary_ = path + "." + std::to_string(std::random_device{}()) + ".part";
    file_ = std::fopen(temporary_.c_str(), "wb");
    if (!file_) throw FileError(errno, path, "write");
    const PackedHeader empty{};  // replaced by the true one when all is written
    try {
        write(&empty, sizeof empty);
    } catch (...) {
        close_file();
        throw;
    }
}

PackedWriter::~PackedWriter() { close_file(); }

void PackedWriter::close_file() {
    if (!file_) return;
    std::fclose(file_);
    file_ = nullptr;
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
}

void PackedWriter::write(const void* data, std::size_t bytes) {
    if (bytes && std::fwrite(data, 1, bytes, file_) != bytes) throw FileError(errno, path_, "write");
}

void PackedWriter::write_body(const std::string& body) {
    write(body.data(), body.size());
    page_ += body;
    std::size_t done = 0;
    for (; page_.size() - done >= page_bytes; done += page_bytes)
        page_sums_.push_back(checksum(page_.data() + done, page_bytes));
    page_.erase(0, done);
    body_bytes_ += body.size();
}

void PackedWriter::append(const PackedGame& game) {
    entries_.push_back(game.entry);
    entries_.back().offset = body_bytes_;
    write_body(game.body);
}

bool PackedWriter::append_new(const PackedGame& game) {
    if (!keys_.insert(game.entry.key).second) return false;
    append(game);
    return true;
}

void PackedWriter::finish() {
    if (!page_.empty()) page_sums_.push_back(checksum(page_.data(), page_.size()));
    std::string index((8 - body_bytes_ % 8) % 8, '\0');
    const std::size_t padding = index.size();
    index.append(reinterpret_cast<const char*>(entries_.data()), entries_.size() * sizeof(PackedEntry));
    index.append(reinterpret_cast<const char*>(page_sums_.data()), page_sums_.size() * 8);
    write(index.data(), index.size());
    PackedHeader header;
    header.entry_bytes = sizeof(PackedEntry);
    header.games = entries_.size();
    header.body_bytes = body_bytes_;
    header.file_bytes = sizeof header + body_bytes_ + index.size();
    header.index_checksum = checksum(index.data() + padding, index.size() - padding);
    header.checksum = checksum(&header, sizeof header - sizeof header.checksum);
    if (std::fseek(file_, 0, SEEK_SET) != 0) throw FileError(errno, path_, "write");
    write(&header, sizeof header);
    if (std::fflush(file_) != 0) throw FileError(errno, path_, "write");
#ifndef _WIN32
    if (fsync(fileno(file_)) != 0 && errno != EINVAL) throw FileError(errno, path_, "write");
#endif
    const int closed = std::fclose(file_);
    file_ = nullptr;
    std::error_code error;
    if (closed == 0) std::filesystem::rename(temporary_, path_, error);
    if (closed == 0 && !error) return;
    const int code = closed == 0 ? error.value() : errno;
    std::filesystem::remove(temporary_, error);
    throw FileError(code, path_, "write");
}

}  // namespace tesuji
