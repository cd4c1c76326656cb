"""Numbers that several sheets of Stichtag use."""

RED = 0  # the colour that is trump, unless a sheet says otherwise
