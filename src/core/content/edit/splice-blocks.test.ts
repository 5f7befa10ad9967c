import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { CORPORA, pagesToTry, withoutCorpora } from '../../../../test/corpus.ts'
import {
  addLetter,
  changesOneLine,
  changeText,
  countTexts,
  letterEdits,
} from '../../../../test/core/letter-edits.ts'
import { isOneLine } from '../../../../test/core/word-edits.ts'
import { holds } from '../../../../test/property.ts'
import { parsePage } from '../../document/parse.ts'
import { editBlocks } from './edit-blocks.ts'

/** Pages in which an edit of a letter has changed, or could change, more than its line. */
const PAGES: Record<string, string> = {
  'bars in the cells of a table':
    '# T\n\n| A | B |\n| --- | --- |\n| `x\\|y` | two |\n| $$a \\| b$$ | [l](a\\|b) \\| c |\n',
  'blocks in the cells of a table':
    '|  A   |  B |\n|:-----|:--:|\n| one  | b <ul><li>c **d**</li><li>e</li></ul> f |\n| [~](x.md) | g |\n',
  'a table in HTML of many lines':
    '<table>\n  <tr>\n    <th><p>Name</p><p>of it</p></th>\n    <th>Value</th>\n  </tr>\n  <tr>\n    <td>a <kbd>b</kbd></td>\n    <td>c</td>\n  </tr>\n</table>\n',
  'a footnote that is used twice':
    'A word[^note] and\nanother[^note] here.\n\n* an item[^Other]\n\n[^note]: The _note_\n    of two lines.\n\n[^Other]: Of an item.\n',
  'a footnote that is used twice in a line, and defined in a list in a quote':
    '> - word[^n] and another[^n]\n>\n>   [^n]: The note\n>\n>       of *two* parts.\n>   [^o]: Other.\n\nEnd[^o] of all[^o].\n',
  'footnotes in HTML': 'A <a data-footnote-ref href="#user-content-fn-1">few words</a>.\n\n[^1]: Of it.\n',
  'indented code':
    'Text:\n\n    let a = 1\n\n    let  b = 2\n\n1.  one\n\n        code\n          more\n\n    two\n',
  'fences of other signs': '~~~~ js\na\n\n  b\n~~~~\n\n* item\n\n  ```\n  c\n  ```\n',
  'trailing spaces in a list':
    '- **Path:** `src/a.cs`  \n- **Of:** two  \n  lines\n+ [x](y) \n\n1)  one\n\n2)  two\n',
  'lists in lists': '  * a\n    - b\n\n      more of b\n    - [ ] c `d`\n  * > e\n    > f **g**\n',
  'wrapped lines': 'See [the\nguide](../a.md)\nto choose, `b`\nand <https://c.example>\nof __d__ ***e***\n',
  references:
    'The [`a`][] of [b c] and\n[`d` and `e` f][], [![g][h]][i].\n\n[`a`]: a.md\n[b c]: b.md\n[`d` and `e` f]: d.md "t"\n[h]: h.png\n[i]: i.md\n',
  'headings below lines': 'Title\n=====\n\nOther *one*\n---\n\n##  Third ##\n\n### Fourth {#x}\n',
  'alerts and formulas of GitHub':
    '# Title :tada: {#top}\n\n> [!WARNING]\n> One\n> *two*\n>\n> - three\n>   > [!tip]  \n>   > four\n\n- > [!NOTE]\n  > five\n\n## Six `a` {#six}\n\n```math\n\\sqrt{3}\n```\n',
  'elements with blank lines':
    '<div align="center">\n\n# One\n\n<p>\n\ntwo **three**</p>\n\n</div>\n\n<table><tr><td>\n\n- four\n\nfive</td></tr></table>\n',
  'HTML of many lines':
    '<ul>\n<li>\n<p>One\ntwo <a href="#a"><code>b</code></a>\nthree</p>\n</li>\n</ul>\n\n<p>\n  <img alt="c" src="c.png" />\n  <a href="d" target="_blank">\n    <b>e</b>\n  </a>\n</p>\n',
  'containers of tags':
    '{% hint style="info" %}\n* a\n* b  \n{% endhint %}\n\n{% tabs %}\n{% tab title="One" %}\n1.  c\n\n        d\n{% endtab %}\n{% endtabs %}\n\n{% stepper %}\n{% step %}\n## e\n\n| F |\n|:--|\n| `g\\|h` |\n{% endstep %}\n{% endstepper %}\n\n{% columns %}\n{% column width="50%" %}\n> i\nlazy\n{% endcolumn %}\n{% column %}\n__j__\n{% endcolumn %}\n{% endcolumns %}\n\n<details><summary>k</summary>\n\n- l\n\n</details>\n\n{% code title="m" %}\n```js\nn\n```\n{% endcode %}\n',
  'images and captions':
    '![a](a.png "b")\n\n<figure><img alt="c" src="c.png"><figcaption>d *e*</figcaption></figure>\n\ntext ![f](f.png) g\n',
  'hard line breaks beside links and marks':
    'First  \n[second](a.md) third\n\nOne\\\n**two** three\\\n`four` *five*  \n![six](b.png)\n\n> **Note**\\\n> text\n\n- item  \n  ~~struck~~\\\n  end\n',
  'marks over two lines': 'a *b\nc*d **e\nf** g\n\n> *h\n> i* j\n',
  'a byte order mark': '\ufeffFirst\nline.\n\n- item\n',
  'line breaks of Windows':
    'One\r\ntwo\r\n\r\n- a\r\n- b\r\n\r\n```js\r\nc\r\n\r\nd\r\n```\r\n\r\n| A |\r\n|--|\r\n| b\\|c |\r\n',
  'line breaks of both kinds': 'One\r\ntwo\nthree\n\n```\na\r\nb\nc\n```\n',
}

/** Pages with a condition, whose footnotes are read with those that they are under. */
const CONDITIONED: Record<string, string> = {
  'below the footnote':
    'word[^note] x\n\n{% if visitor.claims.plan == "pro" %}\n\nOnly pro.\n\n{% endif %}\n\n[^note]: The note.\n',
  'in the line of the footnote': 'word[^note] x {% if a %}some{% endif %} y\n\n[^note]: The note.\n',
  'in another line': 'word[^note] x\n\n* {% if a %}some{% endif %} y\n\n[^note]: The note.\n',
  'around the annotation':
    '{% if a %}word[^note]{% endif %} x\n\n[^note]: The *note*\n    of two lines.\n[^o]: Other.\n\nEnd[^o].\n',
  'around the definition': 'word[^note] x\n\n{% if a %}\n\n[^note]: The note.\n\n{% endif %}\n\nEnd.\n',
  'around the definition for two annotations':
    'word[^note] x\n\nand another[^note]\n\n{% if a %}\n\n[^note]: The note.\n\n{% endif %}\n\nEnd.\n',
  'around both': '{% if a %}\n\nword[^note] x\n\n[^note]: The note.\n\n{% endif %}\n\nEnd.\n',
  'in the definition':
    'word[^note] x\n\n[^note]: The {% if a %}secret{% endif %} note.\n\n    {% if b %}\n\n    Other *part*.\n\n    {% endif %}\n\nEnd.\n',
  'in the heading of the page': '# Title {% if a %}\n\nword[^note] x\n\n[^note]: The note.\n\n{% endif %}\n',
  'that ends in another block':
    'word[^note] {% if a %}x\n\n- item[^Other]\n\n{% endif %}\n\n[^note]: The note.\n\n[^Other]: Of an item.\n',
}
for (const [name, source] of Object.entries(CONDITIONED))
  PAGES[`a footnote, and a condition ${name}`] = source

for (const [name, source] of Object.entries(PAGES))
  test(`a letter changes one line: ${name}`, () => {
    for (let text = 0; text < countTexts(source); text++)
      for (const at of [0, -1, 1])
        for (const isWhole of [false, true]) changesOneLine(source, { text, at, isWhole }, name)
  })

/** Pages, and edits of a text that could change more than its line. */
const ENDS: Record<string, [page: string, edits: Record<string, (was: string) => string>]> = {
  'a task that has no text': [
    '- [ ] a\n- [x] b\n\nText.\n\n+   [ ] c\n    - d\n+   e\n',
    { 'is emptied': () => '' },
  ],
  'a heading above a line': [
    'Title\n===\n\nHead of *two*\n-----------\nText\n',
    {
      'begins with the sign of another block': (was) => `# ${was}`,
      'begins with that of a list': (was) => `1. ${was}`,
      'ends in a sign': (was) => `${was} #`,
    },
  ],
  'code in a line': [
    'The `code` of *two* `` `words` ``.\n\n| A `b` |\n|--|\n| `c` |\n',
    {
      'begins with a space': (was) => ` ${was}`,
      'ends in a space': (was) => `${was} `,
      'is between spaces': (was) => ` ${was} `,
    },
  ],
}

for (const [name, [source, edits]] of Object.entries(ENDS))
  for (const [edit, change] of Object.entries(edits))
    test(`${name}, and ${edit}, changes one line`, () => {
      for (let text = 0; text < countTexts(source); text++) {
        const { after } = changeText(source, { text, isWhole: false }, change)!
        assert(after === source || isOneLine(source, after), after)
      }
    })

test('code with spaces at its ends stays between its signs', () => {
  const { after } = changeText('The `code` here.\n', { text: 1, isWhole: false }, (was) => ` ${was} `)!
  assert.equal(after, 'The `  code  ` here.\n')
})

const MANUAL = new URL('../../../../docs/', import.meta.url)
const manual = readdirSync(MANUAL)
  .filter((name) => name.endsWith('.md'))
  .map((name): [string, string] => [name, readFileSync(new URL(name, MANUAL), 'utf8')])

test('a letter in a real page changes one line', { skip: withoutCorpora }, () => {
  const pages = [...CORPORA.flatMap((corpus) => pagesToTry(corpus)), ...manual]
  holds(
    fc.property(fc.nat(pages.length - 1), letterEdits, (nth, edit) => {
      const [path, source] = pages[nth]!
      changesOneLine(source, edit, path)
    }),
    { cases: 2400 },
  )
})

test('an annotation that differs from the others of its footnote gets one of its own', () => {
  const source = 'A word[^1] here.\n\nAnother[^1] there.\n\n[^1]: The note.\n'
  const { nodes } = parsePage(source).document
  const entries = (JSON.parse(JSON.stringify(nodes)) as typeof nodes).map((block) => ({ block }))
  const annotation = entries[1]!.block.nodes![1] as {
    fragments: { nodes: { nodes: { leaves: { text: string }[] }[] }[] }[]
  }
  annotation.fragments[0]!.nodes[0]!.nodes[0]!.leaves[0]!.text = 'Its own.'
  const result = editBlocks({ source, references: new Map(), entries })
  assert('source' in result)
  assert.equal(result.source, 'A word[^1] here.\n\nAnother[^2] there.\n\n[^1]: The note.\n\n[^2]: Its own.\n')
})

test('a new footnote is under the condition of the one that its annotation had', () => {
  const source =
    'A word[^n] here.\r\n\r\nAnother[^n] there.\r\n\r\n{% if a %}\r\n[^n]: Some.\r\n[^o]: Other.\r\n{% endif %}\r\n\r\nEnd[^o].\r\n'
  let text = 0
  while (addLetter(source, { text, at: -1, isWhole: false })!.text !== 'Some.') text++
  const { after } = addLetter(source, { text, at: -1, isWhole: false })!
  assert.equal(after, source.replace('word[^n]', 'word[^1]').replace('Some.', 'Some.\r\n\r\n[^1]: Some.Z'))
})

test('both annotations of a footnote change its definition', () => {
  const source = 'A word[^n] here.\n\nAnother[^n] there.\n\n[^n]: The note.\n'
  const { nodes } = parsePage(source).document
  const sent = JSON.parse(
    JSON.stringify(nodes).replaceAll('The note.","marks', 'The new note.","marks'),
  ) as typeof nodes
  const result = editBlocks({ source, references: new Map(), entries: sent.map((block) => ({ block })) })
  assert('source' in result)
  assert.equal(result.source, source.replace('The note', 'The new note'))
})

test('a cell that a pipe table cannot hold in another way has its bar escaped', () => {
  const table = PAGES['bars in the cells of a table']!
  const edited = addLetter(table, { text: 3, at: -1, isWhole: true })
  assert.match(edited!.after, /^\| `x\\\|y` \| twoZ \|$/m)
})
