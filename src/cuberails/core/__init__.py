"""What every title is made of: the contract, hexes, auctions, board files, records.

Pure: standard library only, no files, no screens, no network.
"""
