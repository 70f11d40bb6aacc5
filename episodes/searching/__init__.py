"""What a search understands: text as words, queries as terms, and passages where they stand."""
