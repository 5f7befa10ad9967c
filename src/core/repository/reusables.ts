import { need } from '../data/lists.ts'
import { because } from '../languages/reasons.ts'
import { LIMITS } from '../content/limits.ts'
import { findFile } from './addresses.ts'
import type { Repository } from './addresses.ts'
import type { Library } from './library.ts'
import type { PageReading, PlannedReusable } from './model.ts'
import type { PlannedTree } from './pages.ts'
import { isBelow, isMarkdown, joinPath, lastSegment, titleOfName } from '../text/file-paths.ts'
import { ImportRefused } from './refused.ts'

/** Plans every file in `.gitbook/includes`, and every other Markdown file that a page or an include embeds. */
export async function planReusables<R extends PageReading>(
  repository: Repository,
  tree: PlannedTree<R>,
  library: Library<R>,
): Promise<PlannedReusable<R>[]> {
  const folder = joinPath(repository.root, '.gitbook/includes') ?? ''
  const paths = new Set(
    [...repository.files.keys()].filter((path) => isBelow(path, folder) && isMarkdown(path)),
  )
  const sources = new Map<string, Including>()
  const add = (from: string, { length }: string, includes: string[] = []) => {
    const found = includes.flatMap((include) => findFile(repository, from, include) ?? []).filter(isMarkdown)
    for (const path of found) paths.add(path)
    sources.set(from, { length, includes: found })
  }

  for (const [file, { source, reading }] of tree.documents) add(file, source, reading.includes)
  const reusables: PlannedReusable<R>[] = []
  // The set grows during the loop, because an include may embed other files.
  for (const path of paths) {
    const { source, reading } = await library.open(path)
    reusables.push({ path, title: reading.title?.trim() || titleOfName(lastSegment(path)), source, reading })
    add(path, source, reading.includes)
  }
  checkIncludes(sources)

  return reusables
}

/** A source with the paths that it includes, one for each time. */
interface Including {
  length: number
  includes: string[]
}

/**
 * Refuses sources that include themselves, directly or through others, and pages that would be too long with all that
 * they include.
 * @throws ImportRefused
 */
function checkIncludes(sources: ReadonlyMap<string, Including>): void {
  /** The length of each source with everything that it includes; 0 while it is measured. */
  const lengths = new Map<string, number>()
  for (const start of sources.keys()) {
    const line = lengths.has(start) ? [] : [open(start)]
    for (let last = line.at(-1); last; last = line.at(-1)) {
      const next = last.left.pop()
      const known = next === undefined ? undefined : lengths.get(next)
      if (next === undefined) {
        lengths.set(last.path, last.total)
        line.pop()
        if (last.total > LIMITS.included) refuseLength(last.path, last.total)
        const outer = line.at(-1)
        if (outer) outer.total += last.total
      } else if (known === 0) {
        const paths = line.map(({ path }) => path)
        refuseCycle([...paths.slice(paths.indexOf(next)), next])
      } else if (known === undefined) line.push(open(next))
      else last.total += known
    }
  }

  function open(path: string) {
    const { length, includes } = need(sources, path)
    lengths.set(path, 0)
    return { path, left: includes.toReversed(), total: Math.max(1, length) }
  }
}

function refuseLength(path: string, length: number): never {
  throw new ImportRefused(
    because('import-includes-too-long', { path, size: length, limit: LIMITS.included }),
    path,
  )
}

/** The most paths of a cycle that the message names. */
const NAMED = 10

function refuseCycle(cycle: string[]): never {
  const [first = ''] = cycle
  const names = cycle.length > NAMED ? [...cycle.slice(0, NAMED), '…', first] : cycle
  throw new ImportRefused(because('import-includes-itself', { path: first, cycle: names.join(' → ') }), first)
}
