#include "samples/game_pool.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tesuji {

GamePool::GamePool(std::vector<std::shared_ptr<const PackedFile>> files, std::vector<double> weights)
    : files_(std::move(files)),
      weights_(std::move(weights)),
      stocks_(std::make_shared<std::array<Stocks, 2>>()) {
    if (!weights_.empty() && weights_.size() != files_.size())
        throw std::invalid_argument(std::to_string(weights_.size()) + " weights for " +
                                    std::to_string(files_.size()) + " files");
    for (double weight : weights_)
        if (!(weight >= 0) || weight > 1e300)
            throw std::invalid_argument("weights of files must be positive numbers");
    std::uint64_t next = 0;
    for (const auto& file : files_) {
        first_numbers_.push_back(next);
        next += file->games();
    }
}

GamePool GamePool::subset(const std::vector<std::uint64_t>& games) const {
    GamePool pool(files_, weights_);
    pool.reduced_ = true;
    pool.chosen_.resize(files_.size());
    for (std::uint64_t game : games) {
        const Choice found = find(game);
        auto& chosen = pool.chosen_[found.file];
        if (!chosen.empty() && chosen.back() >= found.game)
            throw std::invalid_argument("games must be in rising order");
        chosen.push_back(found.game);
    }
    return pool;
}

// Calls `visit(file, game)` for every game of the pool, in order.
template <typename Visit>
void GamePool::for_each_game(Visit visit) const {
    for (std::size_t file = 0; file < files_.size(); ++file) {
        const std::size_t count = reduced_ ? chosen_[file].size() : files_[file]->games();
        for (std::size_t i = 0; i < count; ++i)
            visit(file, reduced_ ? chosen_[file][i] : static_cast<std::uint32_t>(i));
    }
}

std::vector<std::uint64_t> GamePool::games() const {
    std::vector<std::uint64_t> all;
    for_each_game([&](std::size_t file, std::uint32_t game) { all.push_back(first_numbers_[file] + game); });
    return all;
}

std::vector<std::uint64_t> GamePool::games_of_size(int size) const {
    std::vector<std::uint64_t> all;
    for_each_game([&](std::size_t file, std::uint32_t game) {
        if (files_[file]->entry(game).size == size) all.push_back(first_numbers_[file] + game);
    });
    return all;
}

std::vector<int> GamePool::sizes() const {
    std::array<bool, 256> seen{};
    for_each_game([&](std::size_t file, std::uint32_t game) { seen[files_[file]->entry(game).size] = true; });
    std::vector<int> sizes;
    for (int size = 0; size < 256; ++size)
        if (seen[size]) sizes.push_back(size);
    return sizes;
}

Choice GamePool::find(std::uint64_t game) const {
    const auto after = std::upper_bound(first_numbers_.begin(), first_numbers_.end(), game);
    // Empty files share their first number with the next one; `upper_bound` steps behind them all.
    const auto file = static_cast<std::uint32_t>(after - first_numbers_.begin() - 1);
    if (first_numbers_.empty() || game - first_numbers_[file] >= files_[file]->games())
        throw std::invalid_argument("no game " + std::to_string(game) + " in these files");
    return {file, static_cast<std::uint32_t>(game - first_numbers_[file]), 0, 0};
}

const std::vector<GamePool::Stock>& GamePool::stocks(bool targets_only) const {
    Stocks& stocks = (*stocks_)[targets_only];
    std::call_once(stocks.made, [&] {
        stocks.files.resize(files_.size());
        for_each_game([&](std::size_t file, std::uint32_t game) {
            Stock& stock = stocks.files[file];
            const PackedEntry& entry = files_[file]->entry(game);
            const int usable = targets_only ? entry.targets : entry.moves;
            if (!usable) return;
            stock.games.push_back(game);
            stock.ends.push_back(stock.positions() + usable);
        });
    });
    return stocks.files;
}

std::size_t GamePool::draw_file(const std::vector<Stock>& stocks, const Drawing& drawing,
                                Random& random) const {
    const auto share = [&](std::size_t file) {
        if (stocks[file].games.empty()) return 0.0;
        if (!weights_.empty()) return weights_[file];
        return static_cast<double>(drawing.by_position ? stocks[file].positions()
                                                       : stocks[file].games.size());
    };
    double total = 0;
    for (std::size_t file = 0; file < files_.size(); ++file) total += share(file);
    if (!(total > 0))
        throw std::invalid_argument(drawing.targets_only ? "no position carries a target"
                                                         : "there are no positions to draw from");
    double left = total * random.uniform();
    std::size_t last = 0;
    for (std::size_t file = 0; file < files_.size(); ++file) {
        if (!(share(file) > 0)) continue;
        last = file;
        left -= share(file);
        if (left < 0) break;
    }
    return last;
}

bool GamePool::draw_position(const Stock& stock, std::size_t file, const Drawing& drawing, Random& random,
                             Choice& out) const {
    std::size_t index;
    int place;
    if (drawing.by_position) {
        const std::uint64_t nth = random.below_large(stock.positions());
        index = static_cast<std::size_t>(std::upper_bound(stock.ends.begin(), stock.ends.end(), nth) -
                                         stock.ends.begin());
        place = static_cast<int>(nth - (index ? stock.ends[index - 1] : 0));
    } else {
        index = random.below_large(stock.games.size());
        place = static_cast<int>(random.below_large(stock.ends[index] - (index ? stock.ends[index - 1] : 0)));
    }
    out.file = static_cast<std::uint32_t>(file);
    out.game = stock.games[index];
    const BodyView body = files_[file]->body(out.game);
    if (drawing.targets_only) {
        out.position = body.target(place).position;
        return true;
    }
    // A game keeps its share however many passes it has: only its position is drawn again.
    for (int tries = 0; tries < 64; ++tries) {
        out.position = place;
        if (drawing.passes || body.move(place) != pass) return true;
        if (drawing.by_position) return false;
        place = static_cast<int>(random.below_large(body.entry().moves));
    }
    return false;
}

Choice GamePool::draw(const Drawing& drawing, std::uint64_t seed, std::uint64_t i) const {
    Random stir(seed ^ 0x6A09E667F3BCC909u);
    Random random(stir.next() + i * golden_ratio);
    random.next();
    const std::vector<Stock>& all = stocks(drawing.targets_only);
    Choice choice{};
    for (int tries = 0; tries < 1000; ++tries) {
        const std::size_t file = draw_file(all, drawing, random);
        if (!draw_position(all[file], file, drawing, random, choice)) continue;
        choice.symmetry = drawing.symmetry < 0 ? static_cast<int>(random.below(8)) : drawing.symmetry;
        return choice;
    }
    throw std::invalid_argument("these games hold hardly anything but passes");
}

}  // namespace tesuji
