/** The pages that the links of a text lead to. */
import { outlineAt } from './levels.ts'
import type { ContentPath } from '../../api/paths.ts'

/** The most ids of one request. */
const AT_ONCE = 100

/** The ids of the pages of the same space that a text names, in any depth. */
export function pagesNamedIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) pagesNamedIn(one, found)
  else if (typeof value === 'object' && value !== null) {
    const { kind, page, space } = value as { kind?: unknown; page?: unknown; space?: unknown }
    if ((kind === 'page' || kind === 'anchor') && typeof page === 'string' && space === undefined)
      found.add(page)
    for (const one of Object.values(value)) pagesNamedIn(one, found)
  }
  return found
}

/** The ids that one request reads at a time. */
export const partsOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) =>
    ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  )

/** The path of the pages with these ids below `/v1`. */
export const linkedPagesAt = (content: ContentPath, part: readonly string[]) =>
  `${outlineAt(content)}?limit=${AT_ONCE}&ids=${part.join(',')}` as const
