"""The matrix: every release of a library against every case, and the releases at which something changed."""
