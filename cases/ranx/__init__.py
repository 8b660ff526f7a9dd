"""ranx: https://github.com/AmenRa/ranx."""
