//! Folds the minutes of all sessions into tables, in plan order, whatever order they were completed in.
