"""MaxMatch (Dahlmeier and Ng 2012): the edits of a system that agree best with the reference."""
