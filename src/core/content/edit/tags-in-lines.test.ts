import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeText, countTexts } from '../../../../test/core/letter-edits.ts'
import { diagonalOf } from '../../../../test/effort.ts'
import { isOneLine } from '../../../../test/core/word-edits.ts'
import type { Block } from '../../document/model.ts'
import { parsePage } from '../../document/parse.ts'
import { editBlocks } from './edit-blocks.ts'

/** Pages with a condition that begins in one block and ends in another. */
const PAGES: Record<string, string> = {
  'in a list': 'Intro.\n\nx {% if visitor.claims.a %} y\n\n* w {% endif %} q\n',
  'behind another paragraph': 'A b {% if a %}c d\n\nmid dle\n\ne f{% endif %} g\n',
  'in a list, with another one in it': 'x {% if a %}{% if b %} y\n\n* w {% endif %} s {% endif %} q\n\nEnd\n',
  'in a heading, and begins in a quote': '> x {% if a %} y\n\n## w {% endif %} q\n',
  'in another cell': '| A | B |\n|--|--|\n| x {% if a %}b | c |\n| d | e {% endif %} f |\n',
  'in another item, with marks and links':
    'Over {% if a %}in **bo\n\n1. ld {% endif %} q**\n2. [l {% if b %} m](u)\n\n   n {% endif %}o\n',
  'in a block of a container':
    '{% hint style="info" %}\nx {% if a %} y\n{% endhint %}\n\n- [ ] > w {% endif %} q\n',
  'behind a line break': 'x {% if a %} y<br>z\n\nw<br>v {% endif %} q\n',
  'in a line that begins with it': '{% if a %} y and\n\n* w {% endif %} q\n',
  'in a paragraph with others': 'x {% if a %} y\n\nw {% endif %} q {% if b %}r{% endif %}\n',
  'at the end of a line': 'x {% if a %} y\n\nw {% endif %}\n\nEnd\n',
  'at the end of a line, without a space': 'x {% if a %} y\n\nmid\n\nw{% endif %}\n\nEnd\n',
  'in a table': 'x {% if a %} y\n\n| A | B |\n|---|--|\n| w {% endif %} q | c |\n\nEnd\n',
  'at the end of a cell': 'x {% if a %} y\n\n| A | B |\n|---|--|\n| c | w {% endif %} |\n\nEnd\n',
  'in a table in HTML':
    'x {% if a %} y\n\n<table>\n<tr><th>A</th></tr>\n<tr><td>w{% endif %} q</td></tr>\n</table>\n\nEnd\n',
  'in the title of content to unfold':
    'x {% if a %} y\n\n<details>\n<summary>w {% endif %} q</summary>\n\nbody\n\n</details>\n\nEnd\n',
  'in content to unfold':
    'x {% if a %} y\n\n<details>\n<summary>w q</summary>\n\nbody {% endif %} r\n\n</details>\n\nEnd\n',
}

/** What a person does in a text: types one letter or sign, or deletes one, or all. */
const EDITS: Record<string, (was: string) => string[]> = {
  'a letter or space at any place': (was) =>
    [...was, ''].flatMap((_, at) => ['Z', ' '].map((sign) => was.slice(0, at) + sign + was.slice(at))),
  'a deletion of a letter': (was) => [...was].map((_, at) => was.slice(0, at) + was.slice(at + 1)),
  'a deletion of all': () => [''],
  'a sign before or behind': (was) =>
    [...'#-+>1.=|`*_<$:~[{%&!'].flatMap((sign) => [
      sign + was,
      `${sign} ${was}`,
      was + sign,
      `${was} ${sign}`,
    ]),
}

for (const [row, [name, source]] of Object.entries(PAGES).entries())
  for (const [edit, versions] of Object.entries(EDITS))
    test(`${edit} changes one line of a condition that ends ${name}`, () => {
      for (let text = 0; text < countTexts(source); text++) {
        const { text: was } = changeText(source, { text, isWhole: false }, (one) => one)!
        for (const now of diagonalOf(versions(was), row + text, 5, 3)) {
          const { after } = changeText(source, { text, isWhole: false }, () => now)!
          assert(after === source || isOneLine(source, after), `${JSON.stringify([was, now])}:\n${after}`)
        }
      }
    })

test('an edit beside a condition that another edit has emptied changes one line', () => {
  const source = 'x {% if a %} y\n\nw {% endif %} q {% if b %}r{% endif %}\n\nEnd.\n'
  const { after } = changeText(source, { text: 2, isWhole: false }, () => '')!
  // The editor still has the condition without content.
  const { document } = parsePage(after)
  const [, second] = parsePage(source).document.nodes
  const sent = JSON.parse(JSON.stringify(second).replace('"w "', '""').replace('" q "', '" qZ "')) as Block
  const keys = document.nodes.map(({ key }) => key!)
  const result = editBlocks({
    source: after,
    references: new Map(),
    entries: [{ keep: keys[0]! }, { block: { ...sent, key: keys[1]! } }, { keep: keys[2]! }],
  })
  assert('source' in result)
  assert.equal(result.source, after.replace(' q', ' qZ'))
})

test('a new condition without content is kept if another block has one with the same expression', () => {
  const source = 'x {% if a %} y\n\nw {% endif %} q\n\nThird text.\n'
  const keys = parsePage(source).document.nodes.map(({ key }) => key!)
  const [third] = parsePage('Third {% if a %}{% endif %}text.').document.nodes
  const result = editBlocks({
    source,
    references: new Map(),
    entries: [{ keep: keys[0]! }, { keep: keys[1]! }, { block: { ...third!, key: keys[2]! } }],
  })
  assert('source' in result)
  assert.equal(result.source, source.replace('Third ', 'Third {% if a %}{% endif %}'))
})
