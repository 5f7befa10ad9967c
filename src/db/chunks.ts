const ROWS = 500

/** Splits items into chunks that fit into one statement. @param rows of a chunk; fewer than 500 if they are large */
export function* chunks<Item>(items: readonly Item[], rows = ROWS): Generator<Item[]> {
  for (let start = 0; start < items.length; start += rows) yield items.slice(start, start + rows)
}
