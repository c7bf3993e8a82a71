"""Southern Rails: no money; shares are drafted, cubes placed one a turn, and ties score nothing."""
