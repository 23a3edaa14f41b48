"""Reliability tests: kills, concurrent clients, disk faults and power loss."""
