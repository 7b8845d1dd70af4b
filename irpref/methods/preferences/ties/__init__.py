"""Expected preferences: means over all orders of tied groups, every order equally likely."""
