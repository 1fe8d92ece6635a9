"""The environments: PettingZoo AEC, Gymnasium for one seat, and N games at once."""
