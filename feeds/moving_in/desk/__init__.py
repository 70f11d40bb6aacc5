"""Moving in at the desk: the form, a run with its report, and the checklist of a move."""
