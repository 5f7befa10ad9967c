/** The law of repository paths as a property of random histories with merges, resolutions and reverts. */
import assert from 'node:assert/strict'
import fc from 'fast-check'

import { applyBatch } from '../../src/core/content/batch/apply.ts'
import { BatchRefused } from '../../src/core/content/batch/refused.ts'
import { resolveReference } from '../../src/core/content/links.ts'
import type { Conflict, Snapshot } from '../../src/core/content/merge/model.ts'
import { resolveConflict, sourcesToResolve } from '../../src/core/content/merge/resolve.ts'
import { pathProblems, pathTargets } from '../../src/core/content/repository-paths.ts'
import { indexTree } from '../../src/core/content/tree/tree.ts'
import { edit, snapshotOf, withChanges, type Content, type Edit } from './histories.ts'

const NOW = '2026-06-01T00:00:00.000Z'
const NOTHING: Snapshot = {
  pages: indexTree(new Map()),
  files: new Map(),
  reusables: new Map(),
  variables: {},
  redirects: {},
}

/** A content with a history: conflicts are resolved, then pages are edited and reverted in turns. */
export interface PathHistory {
  readonly content: Content
  readonly conflicts: readonly Conflict[]
  /** The contents that pages are reverted to. */
  readonly earlier: readonly Content[]
}

/** Edits, followed by a revert of one page to one of the earlier contents. */
export interface Turn {
  readonly edits: readonly Edit[]
  readonly page: number
  readonly to: number
}

export const someTurns = (edits: fc.Arbitrary<Edit[]>): fc.Arbitrary<Turn[]> =>
  fc.array(fc.record({ edits, page: fc.nat(20), to: fc.nat(2) }), { maxLength: 6 })

/** In every content a path belongs to one page or file, and a link keeps its target as long as the target exists. */
export function pathsAreKept({ content, conflicts, earlier }: PathHistory, turns: readonly Turn[]): void {
  let now = content
  assertUniquePaths(now)
  for (const conflict of conflicts) {
    const next = resolved(now, conflict)
    linksStay(now, next, conflict)
    now = next
  }
  for (const [index, turn] of turns.entries()) {
    // A name for each turn, because the ids of inserted pages consist of the name and a count from 1.
    now = edit({ ...withChanges(now, noChanges(), new Map()), name: `turn${index}-` }, turn.edits)
    const next = reverted(now, turn, earlier)
    linksStay(now, next)
    now = next
  }
}

const noChanges = () => ({ pages: new Map(), files: new Map(), reusables: new Map() })

function resolved(own: Content, conflict: Conflict): Content {
  const snapshot = snapshotOf(own)
  const needed = sourcesToResolve(conflict, snapshot)
  const sources = new Map(needed.map((hash) => [hash, own.sources.get(hash)!]))
  const resolution = resolveConflict({
    conflict,
    choice: { side: 'primary' },
    own: snapshot,
    sources,
    now: NOW,
  })
  return 'refused' in resolution ? own : withChanges(own, resolution.changes, resolution.documents)
}

function reverted(now: Content, { page, to }: Turn, earlier: readonly Content[]): Content {
  const base = earlier[to % earlier.length]!
  const ids = [...new Set([...base.pages.keys(), ...now.pages.keys()])]
  const id = ids[page % Math.max(1, ids.length)]
  if (id === undefined) return now
  const { pages: tree, files, reusables } = snapshotOf(now)
  const source = (hash: string | undefined) => (hash === undefined ? '' : now.sources.get(hash)!)
  const revisions = new Map([['base', indexTree(new Map(base.pages))]])
  try {
    const { pages, documents } = applyBatch(
      { tree, files, reusables, source, revisions, base: 'base' },
      [{ operation: 'revert_page', page: id }],
      new Date(NOW),
    )
    return withChanges(now, { ...noChanges(), pages }, documents)
  } catch (error) {
    if (error instanceof BatchRefused) return now
    throw error
  }
}

/** Checks that no two pages or files of a content share a path. */
export function assertUniquePaths(content: Content): void {
  const { pages, files, reusables } = content
  assert.deepEqual(pathProblems(NOTHING, { pages, files, reusables }), [])
  const shared = [...content.pages.values()].map(({ file }) => file)
  const paths = [...shared, ...[...content.files.values()].map(({ path }) => path)]
  for (const all of [paths, [...content.reusables.values()].map(({ path }) => path)]) {
    const given = all.filter((path) => path !== undefined).toSorted()
    assert.deepEqual(given, [...new Set(given)])
  }
}

/** A resolution may give another path only to the record that it is about. */
function linksStay(before: Content, after: Content, about?: Conflict): void {
  assertUniquePaths(after)
  const isAbout = (id: string) => about?.id === id && (about.field === 'file' || about.field === 'path')
  const was = pathTargets(snapshotOf(before))
  const is = pathTargets(snapshotOf(after))
  const records = [...before.pages.values(), ...before.files.values(), ...before.reusables.values()]
  for (const record of records) {
    const path = 'slug' in record ? record.file : record.path
    if (path === undefined) continue
    const address = { kind: 'url', url: `/${path}` } as const
    const target = idOf(resolveReference(address, undefined, was))
    const isThere = [after.pages, after.files, after.reusables].some((map) => map.has(target ?? ''))
    if (target === undefined || !isThere || isAbout(target)) continue
    assert.equal(idOf(resolveReference(address, undefined, is)), target, `${path} leads to another target`)
  }
}

function idOf(ref: ReturnType<typeof resolveReference>): string | undefined {
  if (ref.kind === 'page') return ref.page
  if (ref.kind === 'file') return ref.file
  return ref.kind === 'reusable-content' ? ref.reusableContent : undefined
}
