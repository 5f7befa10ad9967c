/** Reads levels of page trees. Small levels that are needed at the same time are read by one request. */
import { append } from '../../../../core/data/lists.ts'
import { api } from '../../api/requests.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { ContentPath } from '../../api/paths.ts'

/** A page without the pages below it. */
export type OutlinePage = Schemas['OutlinePage']

/** The pages of one level that have been read, and how many there are. */
export interface TreeLevel {
  items: OutlinePage[]
  count: number
  /** The page on the way to the current one, if it comes after those that have been read. */
  beyond?: OutlinePage
}

/** So many pages of a level are read and shown at once. */
export const PART = 200
/** The server takes about this many ids in one request. */
const MOST_PARENTS = 100

/** The path of the outlines of a content below `/v1`; what begins with it is read again after a change. */
export const outlineAt = (content: ContentPath) => `${content}/outline` as const

/** Writers see the computed page itself, readers the pages that it stands for. */
const COMPUTED = { reading: [], writing: ['computed=false'] }
export type Purpose = keyof typeof COMPUTED

const queryOf = (purpose: Purpose, parts: string[]) => [...parts, ...COMPUTED[purpose]].join('&')

/** The path of a level below `/v1`. */
export const levelAt = (content: ContentPath, parent: string | null, purpose: Purpose) =>
  `${outlineAt(content)}?${queryOf(purpose, [...(parent === null ? [] : [`parent=${parent}`]), `limit=${PART}`])}` as const

/** The path of several levels below `/v1`. */
const levelsAt = (content: ContentPath, parents: readonly string[], purpose: Purpose) =>
  `${outlineAt(content)}?${queryOf(purpose, [`parents=${parents.join(',')}`, `limit=${PART}`])}` as const

/** The path of the way to a page below `/v1`. */
export const wayAt = (content: ContentPath, path: string, purpose: Purpose) =>
  `${outlineAt(content)}?${queryOf(purpose, [`path=${encodeURIComponent(path)}`])}` as const

/** Reads pages of results until there are as many items as needed. */
async function readPages(
  path: `${ContentPath}/outline?${string}`,
  most: number,
  signal?: AbortSignal,
): Promise<TreeLevel> {
  const items: OutlinePage[] = []
  let cursor = ''
  for (;;) {
    const at = cursor === '' ? '' : `&page=${encodeURIComponent(cursor)}`
    const part = await api(`GET ${path}${at}`, undefined, signal)
    append(items, part.items)
    if (!part.next || items.length >= most) return { items, count: part.count ?? items.length }
    cursor = part.next.page
  }
}

/** A level to read. */
interface WantedLevel {
  content: ContentPath
  parent: string | null
  purpose: Purpose
  /** How many pages it has, as far as that is known. */
  children: number | undefined
  /** How many pages of it to read. */
  most: number
}

/** Reads a level. */
export function readLevel(level: WantedLevel, signal: AbortSignal): Promise<TreeLevel> {
  const { content, parent, purpose, children = PART + 1, most } = level
  if (parent === null || children > PART) return readPages(levelAt(content, parent, purpose), most, signal)
  return readSoon(content, parent, purpose, children)
}

/** The levels that one request reads. */
interface Batch {
  parents: string[]
  /** How many pages they have together. */
  size: number
  read: Promise<TreeLevel>
}

const batches = new Map<string, Batch>()

/** Reads a small level together with the others that are wanted in the same task. */
async function readSoon(
  content: ContentPath,
  parent: string,
  purpose: Purpose,
  size: number,
): Promise<TreeLevel> {
  const name = `${content} ${purpose}`
  let batch = batches.get(name)
  if (!batch || batch.size + size > PART || batch.parents.length === MOST_PARENTS) {
    const parents: string[] = []
    const made: Batch = { parents, size: 0, read: Promise.resolve().then(() => send()) }
    const send = () => {
      if (batches.get(name) === made) batches.delete(name)
      return readPages(levelsAt(content, parents, purpose), Number.POSITIVE_INFINITY)
    }
    batch = made
    batches.set(name, made)
  }
  batch.parents.push(parent)
  batch.size += size
  const { items } = await batch.read
  const own = items.filter((page) => page.parent === parent)
  return { items: own, count: own.length }
}
