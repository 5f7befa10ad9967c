/** What is under a condition in each version of a page that has it stays under one, whatever is merged, chosen or taken back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

import { CODE_PLACES, OPEN_PLACES, WHOLE_PLACES } from '../../../../test/core/condition-places.ts'
import { shownPage } from '../../../../test/core/shown-page.ts'
import { holds } from '../../../../test/property.ts'
import { parsePage } from '../../document/parse.ts'
import { printPage } from '../../document/print.ts'
import { revertBlocks } from '../batch/revert.ts'
import { placeInBody } from './body-place.ts'
import { mergeBodies } from './body.ts'
import { replaceBlock } from './resolve-body.ts'

const IF = '{% if visitor.claims.a %}'
const END = '{% endif %}'

const PLACES = Object.values({ ...OPEN_PLACES, ...CODE_PLACES, ...WHOLE_PLACES })
/** A block of a page: a line with words and tags, in one of the places. */
const block = fc
  .tuple(
    fc.constantFrom(...PLACES),
    fc.constantFrom(
      'TEXT',
      'TEXT',
      'TEXT',
      `TEXT ${IF} TEXT`,
      `${IF} TEXT`,
      `TEXT ${END} TEXT`,
      `TEXT ${END}`,
    ),
  )
  .map(([place, text]) => place(text))
const blocks = fc.oneof({ weight: 4, arbitrary: block }, { weight: 1, arbitrary: fc.constantFrom(IF, END) })
/** A change of a block of the page: it is left out, written anew, or another one comes before it. */
const change = fc.tuple(fc.nat(), fc.constantFrom('delete', 'replace', 'insert'), blocks)
const version = fc.tuple(fc.array(change, { maxLength: 3 }), fc.boolean())

type Version = typeof version extends fc.Arbitrary<infer T> ? T : never

/** A version of the page. A person who writes in the browser prints the blocks anew. */
function written(page: readonly string[], [changes, isPrinted]: Version): string {
  const found = [...page]
  for (const [at, kind, text] of changes) {
    const i = at % (found.length + 1)
    if (kind === 'insert') found.splice(i, 0, text)
    else found.splice(i, 1, ...(kind === 'replace' && i < page.length ? [text] : []))
  }
  const source = named(`# T\n\n${found.join('\n\n')}\n`)
  return isPrinted ? printPage(parsePage(source)) : source
}

/** The source with each text named by whether it is between the tags of a condition. */
function named(source: string): string {
  let open = 0
  return source.replace(/\{% if .*? %\}|\{% endif %\}|TEXT/g, (one) => {
    if (one === 'TEXT') return open > 0 ? 'SECRET' : 'OPEN'
    open = one === END ? Math.max(0, open - 1) : open + 1
    return one
  })
}

function shownToOthers(source: string): string {
  return shownPage(source, () => false)
}

test('no merge and no choice between two sides shows what each version hides', () => {
  holds(
    fc.property(fc.array(blocks, { minLength: 2, maxLength: 6 }), version, version, (page, ours, theirs) => {
      const base = written(page, [[], false])
      const sources = { base, primary: written(page, theirs), own: written(page, ours) }
      for (const source of Object.values(sources)) if (/SECRET/.test(shownToOthers(source))) return
      for (const keep of ['own', 'primary'] as const) {
        const { text, conflicts } = mergeBodies(sources, keep)
        assert.doesNotMatch(shownToOthers(text), /SECRET/, text)
        for (const conflict of conflicts)
          for (const side of ['own', 'primary', 'base'] as const) {
            const { key, offset, length } = conflict
            const place = placeInBody(text, offset, length, key)
            const chosen = replaceBlock(text, conflict[keep], conflict[side], place)
            if (chosen === undefined) continue
            assert.doesNotMatch(
              shownToOthers(chosen),
              /SECRET/,
              `${side}\n${JSON.stringify(conflict)}\n${text}\n---\n${chosen}`,
            )
          }
      }
    }),
    { cases: 1500, byDefault: 150 },
  )
})

test('no block that is taken back shows what the versions before and after hide', () => {
  holds(
    fc.property(fc.array(blocks, { minLength: 2, maxLength: 6 }), version, (page, changes) => {
      const [before, now] = [written(page, [[], false]), written(page, changes)]
      for (const source of [before, now]) if (/SECRET/.test(shownToOthers(source))) return
      for (const { key = '' } of [...parsePage(now).document.nodes, ...parsePage(before).document.nodes]) {
        const result = revertBlocks({ title: 'Page', source: now, before, keys: [key] })
        assert('text' in result)
        assert.doesNotMatch(
          shownToOthers(result.text),
          /SECRET/,
          `${now}\n---\n${before}\n---\n${result.text}`,
        )
      }
    }),
    { cases: 1500, byDefault: 150 },
  )
})
