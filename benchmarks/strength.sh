#!/bin/sh
# The strength measurements of docs/results.md, on a quiet machine: each can be killed and started again.
#
#     benchmarks/strength.sh [GAMES]
set -e
games=${1:-200}
net=default-9x9
out=strength

# Against GNU Go at its default level: the policy alone, and one second a move.
tesuji match "$net policy name=policy" gnugo --games 100 --out $out/gnugo-policy
tesuji match "$net seconds=1 name=1s" gnugo --games 100 --out $out/gnugo-1s

# The bandit: constants, first-play values, and PUCT against GPUCT at 64 and 400 descents.
for visits in 64 400; do
    tesuji tournament "$net name=base" "$net c=0.15 name=c=0.15" "$net c=0.3 name=c=0.3" "$net c=1 name=c=1" \
        "$net tau=0.737 c=0.057 name=GPUCT" "$net first_play_reduction=0.2 name=reduction=0.2" \
        "$net first_play=network name=first-play=network" \
        --schedule gauntlet --visits $visits --games "$games" --set adjudicate=agree --out $out/bandit-$visits
done

# Move choices, lower confidence bounds and Gumbel.
for visits in 16 64; do
    tesuji tournament "$net name=visits" "$net choice=lcb name=lcb" "$net gumbel_moves=8 name=gumbel" \
        "$net choice=search-2021 name=search-2021" "$net choice=second-2020 name=second-2020" \
        --schedule gauntlet --visits $visits --games "$games" --set adjudicate=agree --out $out/choice-$visits
done
tesuji tournament "$net name=prior" "$net choice=policy-2021 name=policy-2021" \
    "$net choice=near-best-prior-2018 name=near-best-prior-2018" \
    --schedule gauntlet --visits 0 --games "$games" --out $out/choice-policy
