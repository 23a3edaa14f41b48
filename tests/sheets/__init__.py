"""What is read as a sheet, and what can be done with one."""
