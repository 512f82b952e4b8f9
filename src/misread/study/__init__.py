"""Studies of users: what `misread init` writes into a folder, and how a later version updates it."""
