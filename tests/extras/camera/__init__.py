"""What the camera promises."""
