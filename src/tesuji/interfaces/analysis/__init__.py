"""KataGo's JSON analysis protocol: one object a line, many questions at once."""
