"""Programs that attack a server on loopback, bounded in count and time, and print what they got;
`make attack` runs them all."""
