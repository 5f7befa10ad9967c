/** The index of links that follows edits equals one that is built from nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { linksAfter } from '../../src/core/content/link-changes.ts'
import {
  backlinksTo,
  holdersAt,
  holdersIn,
  indexLinks,
  keyAt,
  type LinkIndex,
  NOTHING_LATER,
  relationAt,
  statusAt,
  statusesOf,
  targetAt,
  usesOf,
} from '../../src/core/content/link-index.ts'
import { INDEXED_STATUSES } from '../../src/core/content/link-uses.ts'
import type { LinkChanges } from '../../src/core/content/link-tokens.ts'
import { canonical } from '../../src/core/data/json.ts'
import { corpusPages, withoutCorpora } from '../corpus.ts'
import { timesOf } from '../effort.ts'
import { holds, samplesOf } from '../property.ts'
import {
  differences,
  edited,
  type LinkEdit,
  linkEdit,
  type LinkedState,
  parsedLinks,
  stateOf,
} from './link-edits.ts'

const app = 'https://docs.example.com/app'

function fromNothing(state: LinkedState): LinkIndex {
  const links = (hash: string) => parsedLinks(state, hash)
  return { whole: indexLinks({ ...state, spaceId: 'here', app, links }), later: NOTHING_LATER }
}

/** The index of a later content, and whether it was derived. */
async function follow(index: LinkIndex, before: LinkedState, after: LinkedState, changes: LinkChanges) {
  const load = async (hashes: readonly string[]) =>
    new Map(hashes.map((hash) => [hash, parsedLinks(after, hash)]))
  const derived = await linksAfter(index, before.tree, { ...after, spaceId: 'here', app }, changes, load)
  return { index: derived ?? fromNothing(after), isDerived: derived !== undefined }
}

/** All that an index says of the whole content. */
function indexLines(index: LinkIndex): string[] {
  const statuses = statusesOf(index)
  return usesOf(index).map((use) => {
    assert.equal(statusAt(index, use), INDEXED_STATUSES[statuses[use]!])
    const holders = holdersAt(index, use).map(({ source, place, block }) => `${source} ${place} ${block}`)
    const target = JSON.stringify(canonical(targetAt(index, use)))
    return `${statusAt(index, use)} ${relationAt(index, use)} ${keyAt(index, use)} ${target}: ${holders.join(', ')}`
  })
}

/** What an index says of a page. */
function toldOfPage(index: LinkIndex, id: string): unknown {
  const uses = [...holdersIn(index, `page ${id}`)].map(([use, holders]) => [keyAt(index, use), holders])
  return [uses, backlinksTo(index, 'page', id)]
}

/** Follows edits, and compares with an index from nothing after each. @returns how many indexes were derived */
async function checkEdits(start: LinkedState, edits: readonly LinkEdit[]): Promise<number> {
  let [state, index] = [start, fromNothing(start)]
  let earlier = { state, index }
  let count = 0
  for (const [step, edit] of edits.entries()) {
    const { next, changes } = edited(state, edit)
    const followed = await follow(index, state, next, changes)
    const whole = fromNothing(next)
    assert.deepEqual(indexLines(followed.index), indexLines(whole), `${JSON.stringify(edit)}, edit ${step}`)
    const { page, file } = {
      page: [...next.pages.keys()][edit.at % next.pages.size]!,
      file: [...next.files.keys()][0],
    }
    assert.deepEqual(toldOfPage(followed.index, page), toldOfPage(whole, page))
    if (file) assert.deepEqual(backlinksTo(followed.index, 'file', file), backlinksTo(whole, 'file', file))
    if (followed.isDerived) count++
    ;({ state, index } = { state: next, index: followed.index })
    if (step % 10 !== 9) continue
    // One step over several edits, from an index that others were derived from since.
    const changesSince = differences(earlier.state, state)
    const skipped = await follow(earlier.index, earlier.state, state, changesSince)
    assert.deepEqual(indexLines(skipped.index), indexLines(whole))
    earlier = { state, index }
  }
  return count
}

/** Few names, so that paths are taken, freed and taken again. */
const SMALL = new Map([
  ['README.md', '# Home\n\n[a](guide/README.md#part) [b](setup.md) [c](/pages/guide/faq) [d](gone.md)\n'],
  ['guide/README.md', '# Guide\n\n## Part\n\n[home](../README.md) [x](../assets/0.png)\n'],
  ['guide/faq.md', '# Faq\n\n{% include "/includes/1.md" %}\n\n[x](#heading-1) [y](setup.md)\n'],
  ['guide/setup.md', '# Setup\n\n[faq](faq.md#heading-2)\n'],
  ['setup.md', '# Setup\n\n## Heading 1\n\n[old](/pages/guide/setup)\n'],
])

test('an index that follows any edits of a small content equals one from nothing', async () => {
  await holds(
    fc.asyncProperty(fc.array(linkEdit, { minLength: 5, maxLength: 60, size: 'max' }), async (edits) => {
      await checkEdits(stateOf(SMALL), edits)
    }),
    { cases: 1000 },
  )
})

test(
  'an index that follows many edits of a documentation equals one from nothing after each',
  { skip: withoutCorpora },
  async () => {
    const edits = samplesOf(linkEdit, timesOf(2000, 40))
    const derived = await checkEdits(stateOf(corpusPages('elsa-docs')), edits)
    assert(derived > 0.9 * edits.length, `${derived} of ${edits.length} indexes were derived`)
  },
)
