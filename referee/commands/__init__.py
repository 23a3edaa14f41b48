"""Commands that keep the book: what goes in and out of it, copies of it, proof that it is sound."""
