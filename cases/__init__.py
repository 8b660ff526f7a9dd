"""What is known of each library: how it is called, what it promises, and where it is known to depart from that."""
