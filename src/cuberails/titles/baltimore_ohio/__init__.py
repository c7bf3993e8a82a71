"""Baltimore & Ohio: a stock market, six levels of technology, presidents, and railroads that can go broke."""
