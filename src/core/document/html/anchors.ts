/** The anchor of a page that a link means: the one it names, or else the only one that is written almost the same. */
export type FindAnchor = (wanted: string) => string

/**
 * Finds anchors in spite of differences in punctuation, case or an `id-` in front: other tools make other anchors of the
 * same heading. A name that fits no anchor, or several, stays as it is.
 */
export function anchorFinder(anchors: Iterable<string>): FindAnchor {
  const exact = new Set(anchors)
  const similar = new Map<string, string | undefined>()
  for (const anchor of exact) {
    const key = essence(anchor)
    similar.set(key, similar.has(key) ? undefined : anchor)
  }
  return (wanted) => (exact.has(wanted) ? wanted : (similar.get(essence(wanted)) ?? wanted))
}

function essence(anchor: string): string {
  const letters = anchor
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^(?:user-content-)?(?:id-)?/, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
  // An anchor of punctuation alone is only like itself.
  return letters === '' ? anchor : letters
}

/** The anchor of a title for which the writer set none: its words in lower case, joined by hyphens. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]+/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}
