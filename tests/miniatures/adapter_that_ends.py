"""A subject that ends the process when it is imported."""

import os

os.write(2, b"the last thing that it says\n")
os._exit(4)
