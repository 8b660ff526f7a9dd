"""What a divergence does to the numbers that somebody has."""
