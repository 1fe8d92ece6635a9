"""A slow, plain model of the podkidnoy rules, used to check the real engine."""
