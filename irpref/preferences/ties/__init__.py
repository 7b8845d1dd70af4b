"""Tied groups in any order, every order being equally likely: what the expected preferences share."""
