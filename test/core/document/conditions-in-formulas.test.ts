/** A formula is text, but a condition that begins in one and ends behind it was meant to hide what is between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { diagonalOf } from '../../effort.ts'
import { FORMULA_PLACES, TEXT_PLACES, VALUE_PLACES } from '../condition-places.ts'
import { checkHidden, END, IF } from './hides.ts'

/** Ends of what begins in a formula, where a closing tag ends nothing else. When a page is printed, its footnotes are below it. */
const TEXTS = Object.entries({ ...VALUE_PLACES, ...TEXT_PLACES, ...FORMULA_PLACES }).filter(
  ([name]) => !name.includes('footnote'),
)

for (const [row, [place, opening]] of Object.entries(FORMULA_PLACES).entries()) {
  const formula = opening(IF)

  test(`hides what follows a condition that begins in ${place} and ends in a value or in another formula`, () => {
    for (const [end, closing] of diagonalOf(TEXTS, row, 5, 2)) {
      const source = `FRONT\n\n${formula}\n\nSECRET\n\n${closing(END)}\n\nBEHIND\n`
      checkHidden(source, ['FRONT', 'BEHIND'], ['SECRET'])
      const reports = hiddenParts(parsePage(source), source).map(({ reason }) => reason)
      assert.ok(reports.includes('condition-misbegun') && reports.includes('condition-in-formula'), end)
    }
  })

  test(`hides what follows a condition that begins in ${place} and ends in another block`, () => {
    checkHidden(`FRONT\n\n${formula}\n\nSECRET\n\n${END}\n\nBEHIND\n`, ['FRONT', 'BEHIND'], ['SECRET'])
    checkHidden(`FRONT\n\n${formula}\n\nSECRET ${END}\n\nBEHIND\n`, ['FRONT', 'BEHIND'], ['SECRET'])
    const branches = `${formula}\n\nSECRET1\n\n{% else %}\n\nSECRET2\n\n${END}`
    checkHidden(`FRONT\n\n${branches}\n\nBEHIND\n`, ['FRONT', 'BEHIND'], ['SECRET1'])
  })
}

test('a condition that ends in its formula, or nowhere, hides nothing else', () => {
  checkHidden(`FRONT\n\n$$a ${IF} b ${END}$$\n\nBEHIND\n`, ['FRONT', 'BEHIND'], [])
  checkHidden(`FRONT\n\n$$a ${IF}$$\n\nBEHIND\n`, ['FRONT', 'BEHIND'], [])
  checkHidden(
    `FRONT\n\n${IF}\n\nSECRET $$a ${IF} b ${END}$$\n\n${END}\n\nBEHIND\n`,
    ['FRONT', 'BEHIND'],
    ['SECRET'],
  )
})

test('a closing tag above everything ends no condition that begins in a formula behind it', () => {
  for (const formula of Object.values(FORMULA_PLACES))
    checkHidden(
      `${END}\n\nFRONT\n\n${formula(IF)}\n\nSECRET\n\n${END}\n\nBEHIND\n`,
      ['FRONT', 'BEHIND'],
      ['SECRET'],
    )
})
