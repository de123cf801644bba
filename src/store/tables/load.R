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
# `ekklesia export FOLDER --format figures --out FOLDER/figures` writes the figures of the report with their data. Then
#
#   figure_contrasts()           draws one of them again with ggplot2, to be changed as you like
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

# Draws a figure of the report from its data. `folder` is what `ekklesia export --format figures` wrote.
draw_figure <- function(name, folder = file.path(results_folder, "figures")) {
  if (!requireNamespace("ggplot2", quietly = TRUE)) stop("this needs ggplot2: install.packages(\"ggplot2\")")
  read <- function(file) read.csv(file.path(folder, file), na.strings = "", encoding = "UTF-8", stringsAsFactors = FALSE)
  about <- read("figures.csv")
  about <- about[about$name == name, ]
  if (nrow(about) == 0) stop("this experiment has no figure ", name, "; it has ", paste(read("figures.csv")$name, collapse = ", "))
  rows <- read(paste0(name, ".csv"))
  in_order <- function(text) factor(text, levels = unique(text))
  for (column in setdiff(c("panel", "series"), names(rows))) rows[[column]] <- ""
  for (column in setdiff(c("low", "high", "n"), names(rows))) rows[[column]] <- NA_real_
  rows$panel[is.na(rows$panel)] <- ""
  rows$series[is.na(rows$series)] <- ""
  rows$panel <- in_order(rows$panel)
  percent <- function(values) paste0(round(100 * values), if (about$unit == "share") " %" else "")
  units <- if (about$unit %in% c("share", "difference_of_shares")) percent else ggplot2::waiver()
  colours <- if ("colour" %in% names(rows)) tapply(rows$colour, rows$series, `[`, 1) else NULL
  base <- switch(about$form,
    dots = {
      rows$series <- factor(rows$series, levels = rev(unique(rows$series)))
      ggplot2::ggplot(rows, ggplot2::aes(x = value, y = series, colour = colour)) +
        (if (is.na(about$reference)) NULL else ggplot2::geom_vline(xintercept = about$reference, linetype = "dashed", colour = "grey40")) +
        ggplot2::geom_linerange(ggplot2::aes(xmin = low, xmax = high), na.rm = TRUE) +
        ggplot2::geom_point(size = 2.5) +
        ggplot2::scale_colour_identity() +
        ggplot2::scale_x_continuous(labels = units) +
        ggplot2::scale_y_discrete(labels = function(names) wrap_words(names, 26)) +
        ggplot2::labs(x = wrap_words(about$across, 50), y = NULL)
    },
    lines = {
      rows$series <- in_order(rows$series)
      plot <- ggplot2::ggplot(rows, ggplot2::aes(x = at, y = value, colour = series, fill = series)) +
        (if (all(is.na(rows$low))) NULL
         else if ("text" %in% names(rows)) ggplot2::geom_linerange(ggplot2::aes(ymin = low, ymax = high), na.rm = TRUE)
         else ggplot2::geom_ribbon(ggplot2::aes(ymin = low, ymax = high), alpha = 0.16, colour = NA, na.rm = TRUE)) +
        ggplot2::geom_line() +
        ggplot2::geom_point(size = 2) +
        ggplot2::scale_colour_manual(
          values = colours, aesthetics = c("colour", "fill"), name = NULL, labels = function(names) wrap_words(names, 22)
        ) +
        ggplot2::scale_y_continuous(labels = units) +
        ggplot2::labs(x = about$across, y = wrap_words(about$upwards, 40))
      if ("text" %in% names(rows)) {
        plot <- plot + ggplot2::scale_x_continuous(breaks = seq_along(unique(rows$text)), labels = unique(rows$text))
      }
      if (nlevels(rows$series) == 1) plot + ggplot2::theme(legend.position = "none") else plot
    },
    grid = {
      rows$series <- factor(rows$series, levels = rev(unique(rows$series)))
      columns <- unique(c(rev(levels(rows$series)), rows$at))
      rows$at <- factor(rows$at, levels = columns[columns %in% rows$at])
      rows$words <- if ("text" %in% names(rows)) rows$text else rows$value
      ggplot2::ggplot(rows, ggplot2::aes(x = at, y = series, fill = value, label = words)) +
        ggplot2::scale_x_discrete(labels = function(names) wrap_words(names, 14)) +
        ggplot2::geom_tile(colour = "white") +
        ggplot2::geom_text(size = 3, na.rm = TRUE) +
        ggplot2::scale_fill_gradient(low = "white", high = "#85b5d7", limits = c(0, NA), na.value = "white", guide = "none") +
        ggplot2::labs(x = about$across, y = about$upwards)
    },
    flow = draw_flow(rows, about$across)
  )
  panels <- if (nlevels(rows$panel) > 1 && about$form != "flow") ggplot2::facet_wrap("panel", labeller = ggplot2::label_wrap_gen(30), ncol = if (about$form == "lines") 2 else 1, scales = if (about$form == "dots") "free_y" else "fixed")
  base + panels + ggplot2::labs(title = wrap_words(about$title, 50), subtitle = wrap_words(about$finding, 60))
}

# Texts in lines of at most so many characters.
wrap_words <- function(texts, width) vapply(strwrap(texts, width, simplify = FALSE), paste, "", collapse = "\n")

# Ribbons between the positions of neighbouring stages.
draw_flow <- function(rows, stages_end) {
  gap <- 0.04 * sum(rows$value[rows$panel == levels(rows$panel)[1]])
  positions <- unique(c(rows$series, rows$at))
  bottoms <- function(names, values) {
    sums <- vapply(positions, function(name) sum(values[names == name]), 0)
    shown <- sums > 0
    stats::setNames(cumsum(c(0, head(sums + ifelse(shown, gap, 0), -1))), positions)
  }
  step <- seq(0, 1, length.out = 30)
  ease <- step * step * (3 - 2 * step)
  ribbons <- list()
  for (stage in seq_len(nlevels(rows$panel))) {
    own <- rows[rows$panel == levels(rows$panel)[stage], ]
    from <- bottoms(own$series, own$value)
    to <- bottoms(own$at, own$value)
    for (row in seq_len(nrow(own))) {
      begin <- from[[own$series[row]]]
      end <- to[[own$at[row]]]
      from[[own$series[row]]] <- begin + own$value[row]
      to[[own$at[row]]] <- end + own$value[row]
      y <- begin + (end - begin) * ease
      ribbons[[length(ribbons) + 1]] <- data.frame(
        x = c(stage + step, rev(stage + step)), y = c(y, rev(y + own$value[row])), colour = own$colour[row], ribbon = length(ribbons)
      )
    }
  }
  first <- rows[rows$panel == levels(rows$panel)[1], ]
  last <- rows[rows$panel == levels(rows$panel)[nlevels(rows$panel)], ]
  label <- function(names, values, x, hjust) {
    sums <- vapply(positions, function(name) sum(values[names == name]), 0)
    middle <- bottoms(names, values) + sums / 2
    shown <- sums > 0
    ggplot2::annotate("text", x = x, y = middle[shown], label = wrap_words(paste(positions[shown], sums[shown]), 24), hjust = hjust, size = 3)
  }
  ends <- nlevels(rows$panel) + 1
  ggplot2::ggplot(do.call(rbind, ribbons), ggplot2::aes(x = x, y = y, fill = colour, group = ribbon)) +
    ggplot2::geom_polygon(alpha = 0.5) +
    ggplot2::scale_fill_identity() +
    ggplot2::scale_y_reverse() +
    ggplot2::annotate("text", x = seq_len(ends), y = -gap, label = c(levels(rows$panel), stages_end), size = 3, fontface = "bold") +
    label(first$series, first$value, 0.97, 1) +
    label(last$at, last$value, ends + 0.03, 0) +
    ggplot2::scale_x_continuous(limits = c(0.2, ends + 0.8)) +
    ggplot2::theme_void() +
    ggplot2::theme(plot.background = ggplot2::element_rect(fill = "white", colour = NA))
}

# FIGURES

# TABLES
