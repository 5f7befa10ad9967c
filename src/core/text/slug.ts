import { shorten } from './shorten.ts'

/**
 * Makes the anchor or URL segment of a text: lower case, with the letters and digits of every script, so that Chinese
 * headings have anchors. Everything else becomes a single dash. Empty if the text has neither letters nor digits.
 */
export function slugify(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’`]|\p{Variation_Selector}/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}_.]+/gu, '-')
    .replace(/\.(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])\./gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
}

/** The maximum length of a slug. */
export const LONGEST_SLUG = 100

/** Options for numbering a name. */
export interface Numbering {
  /** The maximum length of the name. */
  readonly longest?: number
  /** Text after the number, such as a file extension. */
  readonly after?: string
  /** The next number for each name. Without this map, every search starts at 1. */
  readonly numbers?: Map<string, number>
}

/** Returns the name, or the first of `name-1`, `name-2` … that is free, cut to at most `longest` characters. */
export function freeName(
  name: string,
  isTaken: (name: string) => boolean,
  { longest = Infinity, after = '', numbers = new Map<string, number>() }: Numbering = {},
): string {
  let free = cutTo(name, longest - after.length) + after
  let stem = name
  for (let number = (numbers.get(name) ?? 0) + 1; isTaken(free); number++) {
    numbers.set(name, number)
    const suffix = `-${number}${after}`
    // The suffix becomes longer only at 1, 10, 100 …, so the name is cut again only then.
    if (stem === name || /^10*$/.test(String(number))) stem = cutTo(name, longest - suffix.length)
    free = stem + suffix
  }
  return free
}

/** Cuts the name, and removes dashes, dots and half surrogate pairs at the cut. */
function cutTo(name: string, longest: number): string {
  return name.length <= longest ? name : withoutTail(shorten(name, longest))
}

/** Removes dashes, dots and half surrogate pairs at the end. A loop, because `/[-.]+$/` takes quadratic time. */
export function withoutTail(slug: string): string {
  let end = slug.length
  while (end > 0 && /[-.\ud800-\udbff]/.test(slug[end - 1] ?? '')) end--
  return slug.slice(0, end)
}

/**
 * Makes names unique within one scope: the first keeps its name, later ones get `-1`, `-2` …. Empty names become
 * `fallback`. With `caseless`, names are compared without case, and `taken` must be in lower case.
 */
export function uniquifier(
  taken: Iterable<string> = [],
  { caseless = false, longest = Infinity }: { caseless?: boolean; longest?: number } = {},
): (name: string, fallback?: string) => string {
  const used = new Set(taken)
  const takenKey = (name: string) => (caseless ? name.toLowerCase() : name)
  const numbers = new Map<string, number>()

  return (name, fallback = 'section') => {
    const wanted = name === '' ? fallback : name
    if (wanted.length <= longest && !used.has(takenKey(wanted))) {
      used.add(takenKey(wanted))
      return wanted
    }
    const unique = freeName(wanted, (one) => used.has(takenKey(one)), { longest, numbers })
    used.add(takenKey(unique))
    return unique
  }
}
