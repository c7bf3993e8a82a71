"""Wabash Cannonball: auctions, expansion, development, and the Wabash that opens at Chicago."""
