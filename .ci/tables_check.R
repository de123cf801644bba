# Reads results folders with their own load.R, from another working directory, and checks types, values and joins:
# Rscript --vanilla tables_check.R results/<experiment>…

check <- function(folder) {
  source(file.path(folder, "load.R"), local = TRUE)
  codebook <- read.csv(file.path(folder, "codebook.csv"), colClasses = "character")
  for (name in unique(codebook$table)) {
    table <- get(name)
    kinds <- codebook[codebook$table == name, ]
    # The same cells as nothing but text: what is read with types must write them again.
    raw <- read.csv(file.path(folder, paste0(name, ".csv")), colClasses = "character", na.strings = character(0),
                    encoding = "UTF-8", skipNul = TRUE, check.names = FALSE)
    stopifnot(is.data.frame(table), identical(names(table), kinds$column), nrow(table) == nrow(raw))
    for (column in names(table)) {
      cells <- table[[column]]
      kind <- kinds$type[kinds$column == column]
      right <- if (column %in% names(levels_in_order)) is.factor(cells) && identical(levels(cells), levels_in_order[[column]])
               else switch(kind, text = is.character(cells), count = is.integer(cells), flag = is.logical(cells), real = is.double(cells))
      if (!isTRUE(right)) stop(name, ": ", column, " is ", class(cells))
      again <- switch(if (is.factor(cells)) "text" else kind,
                      text = as.character(cells), count = format(cells, trim = TRUE, scientific = FALSE),
                      flag = as.character(as.integer(cells)), real = sprintf("%.6f", cells))
      again[is.na(cells)] <- ""
      if (!identical(again, raw[[column]])) stop(name, ": ", column, " is not read as it is written")
    }
  }
  joined <- join(seats, sessions)
  stopifnot(!anyDuplicated(sessions$session), nrow(joined) == nrow(seats), identical(joined[names(seats)], seats))
  place <- match(seats$session, sessions$session)
  for (column in setdiff(names(sessions), key_block)) {
    name <- if (column %in% names(seats)) paste0(column, "_session") else column
    if (!identical(joined[[name]], sessions[[column]][place])) stop("joined: ", column)
  }
  stopifnot(nrow(join(ballots, seats)) == nrow(ballots))
  cat(basename(folder), ": ", paste(unique(codebook$table), vapply(unique(codebook$table), function(n) nrow(get(n)), 0L), collapse = ", "), "\n", sep = "")
  # With chdir as without.
  here <- new.env()
  source(file.path(folder, "load.R"), local = here, chdir = TRUE)
  stopifnot(identical(here$sessions, sessions))
  # An arm that the design does not have is told, not read as a missing one.
  place <- tempfile("unknown")
  dir.create(place)
  file.copy(list.files(folder, "[.](csv|R)$", full.names = TRUE), place)
  lines <- readLines(file.path(place, "sessions.csv"), encoding = "UTF-8")
  lines[2] <- sub("^([^,]*),[^,]*,", "\\1,nosuch,", lines[2])
  writeLines(lines, file.path(place, "sessions.csv"), useBytes = TRUE)
  told <- tryCatch({ source(file.path(place, "load.R"), local = new.env()); "nothing" }, error = conditionMessage)
  if (!grepl("sessions.csv: arm holds nosuch", told, fixed = TRUE)) stop("an unknown arm: ", told)
}

folders <- normalizePath(commandArgs(TRUE))
setwd(tempdir())
for (folder in folders) check(folder)
