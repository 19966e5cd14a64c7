"""Settings by KataGo's names: those we follow, and those we know and leave alone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tesuji._core import rank_inputs
from tesuji.base.errors import InputError
from tesuji.base.settings import typed

PERSPECTIVES = ("BLACK", "WHITE", "SIDETOMOVE")
MOST_VISITS = 2**50

# Every other setting of KataGo's: its own search, its devices, its logs. Nothing is said about them.
_KATAGO = """
    alwaysComputePassAliveUnderSuicideRules analysisPVLen antiMirror assumeMultipleStartingBlackMovesAreHandicap
    autoAvoidRepeatDir avoidRepeatedPatternUtility chosenMovePrune chosenMoveSubtract chosenMoveTemperature
    chosenMoveTemperatureEarly chosenMoveTemperatureHalflife chosenMoveTemperatureOnlyBelowProb conservativePass
    cpuctExploration cpuctExplorationBase cpuctExplorationLog cpuctUtilityStdevPrior cpuctUtilityStdevPriorWeight
    cpuctUtilityStdevScale cudaDisableWarmup debugSkipNeuralNet defaultBoardSize deviceToUse
    drawEquivalentWinsForWhite dynamicScoreCenterScale dynamicScoreCenterZeroWeight dynamicScoreUtilityFactor
    enableMorePassingHacks enablePassingHacks endgameTurnTimeDecay evalCacheMinVisits fillDameBeforePass
    forDeterministicTesting fpuLossProp fpuParentWeight fpuParentWeightByVisitedPolicy
    fpuParentWeightByVisitedPolicyPow fpuReductionMax friendlyPassOk futileVisitsThreshold gpuToUse
    graphSearchCatchUpLeakProb graphSearchCatchUpProp graphSearchRepBound hasButton homeDataDir
    humanSLChosenMoveIgnorePass humanSLChosenMovePiklLambda humanSLChosenMoveProp humanSLCpuctExploration
    humanSLCpuctPermanent humanSLOppExploreProbWeightful humanSLOppExploreProbWeightless
    humanSLPlaExploreProbWeightful humanSLPlaExploreProbWeightless humanSLProfile humanSLRootExploreProbWeightful
    humanSLRootExploreProbWeightless ignoreAllHistory ignorePreRootHistory inputsUseNHWC koRule komi lagBuffer
    lcbStdevs logAllRequests logAllResponses logDir logDirDated logErrorsAndWarnings logFile logSearchInfo
    logTimeStamp logToStderr maxBoardSizeForNNBuffer maxBoardXSizeForNNBuffer maxBoardYSizeForNNBuffer maxPlayouts
    maxPlayoutsPondering maxTime maxTimePondering maxVisits maxVisitsPondering midgameTimeFactor midgameTurnPeakTime
    minPlayoutsPerThread minVisitPropForLCB multiStoneSuicideLegal nnCacheSizePowerOfTwo nnForcedSymmetry
    nnMaxBatchSize nnMutexPoolSizePowerOfTwo nnPolicyTemperature nnRandSeed nnRandomize noResultUtilityForWhite
    nodeTableShardsPowerOfTwo noisePruneUtilityScale noisePruningCap numAnalysisThreads numBots
    numEigenThreadsPerModel numNNServerThreadsPerModel numSearchThreads numSearchThreadsPerAnalysisThread
    numVirtualLossesPerThread obviousMovesPolicyEntropyTolerance obviousMovesPolicySurpriseTolerance
    obviousMovesTimeFactor overallocateTimeFactor playoutDoublingAdvantage playoutDoublingAdvantagePla
    policyOptimism preventCleanupPhase reportAnalysisWinratesAs requireMaxBoardSize rootDesiredPerChildVisitsCoeff
    rootDirichletNoiseTotalConcentration rootDirichletNoiseWeight rootEndingBonusPoints rootFpuLossProp
    rootFpuReductionMax rootNoiseEnabled rootNumSymmetriesToSample rootPolicyOptimism rootPolicyTemperature
    rootPolicyTemperatureEarly rootPruneUselessMoves rootSymmetryPruning rules scoringRule searchFactorAfterOnePass
    searchFactorAfterTwoPass searchRandSeed staticScoreUtilityFactor subtreeValueBiasFactor subtreeValueBiasFreeProp
    subtreeValueBiasTableNumShards subtreeValueBiasWeightExponent taxRule treeReuseCarryOverTimeFactor
    uncertaintyCoeff uncertaintyExponent uncertaintyMaxWeight useEvalCache useFP16 useGraphSearch useLcbForSelection
    useNoisePruning useNonBuggyLcb useUncertainty valueWeightExponent warnUnusedFields whiteBonusPerHandicapStone
    whiteHandicapBonus wideRootNoise winLossUtilityFactor
"""
LEFT_ALONE = frozenset(_KATAGO.split())
_BY_DEVICE = ("deviceToUse", "gpuToUse", "cuda", "trt", "opencl", "eigen", "metal")  # with a number behind


@dataclass(frozen=True)
class AnalysisSettings:
    """What a config file, `-override-config` or a query may change."""

    perspective: str = "BLACK"
    """Whose win rates and scores are told: BLACK, WHITE or SIDETOMOVE."""
    visits: int = 500
    seconds: float | None = None
    pv_length: int = 15
    root_temperature: float = 1.0
    warn_unused: bool = True
    human_profile: str = ""
    """Whom `humanPolicy` imitates, as KataGo names them: rank_12k, preaz_12k, proyear_1990."""

    def changed(self, given: Mapping[str, Any]) -> tuple["AnalysisSettings", list[str]]:
        """With these settings, and the names nobody knows. Raises `InputError` for values that cannot be."""
        settings, unknown = self, []
        for key, value in given.items():
            if key in _FOLLOWED:
                name, read = _FOLLOWED[key]
                settings = replace(settings, **{name: read(key, value)})
            elif key not in LEFT_ALONE and not key.startswith(_BY_DEVICE):
                unknown.append(key)
        return settings, unknown


def _perspective(key: str, value: object) -> str:
    text = str(value).upper()
    if text not in PERSPECTIVES:
        raise InputError(f"{key} must be one of {', '.join(PERSPECTIVES)}, not {str(value)[:40]}")
    return text


def _within(key: str, value: object, kind: type, low: float, high: float) -> float:
    number = typed(key, value, kind, "analysis")
    assert isinstance(number, int | float)
    if not low <= number <= high:
        raise InputError(f"{key} must lie between {low:g} and {high:g}, not at {str(value)[:40]}")
    return number


_PROFILE = re.compile(r"(?:rank|preaz)_(\d+[kd])(?:_\d+[kd])?|proyear_(\d{4})", re.ASCII)


def _profile(value: object) -> str:
    text = str(value)
    if text:
        rank_of(text)
    return text


def rank_of(profile: str) -> str:
    """The rank of the player to move in a profile of KataGo's; professionals play like 9d. Raises `InputError`."""
    found = _PROFILE.fullmatch(profile)
    if found is None:
        known = "rank_30k to rank_9d, preaz_12k, proyear_1990"
        raise InputError(f"Unknown human SL network profile: {profile[:60]}; known: {known}")
    return rank_inputs(found[1])[0] if found[1] else "9d"


_FOLLOWED: dict[str, tuple[str, Any]] = {
    "reportAnalysisWinratesAs": ("perspective", _perspective),
    "maxVisits": ("visits", lambda key, value: _within(key, value, int, 1, MOST_VISITS)),
    "maxPlayouts": ("visits", lambda key, value: _within(key, value, int, 1, MOST_VISITS)),
    "maxTime": ("seconds", lambda key, value: _within(key, value, float, 0, 1e20)),
    "analysisPVLen": ("pv_length", lambda key, value: _within(key, value, int, 1, 1000)),
    "rootPolicyTemperature": ("root_temperature", lambda key, value: _within(key, value, float, 0.01, 100)),
    "warnUnusedFields": ("warn_unused", lambda key, value: typed(key, value, bool, "analysis")),
    "humanSLProfile": ("human_profile", lambda key, value: _profile(value)),
}


def read_config(path: Path) -> dict[str, str]:
    """The settings of a config file in KataGo's form: `key = value`, `#` begins a comment, `@` is passed over."""
    settings = {}
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        text = line.partition("#")[0].strip()
        if not text or text.startswith("@"):
            continue
        key, sign, value = text.partition("=")
        if not sign:
            raise InputError(f"{path}, line {number}: '{text[:40]}' is no key = value")
        settings[key.strip()] = value.strip()
    return settings


def read_overrides(text: str) -> dict[str, str]:
    """The pairs of `-override-config "k=v, k=v"`."""
    pairs: dict[str, str] = {}
    key = ""
    for part in text.split(","):
        name, sign, value = part.partition("=")
        if sign:
            key = name.strip()
            pairs[key] = value.strip()
        elif key:
            pairs[key] += f",{part}"  # a value may hold commas itself
        elif part.strip():
            raise InputError(f"-override-config takes key=value, not '{part.strip()[:40]}'")
    return pairs
