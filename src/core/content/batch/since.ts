/**
 * Compares the places, deletions, files, variables and redirects that a batch changes with what others have changed since
 * the revision that it is based on. Texts and fields of pages are compared where they are read (`write.ts`).
 */
import { jsonEqual } from '../../data/json.ts'
import { keyOfRedirect } from './named-values.ts'
import { refuseBatch } from './refused.ts'
import type { ContentRef } from '../../document/model.ts'
import type { FileRecord, PageRecord, Variables } from '../revision.ts'
import type { PageTree } from '../tree/tree.ts'
import type { PageConflict } from './write.ts'
import { because } from '../../languages/reasons.ts'

/** The state of a space that a batch can change without writing to a text. */
export interface SpaceState {
  tree: PageTree
  files: ReadonlyMap<string, FileRecord>
  variables?: Variables
  /** By old path; a target is the repository path of a page, or a URL. */
  redirects?: Readonly<Record<string, string>>
}

/** The revision that a batch is based on. */
export interface BasedOn {
  id: string
  state: SpaceState
}

/** A change, as it is sent or as it is read. */
interface AnyChange {
  operation: string
  page?: string
  into?: string | null
  at?: number
  file?: string
  files?: readonly (string | object)[]
  name?: string
  variables?: Variables | Readonly<Record<string, Variables[string] | null>>
  redirects?: Readonly<Record<string, ContentRef | null>>
}

/** The changes without what only repeats what others did or the revision has, and what contradicts the others. */
export interface ComparedChanges<C> {
  changes: C[]
  conflicts: PageConflict[]
}

/**
 * Compares changes with those of others.
 * @param hashOf the hash of the bytes that `update_file` stores, by the index of the change
 * @throws BatchRefused if a file is not in the revision
 */
export function compareWithOthers<C extends { operation: string }>(
  changes: readonly C[],
  hashOf: (index: number) => string | undefined,
  now: SpaceState,
  base: BasedOn,
): ComparedChanges<C> {
  const conflicts: PageConflict[] = []
  const placed = new Map<string, string | null>()
  const compared = changes.map((change, index) => {
    const given: AnyChange = change
    const found = compareOne({ given, index, hash: hashOf(index) }, now, base, placed)
    for (const conflict of found.conflicts) conflicts.push(conflict)
    return { ...change, ...found.with, ...without(found.drops) }
  })
  return { changes: compared.map(dropUndefined), conflicts }
}

interface Compared {
  conflicts: PageConflict[]
  /** Fields to replace, and to leave out. */
  with?: object
  drops?: readonly string[]
}

const SAME: Compared = { conflicts: [] }

const without = (fields: readonly string[] = []) =>
  Object.fromEntries(fields.map((field) => [field, undefined]))

function dropUndefined<C extends object>(change: C): C {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as C
}

/** @param placed where earlier changes of the batch have put pages */
function compareOne(
  { given, index, hash }: { given: AnyChange; index: number; hash: string | undefined },
  now: SpaceState,
  base: BasedOn,
  placed: Map<string, string | null>,
): Compared {
  const { operation, page = '', into } = given
  const target = typeof into === 'string' ? base.state.tree.get(into) : undefined
  if (target && !now.tree.get(target.id))
    return { conflicts: [{ page: target.id, title: target.title, kind: 'deleted' }] }
  switch (operation) {
    case 'update_page': {
      const compared = comparePlaces(given, now.tree, base.state.tree)
      if (into !== undefined && !compared.drops) placed.set(page, into)
      return compared
    }
    case 'delete_page':
      return { conflicts: changedBelow(page, now.tree, base.state.tree, placed) }
    case 'update_file':
      return compareFile(given, index, hash, now, base)
    case 'delete_files':
      return {
        conflicts: (given.files ?? []).flatMap((id, i) =>
          typeof id === 'string' ? deletedFile(id, { index, field: `files.${i}` }, now, base) : [],
        ),
      }
    case 'update_variables': {
      const { variables = {} } = given
      const kept = compareNamed('variables', 'Variables', variables, now.variables, base.state.variables)
      return { conflicts: kept.conflicts, with: { variables: kept.values } }
    }
    case 'update_redirects':
      return compareRedirects(given, now, base.state)
    default:
      return SAME
  }
}

/** A page that others have moved stays there, unless the writer moves it elsewhere, which conflicts. */
function comparePlaces({ page = '', into, at }: AnyChange, now: PageTree, base: PageTree): Compared {
  const [is, was] = [now.get(page), base.get(page)]
  if (!is || !was || (into === undefined && at === undefined)) return SAME
  const [here, before] = [treePlace(now, page), treePlace(base, page)]
  // A page that made room for another has another order key too, among the same siblings.
  const isReordered = is.order !== was.order && !isAfterTheSame(now, base, page)
  if (here.into === before.into && !isReordered) return SAME
  const parent = into === undefined ? before.into : into
  const isAt = (place: Place) => parent === place.into && (at === undefined || at === place.at)
  if (isAt(here) || isAt(before)) return { conflicts: [], drops: ['into', 'at'] }
  const mine = { into: parent, ...(at === undefined ? {} : { at }) }
  const versions = { base: before, theirs: here, mine }
  return { conflicts: [{ page, title: is.title, kind: 'field', field: 'place', ...versions }] }
}

interface Place {
  into: string | null
  at: number
}

function treePlace(tree: PageTree, page: string): Place {
  const into = tree.parent(page)
  return { into, at: tree.children(into).findIndex(({ id }) => id === page) }
}

/** Whether the same siblings are before a page, of those that both trees have there. */
function isAfterTheSame(now: PageTree, base: PageTree, page: string): boolean {
  const [is, was] = [now, base].map((tree) => tree.children(tree.parent(page)).map(({ id }) => id)) as [
    string[],
    string[],
  ]
  const before = (ids: readonly string[], others: readonly string[]) => {
    const known = new Set(others)
    return ids.slice(0, ids.indexOf(page)).filter((id) => known.has(id))
  }
  return new Set(before(is, was)).symmetricDifference(new Set(before(was, is))).size === 0
}

/** The pages below a page to delete that others have added, changed or moved there. */
function changedBelow(
  page: string,
  now: PageTree,
  base: PageTree,
  placed: ReadonlyMap<string, string | null>,
): PageConflict[] {
  const conflicts: PageConflict[] = []
  const open = [page]
  for (const one of open) {
    const children = now.children(one).filter(({ id }) => !placed.has(id))
    const moved = [...placed].flatMap(([id, into]) => (into === one ? (now.get(id) ?? []) : []))
    for (const child of [...children, ...moved]) {
      open.push(child.id)
      if (!isSamePage(child, base.get(child.id)))
        conflicts.push({ page: child.id, title: child.title, kind: 'changed' })
    }
  }
  return conflicts
}

function isSamePage(is: PageRecord, was: PageRecord | undefined): boolean {
  return was !== undefined && jsonEqual({ ...is, updatedAt: '' }, { ...was, updatedAt: '' })
}

function compareFile(
  { file = '', name }: AnyChange,
  index: number,
  hash: string | undefined,
  now: SpaceState,
  base: BasedOn,
): Compared {
  const [is, was] = [now.files.get(file), base.state.files.get(file)]
  if (is && !was) refuseUnread(index, 'file', file, base.id)
  if (!was) return SAME
  if (!is) return { conflicts: [{ page: file, title: was.name, kind: 'deleted' }] }
  const compared = { conflicts: [] as PageConflict[], drops: [] as string[] }
  const compare = (field: 'name' | 'hash', mine: string | undefined, sentAs: string) => {
    if (mine === undefined || is[field] === was[field] || mine === is[field]) return
    if (mine === was[field]) compared.drops.push(sentAs)
    else
      compared.conflicts.push({
        page: file,
        title: is.name,
        kind: 'field',
        field: field === 'hash' ? 'content' : field,
        base: was[field],
        theirs: is[field],
        mine,
      })
  }
  compare('name', name, 'name')
  compare('hash', hash, 'bytes')
  return compared
}

function deletedFile(
  id: string,
  { index, field }: { index: number; field: string },
  now: SpaceState,
  base: BasedOn,
): PageConflict[] {
  const [is, was] = [now.files.get(id), base.state.files.get(id)]
  if (!is) return []
  if (!was) return refuseUnread(index, field, id, base.id)
  const isSame = is.name === was.name && is.hash === was.hash
  return isSame ? [] : [{ page: id, title: is.name, kind: 'changed' }]
}

function refuseUnread(index: number, field: string, id: string, revision: string): never {
  return refuseBatch(index, field, because('file-not-in-base', { id, revision }))
}

/** The values that the writer sets, without those of the revision where others have set another one. */
function compareNamed<V>(
  field: 'variables' | 'redirects',
  title: string,
  sent: Readonly<Record<string, V | null>>,
  now: Readonly<Record<string, V>> = {},
  base: Readonly<Record<string, V>> = {},
): { values: Record<string, V | null>; conflicts: PageConflict[] } {
  const conflicts: PageConflict[] = []
  const kept = Object.entries(sent).filter(([key, mine]) => {
    const ofKey = (values: Readonly<Record<string, V>>) =>
      Object.hasOwn(values, key) ? (values[key] ?? null) : null
    const [was, theirs] = [ofKey(base), ofKey(now)]
    if (jsonEqual(was, theirs) || jsonEqual(mine, theirs)) return true
    if (jsonEqual(mine, was)) return false
    conflicts.push({ title, kind: 'field', field, key, base: was, theirs, mine })
    return true
  })
  return { values: Object.fromEntries(kept), conflicts }
}

/** Compares redirects as the API shows them, by paths without regard to case. */
function compareRedirects({ redirects = {} }: AnyChange, now: SpaceState, base: SpaceState): Compared {
  const nameOf = new Map(Object.keys(redirects).map((path) => [keyOfRedirect(path), path]))
  const shown = ({ redirects: stored = {}, tree }: SpaceState) =>
    Object.fromEntries(
      Object.entries(stored).map(([path, target]): [string, ContentRef] => {
        const page = tree.byFile(target)
        return [
          nameOf.get(keyOfRedirect(path)) ?? path,
          page ? { kind: 'page', page: page.id } : { kind: 'url', url: target },
        ]
      }),
    )
  const { values, conflicts } = compareNamed('redirects', 'Redirects', redirects, shown(now), shown(base))
  return { conflicts, with: { redirects: values } }
}
