"""Sums over topics and pairs of systems, and what statistics say of them."""
