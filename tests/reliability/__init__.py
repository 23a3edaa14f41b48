"""Bad luck on purpose: a server that is killed while eight phones write."""
