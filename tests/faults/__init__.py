"""A catalogue of faults, and a command that plants them: does the test suite find each one?"""
