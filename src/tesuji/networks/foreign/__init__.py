"""Networks of other programs, KataGo's and Leela Zero's, read from their own files. Needs neither torch nor onnx."""
