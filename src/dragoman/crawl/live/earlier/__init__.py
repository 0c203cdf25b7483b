"""What is known from earlier crawls, and crawls that go on from it."""
