"""Studies of users: what `misread init` writes into a folder."""
