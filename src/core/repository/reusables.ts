import { need } from '../data/lists.ts'
import type { WithReason } from '../languages/reasoned.ts'
import { because } from '../languages/reasons.ts'
import { LIMITS } from '../content/limits.ts'
import { findFile } from './addresses.ts'
import type { Repository } from './addresses.ts'
import type { Library } from './library.ts'
import type { LongPages } from './long-pages.ts'
import type { PageReading, PlannedReusable, Problem } from './model.ts'
import type { PlannedTree } from './pages.ts'
import { isBelow, isMarkdown, joinPath, lastSegment, titleOfName } from '../text/file-paths.ts'

/**
 * Plans every file in `.gitbook/includes`, and every other Markdown file that a page or an include embeds. Those that cannot be
 * included are left out and listed.
 */
export async function planReusables<R extends PageReading>(
  repository: Repository,
  tree: PlannedTree<R>,
  library: Library<R>,
  { long, problems }: { long: LongPages; problems: Problem[] },
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
    for (const part of long.pages.get(path)?.following ?? []) paths.add(part)
    const { source, reading } = await library.open(path)
    reusables.push({ path, title: reading.title?.trim() || titleOfName(lastSegment(path)), source, reading })
    add(path, source, reading.includes)
  }
  const omitted = omittedIncludes(sources)
  for (const [path, why] of omitted) problems.push({ kind: 'conversion', path, ...why })

  return reusables.filter(({ path }) => !omitted.has(path))
}

/** A source with the paths that it includes, one for each time. */
interface Including {
  length: number
  includes: string[]
}

/**
 * The reusable contents that are left out because they include themselves, directly or through others, or because a page
 * would be too long with them.
 * @returns the reason for each by its path
 */
function omittedIncludes(sources: ReadonlyMap<string, Including>): Map<string, WithReason> {
  const omitted = new Map<string, WithReason>()
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
        const outer = line.at(-1)
        if (outer) add(outer, last.path, last.total)
      } else if (known === 0) {
        const paths = line.map(({ path }) => path)
        omitted.set(next, cycleMessage([...paths.slice(paths.indexOf(next)), next]))
      } else if (known === undefined) line.push(open(next))
      else add(last, next, known)
    }
  }
  return omitted

  function open(path: string) {
    const { length, includes } = need(sources, path)
    lengths.set(path, 0)
    return { path, left: includes.toReversed(), total: Math.max(1, length) }
  }

  function add(outer: { path: string; total: number }, path: string, length: number) {
    if (omitted.has(path)) return
    if (outer.total + length <= LIMITS.included) outer.total += length
    else omitted.set(path, because('include-too-long', { outer: outer.path, limit: LIMITS.included }))
  }
}

/** The most paths of a cycle that the message names. */
const NAMED = 10

function cycleMessage(cycle: string[]): WithReason {
  const [first = ''] = cycle
  const names = cycle.length > NAMED ? [...cycle.slice(0, NAMED), '…', first] : cycle
  return because('include-of-itself', { cycle: names.join(' → ') })
}
