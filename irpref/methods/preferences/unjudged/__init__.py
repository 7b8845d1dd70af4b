"""What holds however the unjudged documents at the top of two rankings are judged."""
