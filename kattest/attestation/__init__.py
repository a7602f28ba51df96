"""What a judge attestation is: its model, its parsing, and everything that can be computed of it.

Pure functions over parsed documents. The rules compare a committed file with what these compute.
"""
