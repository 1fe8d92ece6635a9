"""One person against opponents: the session, what an input means, and where games are kept.

Nothing here prints or reads a terminal; ``durak play`` does.
"""
