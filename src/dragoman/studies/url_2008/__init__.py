"""The study "Web Page Language Identification Based on URLs" (Baykan, Henzinger, Weber; VLDB 2008) on our data.

plan: which classifiers are trained, on how much. training: one of them becomes scores. study: all of them, kept as
they finish. figures: scores become the numbers of its tables. findings: which of its claims hold here.
"""
