const ROWS = 500

/** Splits items into chunks that fit into one statement. */
export function* chunks<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += ROWS) yield items.slice(start, start + ROWS)
}
