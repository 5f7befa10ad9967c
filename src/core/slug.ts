/**
 * The anchor or address word of a text: lower case, letters and digits of every script kept (so that Chinese
 * headings have anchors), everything else a single dash. Empty if the text has neither letter nor digit.
 */
export function slugify(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’`]|\p{Variation_Selector}/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}_.]+/gu, '-')
    .replace(/\.(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])\./gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '')
}

/** Makes names unique within one scope: the first keeps its name, later ones get `-1`, `-2` …; empty names become `fallback`. */
export function uniquifier(taken: Iterable<string> = []): (name: string, fallback?: string) => string {
  const used = new Set(taken)
  const counters = new Map<string, number>()

  return (name, fallback = 'section') => {
    const wanted = name === '' ? fallback : name
    let unique = wanted
    while (used.has(unique)) {
      const count = (counters.get(wanted) ?? 0) + 1
      counters.set(wanted, count)
      unique = `${wanted}-${count}`
    }
    used.add(unique)
    return unique
  }
}
