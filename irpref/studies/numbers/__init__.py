"""Arithmetic that only studies need."""
