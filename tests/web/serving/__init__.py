"""Tests of the server between sockets and pages."""
