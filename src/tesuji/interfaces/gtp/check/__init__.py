"""Holds any GTP engine against what the clients really send: transcripts as data, and a fuzzer."""
