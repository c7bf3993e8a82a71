"""The web application: tables where people and bots play, live, in one process with one file."""
