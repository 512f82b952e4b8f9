"""What code results were made with: digests of definitions and of installed plug-ins."""
