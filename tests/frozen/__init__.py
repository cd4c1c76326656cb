"""The moves of bots that results are measured against: a version plays as it always did."""
