"""What results were made with: signatures of numbers, digests of definitions and of installed plug-ins."""
