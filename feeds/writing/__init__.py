"""Records to XML text, one module for each level of the document. `feeds.generator` is the door."""
