"""Credit Mobilier: dice, goods running west on anybody's track, dividends paid in rounds."""
