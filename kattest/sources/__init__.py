"""Where trees come from: the working tree, the index, a commit. Only here is git known."""
