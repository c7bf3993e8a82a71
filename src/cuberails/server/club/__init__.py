"""What makes a club of a server: accounts, a lobby, time controls, calls, standing orders."""
