/** The laws of merging (docs/contributing/CONTENT.md, "Merging") as properties of random histories. */
import assert from 'node:assert/strict'
import fc from 'fast-check'

import { readFrontMatter } from '../../src/core/document/front-matter/front-matter.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { mergeBodies } from '../../src/core/content/merge/body.ts'
import { jsonEqual } from '../../src/core/data/json.ts'
import {
  bodiesTask,
  finishMerge,
  mergePlannedBodies,
  planMerge,
  withSources,
} from '../../src/core/content/merge/merge.ts'
import type {
  Conflict,
  ContentChanges,
  Merged,
  SideName,
  Snapshot,
} from '../../src/core/content/merge/model.ts'
import { resolveConflict, sourcesToResolve } from '../../src/core/content/merge/resolve.ts'
import { indexTree } from '../../src/core/content/tree/tree.ts'
import { checkTree } from '../../src/core/content/tree/rules.ts'
import {
  aHistory,
  addPage,
  branch,
  edit,
  emptyContent,
  firstContent,
  sideOf,
  snapshotOf,
  textOf,
  treeEdits,
  withChanges,
  type Content,
  type History,
} from './histories.ts'
import { assertUniquePaths, pathsAreKept, someTurns } from './path-laws.ts'

const NOW = '2026-06-01T00:00:00.000Z'

/** The result of a merge, and the content after it. */
export interface Outcome {
  merged: Merged
  result: Content
  sources: readonly string[]
}

/** Merges two sides, and supplies only the documents that the merge requests. */
export function merge(base: Content, primary: Content, own: Content, keep: SideName = 'own'): Outcome {
  const plan = planMerge(snapshotOf(base), sideOf(base, primary), sideOf(base, own), keep)
  const sources = new Map(plan.sources.map((hash) => [hash, base.sources.get(hash)!]))
  const sourced = withSources(plan, sources, NOW)
  const merged = finishMerge(sourced, mergePlannedBodies(bodiesTask(sourced)))
  return {
    merged,
    result: withChanges(own, merged.changesTo('own'), merged.documents),
    sources: plan.sources,
  }
}

interface Contents {
  base: Content
  x: Content
  y: Content
}

export function play(history: History): Contents {
  const base = edit(firstContent(), history.base)
  return { base, x: edit(branch(base, 'x'), history.x), y: edit(branch(base, 'y'), history.y) }
}

function swapped({ primary, own, ...rest }: Conflict): Conflict {
  return { ...rest, primary: own, own: primary }
}

/** Law 1: merging an equal or unchanged side changes nothing. */
export function sameIsKept({ base, x, y }: Contents): void {
  for (const [primary, own, expected] of [
    [x, x, x],
    [base, y, y],
    [x, base, x],
  ] as const) {
    const { merged, result, sources } = merge(base, primary, own)
    assert.deepEqual(merged.conflicts, [])
    assert.equal(merged.refused, undefined)
    assert.equal(textOf(result), textOf(expected))
    assert.deepEqual(sources, [])
    assert.equal(merged.documents.size, 0)
    assert.equal(
      textOf(withChanges(primary, merged.changesTo('primary'), merged.documents)),
      textOf(expected),
    )
  }
}

/** Law 2: swapping the sides changes only which side is kept in conflicts. */
export function sidesAreAlike({ base, x, y }: Contents): void {
  const one = merge(base, x, y, 'own')
  const other = merge(base, y, x, 'primary')
  assert.equal(textOf(one.result), textOf(other.result))
  assert.deepEqual(one.merged.conflicts, other.merged.conflicts.map(swapped))
  assert.equal(one.merged.refused, other.merged.refused)
  const { changesTo, documents } = one.merged
  assert.equal(textOf(withChanges(x, changesTo('primary'), documents)), textOf(one.result))
  const keys = one.merged.conflicts.map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length)

  const kept = merge(base, x, y, 'primary')
  assert.deepEqual(kept.merged.conflicts.length > 0, one.merged.conflicts.length > 0)
  if (keys.length === 0) assert.equal(textOf(kept.result), textOf(one.result))
}

/** The words that a side added, each with the text that contains it. */
function wordsOf(content: Content): Set<string> {
  const words = /[xy]word\d+/g
  const records = JSON.stringify([
    ...content.pages.values(),
    ...content.files.values(),
    ...content.reusables.values(),
  ])
  const sources = [...content.pages.values(), ...content.reusables.values()].map(({ document }) =>
    document === undefined ? '' : content.sources.get(document)!,
  )
  return new Set([records, ...sources].flatMap((text) => text.match(words) ?? []))
}

/** Law 4: everything that a side wrote is in the result or in a conflict. */
export function nothingIsLost({ base, x, y }: Contents): void {
  for (const keep of ['primary', 'own'] as const) {
    const { merged, result } = merge(base, x, y, keep)
    const conflictText = JSON.stringify(merged.conflicts)
    const documents = [...x.sources]
      .filter(([hash]) => conflictText.includes(hash))
      .map(([, source]) => source)
    const all = new Set([
      ...wordsOf(result),
      ...([conflictText, ...documents].join(' ').match(/[xy]word\d+/g) ?? []),
    ])
    for (const side of [x, y]) {
      for (const word of wordsOf(side)) assert.ok(all.has(word), `${word} is lost`)
      for (const [id, page] of side.pages) {
        const before = base.pages.get(id)
        const bookkeeping = { updatedAt: '', oid: '' }
        if (before && jsonEqual({ ...page, ...bookkeeping }, { ...before, ...bookkeeping })) continue
        assert.ok(result.pages.has(id) || conflictText.includes(`"${id}"`), `The page ${id} is lost`)
      }
    }
  }
}

/**
 * Law 4, of what is gone: a page that a side deleted is gone, or in a conflict, unless the other side took it, or one
 * above it, out from below another page that was deleted.
 */
export function deletionsAreReported({ base, x, y }: Contents): void {
  for (const keep of ['primary', 'own'] as const) {
    const { merged, result } = merge(base, x, y, keep)
    const conflictText = JSON.stringify(merged.conflicts.filter(({ kind }) => kind === 'existence'))
    for (const [deleter, living] of [
      [x, y],
      [y, x],
    ] as const) {
      const deleted = (id: string) => base.pages.has(id) && !deleter.pages.has(id)
      const takenOut = (id: string | null): boolean => {
        if (id === null) return false
        const [before, { parent }] = [base.pages.get(id), living.pages.get(id)!]
        const wasBelow = before && before.parent !== null && deleted(id) && deleted(before.parent)
        return (wasBelow && before.parent !== parent) || takenOut(parent)
      }
      for (const id of base.pages.keys()) {
        if (!deleted(id) || !result.pages.has(id) || takenOut(id)) continue
        assert.ok(conflictText.includes(`"${id}"`), `The page ${id} is back`)
      }
    }
  }
}

/** Law 6: the result is a tree, repository paths are unique, and records and sources agree. */
export function treeStaysATree({ base, x, y }: Contents): void {
  for (const keep of ['primary', 'own'] as const) {
    const { merged, result } = merge(base, x, y, keep)
    // No history makes a tree that is too large or too deep.
    assert.equal(merged.refused, undefined)
    assertValid(result)
  }
}

/** A valid content: a tree without faults, with unique files, whose records and sources agree. */
export function assertValid(content: Content): void {
  assert.deepEqual(checkTree(indexTree(content.pages)), [])
  assertUniquePaths(content)
  for (const page of [...content.pages.values(), ...content.reusables.values()]) {
    if (page.document === undefined) continue
    const source = content.sources.get(page.document)
    assert.ok(source !== undefined, `${page.document} is missing`)
    const { title = page.title } = parsePage(source)
    assert.equal(title, page.title)
    const { title: _title, ...meta } = readFrontMatter(source)
    if ('slug' in page) {
      for (const field of ['description', 'icon', 'hidden', 'tags'] as const) {
        assert.ok(
          jsonEqual(meta[field], page[field]),
          `${field} of ${page.id} is ${JSON.stringify(page[field])} in:\n${source}`,
        )
      }
    }
  }
}

/** Conflicts can be resolved one after the other with the primary side, and each result has that side. */
export function conflictsAreResolvable({ base, x, y }: Contents): void {
  const { merged, result } = merge(base, x, y, 'own')
  let own = result
  for (const conflict of merged.conflicts) {
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
    // An earlier resolution may have deleted the target, or moved it below another page.
    if ('refused' in resolution) {
      const isOfPlaces =
        conflict.kind === 'place' || resolution.refused.message.includes('move that elsewhere first')
      assert.ok(!own.pages.has(conflict.id) || isOfPlaces, resolution.refused.message)
      continue
    }
    if (conflict.kind === 'existence') onlyItsOwn(conflict, snapshot, resolution.changes)
    own = withChanges(own, resolution.changes, resolution.documents)
    assertValid(own)
    matchesPrimary(own, conflict)
  }
}

/** Resolving a conflict of existence deletes and moves nothing else. */
function onlyItsOwn(conflict: Conflict, { pages }: Snapshot, changes: ContentChanges): void {
  const conflictText = JSON.stringify([conflict.primary, conflict.own])
  for (const [id, record] of changes.pages) {
    assert.ok(conflictText.includes(`"${id}"`) || record, `The page ${id} is removed`)
    const before = pages.get(id)
    if (before && record) assert.deepEqual([record.parent, record.order], [before.parent, before.order])
  }
}

function matchesPrimary(own: Content, { object, kind, id, field = '', primary }: Conflict): void {
  if (kind === 'existence') {
    const map = { page: own.pages, file: own.files, 'reusable-content': own.reusables, space: own.pages }[
      object
    ]
    assert.equal(map.has(id), primary !== null)
    return
  }
  const record =
    object === 'page' ? own.pages.get(id) : object === 'reusable-content' ? own.reusables.get(id) : undefined
  if (kind === 'body' && typeof primary === 'string') {
    const source = record?.document === undefined ? '' : own.sources.get(record.document)!
    assert.ok(source.includes(primary), `${primary} is not in:\n${source}`)
  }
  if (kind === 'place') assert.equal(own.pages.get(id)!.parent, (primary as { parent: string | null }).parent)
  // A slug or path that another record has meanwhile gets a number.
  if (kind === 'field' && record && field !== 'slug' && field !== 'file' && field !== 'path')
    assert.ok(jsonEqual(record[field as keyof typeof record] ?? null, primary))
}

/** The edits of one side to a record that only it edits. */
type Deed = 'edit' | 'rewrite' | 'delete' | 'before' | 'after' | 'field' | 'nothing'

/** The side that owns each record, and its edits. */
interface Shares {
  /** By page: the edits of each of its blocks. */
  pages: {
    blocks: { side: 'x' | 'y'; deed: Deed }[]
    title: 'x' | 'y'
    icon: 'x' | 'y'
    moved: 'x' | 'y' | 'none'
  }[]
  inserted: ('x' | 'y')[]
}

const aSide = fc.constantFrom('x' as const, 'y' as const)
const shares: fc.Arbitrary<Shares> = fc.record({
  pages: fc.array(
    fc.record({
      blocks: fc.array(
        fc.record({
          side: aSide,
          deed: fc.constantFrom<Deed>(
            'edit',
            'edit',
            'rewrite',
            'delete',
            'before',
            'after',
            'nothing',
            'nothing',
          ),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      title: aSide,
      icon: aSide,
      moved: fc.constantFrom('x' as const, 'y' as const, 'none' as const),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  inserted: fc.array(aSide, { maxLength: 3 }),
})

/** Law 3: edits to different records never conflict, and all of them are applied. */
export function differentNeverConflicts({ pages, inserted }: Shares): void {
  const base = emptyContent()
  const bodies = pages.map(({ blocks }, p) =>
    blocks.map((_, b) => `Block ${b} of page ${p} has its words: alpha${p}${b} beta${p}${b} gamma${p}${b}.`),
  )
  bodies.forEach((blocks, p) => {
    addPage(base, `p${p}`, null, `i${p + 1}`, `# Page ${p}\n\n${blocks.join('\n\n')}\n`)
  })
  const sides = { x: branch(base, 'x'), y: branch(base, 'y') }
  const expected: string[] = []
  const gone: string[] = []

  for (const [name, content] of Object.entries(sides)) {
    pages.forEach(({ blocks, title, icon, moved }, p) => {
      const texts = blocks.flatMap(({ side, deed }, b): string[] => {
        const text = bodies[p]![b]!
        if (side !== name) return [text]
        const word = `${name}word${p}${b}`
        if (deed !== 'nothing' && deed !== 'delete') expected.push(word)
        if (deed === 'edit') return [`${text} And ${word}.`]
        if (deed === 'rewrite') return [`Rewritten: ${word}`]
        if (deed === 'before') return [`Put before: ${word}`, text]
        if (deed === 'after') return [text, `Put after: ${word}`]
        if (deed === 'delete') gone.push(text)
        return deed === 'delete' ? [] : [text]
      })
      const page = content.pages.get(`p${p}`)!
      const heading = title === name ? `Page ${p} by ${name}` : page.title
      const head = icon === name ? `---\nicon: ${name}${p}\n---\n\n` : ''
      const source = `${head}# ${heading}\n\n${texts.join('\n\n')}\n`
      addPage(content, `p${p}`, null, moved === name ? `z${p + 1}` : page.order, source)
    })
    inserted.forEach((side, i) => {
      if (side === name) addPage(content, `${name}${i}`, 'p0', 'i', `# New ${i}\n\n${name}word-${i}\n`)
    })
  }

  const { merged, result } = merge(base, sides.x, sides.y)
  assert.deepEqual(merged.conflicts, [])
  const sources = [...result.pages.values()].map(({ document }) => result.sources.get(document!)!).join('\n')
  for (const word of expected) assert.equal(sources.split(word).length, 2, `${word} in:\n${sources}`)
  for (const text of gone) assert.ok(!sources.includes(text), text)
  pages.forEach(({ title, icon, moved }, p) => {
    const page = result.pages.get(`p${p}`)!
    assert.equal(page.title, `Page ${p} by ${title}`)
    assert.equal(page.icon, `${icon}${p}`)
    assert.equal(page.order, moved === 'none' ? `i${p + 1}` : `z${p + 1}`)
  })
  inserted.forEach((side, i) => assert.ok(result.pages.has(`${side}${i}`)))
  assertValid(result)
}

/** Merges bodies as git merges their lines: without conflicts if git has none, and with the same text. */
export function asGitDoes(gitMerge: (base: string, primary: string, own: string) => string | undefined) {
  return (three: { base: string; primary: string; own: string }): void => {
    const { text, conflicts } = mergeBodies(three, 'own')
    const expected = gitMerge(three.base, three.primary, three.own)
    if (expected === undefined) return
    assert.deepEqual(conflicts, [])
    // If a line occurs several times, the deleted or added occurrence is ambiguous.
    if (text !== expected && hasTwins(three)) assert.deepEqual(saidIn(text), saidIn(expected))
    else assert.equal(text, expected)
  }
}

/** Returns true if a line that one side adds or deletes occurs more than once somewhere. */
function hasTwins({ base, primary, own }: { base: string; primary: string; own: string }): boolean {
  const [before, ...sides] = [base, primary, own].map(timesOf)
  return sides.some((side) =>
    [...new Set([...before!.keys(), ...side.keys()])].some((line) => {
      const [a, b] = [before!.get(line) ?? 0, side.get(line) ?? 0]
      return a !== b && Math.max(a, b) > 1
    }),
  )
}

function timesOf(text: string): Map<string, number> {
  const times = new Map<string, number>()
  for (const line of text.split('\n')) times.set(line, (times.get(line) ?? 0) + 1)
  return times
}

/** The lines of a text except blank ones, in no order. */
function saidIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .toSorted()
}

const onHistories = (law: (contents: Contents) => void) =>
  fc.property(aHistory, (history) => law(play(history)))

/** Repository paths are unique and links keep their targets through resolutions, edits and reverts. */
const pathLaw = fc.property(aHistory, someTurns(treeEdits), (history, turns) => {
  const { base, x, y } = play(history)
  const { merged, result } = merge(base, x, y, 'own')
  pathsAreKept({ content: result, conflicts: merged.conflicts, earlier: [base, x, y] }, turns)
})

export const LAWS = {
  sameIsKept: onHistories(sameIsKept),
  sidesAreAlike: onHistories(sidesAreAlike),
  different: fc.property(shares, differentNeverConflicts),
  nothingIsLost: onHistories(nothingIsLost),
  deletionsAreReported: onHistories(deletionsAreReported),
  treeStaysATree: onHistories(treeStaysATree),
  conflictsAreResolvable: onHistories(conflictsAreResolvable),
  pathsAreKept: pathLaw,
}
