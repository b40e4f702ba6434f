"""GoToScorer (Gotou et al. 2020): chunks of the reference, weighted by how few systems get them right."""
