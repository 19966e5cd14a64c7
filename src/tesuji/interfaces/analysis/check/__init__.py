"""Holds any analysis engine against what clients send: transcripts as data, a runner, a fuzzer."""
