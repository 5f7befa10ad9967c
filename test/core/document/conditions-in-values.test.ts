/** A condition in the value of a tag or in the front matter is evaluated for nobody, and hides what follows it in the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { OPEN_PLACES, TEXT_PLACES, TITLED_PLACES, VALUE_PLACES, WHOLE_PLACES } from '../condition-places.ts'
import { shownPage } from '../shown-page.ts'
import { checkHidden, END, IF, shownTo } from './hides.ts'

const ENDS = { ...OPEN_PLACES, ...TITLED_PLACES, ...WHOLE_PLACES }

for (const [begin, opening] of Object.entries({ ...VALUE_PLACES, ...TEXT_PLACES })) {
  const first = opening(`BEFORE ${IF} SECRET1`)

  test(`hides what follows a condition that begins in ${begin} and ends in another block`, () => {
    for (const closing of Object.values(ENDS))
      checkHidden(
        `FRONT\n\n${first}\n\nSECRET2\n\n${closing(`SECRET3 ${END} AFTER`)}\n\nBEHIND\n`,
        ['FRONT', 'BEHIND'],
        ['SECRET2'],
      )
    checkHidden(`FRONT\n\n${first}\n\nSECRET2\n\n${END}\n\nBEHIND\n`, ['FRONT', 'BEHIND'], ['SECRET2'])
    checkHidden(`FRONT\n\n${first}\n\nSECRET2\n`, ['FRONT'], ['SECRET2'])
    checkHidden(`FRONT\n\n${opening(IF)}\n\nSECRET2\n\n- SECRET3\n`, ['FRONT'], ['SECRET2', 'SECRET3'])
    const around = `FRONT\n\n${IF}\n\nSECRET1\n\n${first}\n\n${END}\n\nSECRET2\n`
    checkHidden(around, ['FRONT'], ['SECRET2'])
  })

  test(`hides nothing behind a tag that ${begin} only names`, () => {
    for (const tag of ['{% if a %}', '{% if %}', '(% if a %)'])
      checkHidden(`FRONT\n\n${opening(`BEFORE ${tag}`)}\n\nBEHIND\n`, ['FRONT', 'BEHIND'], [])
  })

  test(`hides from everybody what a condition in ${begin} hides there`, () => {
    for (const value of [`BEFORE ${IF} SECRET`, `BEFORE ${IF}SECRET${END} AFTER`])
      for (const version of [opening(value), ...Object.values(ENDS).map((place) => place(opening(value)))]) {
        const source = `FRONT\n\n${version}\n`
        for (const met of [false, true])
          assert.doesNotMatch(
            shownPage(source, (expression) => met && !expression.startsWith('false')),
            /SECRET/,
          )
      }
    assert.match(shownTo(`FRONT\n\n${opening(`${IF}SECRET${END}`)}\n\nBEHIND\n`, false), /FRONT[^]*BEHIND/)
  })
}

test('hides from everybody what is between an include, which may begin a condition, and an end of nothing else', () => {
  const include = '{% include "rules.md" %}'
  const free = 'FRONT\n\n'
  for (const [name, closing] of Object.entries(ENDS))
    for (const between of [
      '',
      '{% else %}\n\nSECRET2\n\n',
      `${IF}\n\nSECRET2\n\n${END}\n\n`,
      `${include}\n\n# SECRET2\n\n`,
    ]) {
      const source = `${free}${include}\n\nSECRET1\n\n${between}${closing(`SECRET3 ${END} AFTER`)}\n\nBEHIND\n`
      for (const met of [false, true])
        assert.doesNotMatch(
          shownPage(source, (expression) => met && !expression.startsWith('false')),
          /SECRET[12]/,
          name,
        )
      checkHidden(source, ['FRONT', 'BEHIND'], ['SECRET1'])
    }
  for (const source of [
    `${include}\n\nFRONT\n\n${IF}\n\nSECRET\n\n${END}\n\nBEHIND\n`,
    `${END}\n\nFRONT\n\n${include}\n\nBEHIND\n`,
    `FRONT\n\n\`${include}\`\n\n${END}\n\nBEHIND\n`,
  ])
    assert.match(shownTo(source, false), /FRONT[^]*BEHIND/)
  const source = `${include}\n\nSECRET\n\n${END}\n`
  assert.deepEqual(
    hiddenParts(parsePage(source), source).map(({ reason }) => reason),
    ['condition-misbegun'],
  )
})

test('hides what is between tags below a tag without an end', () => {
  for (const begin of [
    '{% embed url="{% raw %}"',
    '{% @a/b c="{% raw %}">',
    "{% file src='{% raw %}' ",
    '{% hint style="%}" ',
  ]) {
    assert.doesNotMatch(shownTo(`${begin} ${IF} SECRET ${END}\n`, false), /SECRET/, begin)
    assert.doesNotMatch(shownTo(`${begin} ${IF}\n\nSECRET\n\n${END}\n`, false), /SECRET/, begin)
  }
})

test('hides what is between tags that are indented code and nothing else', () => {
  checkHidden(`FRONT\n\n    ${IF}\n\nSECRET\n\n    ${END}\n\nBEHIND\n`, ['FRONT', 'BEHIND'], ['SECRET'])
  checkHidden(`FRONT\n\n\t${IF}\n\n# SECRET\n`, ['FRONT'], ['SECRET'])
  const example = `FRONT\n\n    ${IF}\n    x\n    ${END}\n\nBEHIND\n\n    {% if plan %}\n\nBEHIND2\n`
  checkHidden(example, ['FRONT', 'BEHIND', 'BEHIND2', '{% if'], [])
})

test('hides what follows a condition that begins in the front matter and ends in the page', () => {
  for (const field of ['title', 'description', 'icon', 'cover', 'author'])
    for (const value of [`x ${IF}`, `x ${IF} y`]) {
      checkHidden(`---\n${field}: '${value}'\n---\n\nSECRET1\n\n${END}\n\nBEHIND\n`, ['BEHIND'], ['SECRET1'])
      const open = `---\n${field}: '${value}'\n---\n\nSECRET1\n`
      checkHidden(open, [], ['SECRET1'])
      assert.ok(hiddenParts(parsePage(open), open).some(({ line }) => line === 2))
    }
})
