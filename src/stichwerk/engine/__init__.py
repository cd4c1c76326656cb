"""The frame that every trick-taking game fills in, and what runs on it: play-outs and sampling."""
