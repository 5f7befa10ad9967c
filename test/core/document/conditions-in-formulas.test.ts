/** A formula is text, but a condition that begins in one and ends behind it was meant to hide what is between. */
import { test } from 'node:test'
import { checkHidden, END, IF } from './hides.ts'

const FORMULAS = {
  'a formula in a line': `x $$a ${IF}$$`,
  'a formula of a block': `$$\na ${IF}\n$$`,
  'prices that are a formula': `a $$5 ${IF} b $$6`,
  'a formula in a list': `* one\n* two $$a ${IF}$$`,
  'a formula in a cell': `| a |\n| - |\n| $$a ${IF}$$ |`,
  'a formula in a line of HTML': `<div>x $$a ${IF}$$</div>`,
  'a formula in an element of HTML': `<details>\n<summary>a</summary>\n$$\na ${IF}\n$$\n</details>`,
  'a value of a tag in a formula': `x $$a {% embed url='https://example.com/${IF}' %}$$`,
}

for (const [place, formula] of Object.entries(FORMULAS)) {
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
