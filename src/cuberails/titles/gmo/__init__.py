"""Gulf, Mobile & Ohio: charter auctions, scarce colours, and points for connecting."""
