"""What a check found, and the forms in which it is shown: ``Report`` to text."""
