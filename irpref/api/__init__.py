"""What people call, and the objects that they get: a collection, a comparison, an evaluation, a plan."""
