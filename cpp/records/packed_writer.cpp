#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>
#include <utility>

#include "base/hash.h"
#include "base/paths.h"
#include "records/packed_file.h"

#ifndef _WIN32
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace tesuji {
namespace {

// Whether this is the name of a draft: that of the file, a number and ".part".
bool is_draft(std::string_view name, std::string_view of) {
    constexpr std::string_view ending = ".part";
    if (!name.starts_with(of) || !name.ends_with(ending) || name.size() < of.size() + 2 + ending.size())
        return false;
    const std::string_view number = name.substr(of.size(), name.size() - of.size() - ending.size());
    return number[0] == '.' &&
           std::all_of(number.begin() + 1, number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::FILE* open_to_write(const std::filesystem::path& path) {
#ifdef _WIN32
    return _wfopen(path.c_str(), L"wb");
#else
    return std::fopen(path.c_str(), "wb");
#endif
}

// A writer holds a lock on its draft as long as it lives; false if somebody removed the draft before that.
bool hold(std::FILE* draft) {
#ifdef _WIN32
    return draft != nullptr;  // nobody can remove a file that is open
#else
    struct stat state;
    flock(fileno(draft), LOCK_EX);  // without locks on this file system, nobody will remove it either
    return fstat(fileno(draft), &state) != 0 || state.st_nlink > 0;
#endif
}

// A draft that nobody holds was left by a writer that was killed.
void remove_if_left(const std::filesystem::path& draft) {
    std::error_code ignored;
#ifdef _WIN32
    std::filesystem::remove(draft, ignored);
#else
    const int file = open(draft.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0) std::filesystem::remove(draft, ignored);
    close(file);
#endif
}

void remove_drafts_left(const std::filesystem::path& path) {
    std::error_code error;
    std::vector<std::filesystem::path> drafts;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (is_draft(utf8_text(at->path().filename()), utf8_text(path.filename())))
            drafts.push_back(at->path());
    for (const std::filesystem::path& draft : drafts) remove_if_left(draft);
}

}  // namespace

PackedWriter::PackedWriter(const std::string& path) : path_(path) {
    remove_drafts_left(native_path(path));
    do {
        if (file_) std::fclose(file_);
        temporary_ = path + "." + std::to_string(std::random_device{}()) + ".part";
        file_ = open_to_write(native_path(temporary_));
        if (!file_) throw FileError(errno, path, "write");
    } while (!hold(file_));
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
    if (file_) std::fclose(std::exchange(file_, nullptr));
    std::error_code ignored;
    if (!temporary_.empty()) std::filesystem::remove(native_path(std::exchange(temporary_, "")), ignored);
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
#ifdef _WIN32
    std::fclose(std::exchange(file_, nullptr));  // an open file cannot be renamed here
#endif
    // Elsewhere renamed before it is closed, and so let go: else somebody could take it for a draft left
    // behind.
    std::error_code error;
    std::filesystem::rename(native_path(temporary_), native_path(path_), error);
    if (!error) temporary_.clear();
    close_file();
    if (error) throw FileError(error.value(), path_, "write");
}

}  // namespace tesuji
