"""The results of releases as one HTML page: a grid of releases and contracts, with the evidence behind each cell."""
