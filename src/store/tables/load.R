# Reads every table of this folder with its types, in base R, from wherever you are:
#
#   source("results/first/load.R")
#
# Then `sessions`, `rounds`, `seats` and so on are data frames. Arms and levels of factors are factors with the baseline
# as their first level (the design's first where no baseline was named), so models contrast with it by themselves. Whole
# numbers are integers, flags are TRUE and FALSE, everything else is text or a real number; what is missing is NA.
# A text is never taken for NA: only an empty cell is missing. An arm or level that the design does not have is an error.
#
# `session` and `seat` join any two tables. `join` keeps every row of the first table in its order, and adds the columns
# of the second; a name that both have gets an ending:
#
#   join(seats, sessions)        each seat with the outcome of its session; words_session is the session's
#   join(statements, seats)      each statement with who said it
#
# Base R cannot hold NUL characters, so they are skipped, and it reads every line end inside a text as LF. A count beyond
# R's integers leaves its column a double.

results_folder <- local({
  sourced <- Filter(function(frame) is.character(frame$ofile), as.list(sys.frames()))
  if (length(sourced) == 0) {
    "."
  } else {
    last <- sourced[[length(sourced)]]
    if (isTRUE(last$chdir)) "." else dirname(last$ofile)
  }
})

read_table <- function(file, types) {
  classes <- c(text = "character", count = "numeric", real = "numeric", flag = "integer")[types]
  table <- read.csv(file.path(results_folder, file), colClasses = unname(classes), na.strings = "", encoding = "UTF-8",
                    skipNul = TRUE, stringsAsFactors = FALSE, check.names = FALSE, fill = FALSE)
  stopifnot(identical(names(table), names(types)))
  for (column in names(types)) {
    values <- table[[column]]
    if (types[[column]] == "flag") {
      table[[column]] <- values == 1L
    } else if (types[[column]] == "count" && all(values <= .Machine$integer.max, na.rm = TRUE)) {
      table[[column]] <- as.integer(values)
    } else if (column %in% names(levels_in_order)) {
      unknown <- setdiff(values[!is.na(values)], levels_in_order[[column]])
      if (length(unknown) > 0) {
        stop(file, ": ", column, " holds ", paste(unknown, collapse = ", "), ", which the design of this folder does not have")
      }
      table[[column]] <- factor(values, levels = levels_in_order[[column]])
    }
  }
  table
}

join <- function(rows, other) {
  by <- intersect(c("session", "seat"), intersect(names(rows), names(other)))
  key <- function(table) do.call(paste, c(lapply(by, function(name) table[[name]]), sep = "\r"))
  stopifnot("the second table has one row for each session, or for each session and seat" = !anyDuplicated(key(other)))
  added <- other[match(key(rows), key(other)), setdiff(names(other), c(key_block, by)), drop = FALSE]
  twice <- names(added) %in% names(rows)
  names(added)[twice] <- paste0(names(added)[twice], "_", by[length(by)])
  row.names(added) <- NULL
  cbind(rows, added)
}

# TABLES
