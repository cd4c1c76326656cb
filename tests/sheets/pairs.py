"""Helpers for tests of sheets side by side."""

PAIR_HANDS = {
    "Ada": "Y0 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 L0 L1",
    "Ben": "G0 G1 G2 G3 G4 G5 G6 G7 G8 G9 B0 B1",
    "Cem": "S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 R0 R1",
}


# -- Cross-notes of months -------------------------------------------------------------------------


SIX_PAIRS = ["Y0+Y1", "Y2+Y3", "Y4+Y5", "Y6+Y7", "Y8+Y9", "L0+L1"]
