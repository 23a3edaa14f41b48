"""Counters, chips and money: payments, pools, settling up."""
