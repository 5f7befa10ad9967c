import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

import type { Block, Document, Text } from '../../../src/core/document/model.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { lineText } from '../../../src/core/document/text.ts'
import { printDocument, printPage } from '../../../src/core/document/print.ts'
import {
  CODE_PLACES,
  CONTAINERS,
  DATA_PLACES,
  OPEN_PLACES,
  TITLED_CONTAINERS,
  TITLED_PLACES,
  WHOLE_PLACES,
} from '../condition-places.ts'
import { diagonalOf } from '../../effort.ts'
import { holds } from '../../property.ts'
import { shownPage } from '../shown-page.ts'
import { checkHidden, END, IF, shownTo } from './hides.ts'

const ENDS = { ...OPEN_PLACES, ...TITLED_PLACES, ...WHOLE_PLACES }
const PLACES = { ...ENDS, ...CODE_PLACES, ...DATA_PLACES }

for (const [row, [begin, opening]] of Object.entries(PLACES).entries()) {
  const isOpen = begin in OPEN_PLACES || begin in TITLED_PLACES || begin in CODE_PLACES
  const isData = begin in DATA_PLACES
  const first = opening(`BEFORE ${IF} SECRET1`)
  const before = ['FRONT', ...(isOpen ? ['BEFORE'] : [])]

  test(`hides what follows a condition that begins in ${begin} and ends in another block`, () => {
    for (const [end, closing] of diagonalOf(Object.entries(ENDS), row, 5, 2)) {
      const last = closing(`SECRET3 ${END} AFTER`)
      const after = [...(end in OPEN_PLACES && !isData ? ['AFTER'] : []), 'BEHIND']
      const hidden = isData ? ['SECRET2', 'SECRET3'] : ['SECRET1', 'SECRET2', 'SECRET3']
      checkHidden(`FRONT\n\n${first}\n\nSECRET2\n\n${last}\n\nBEHIND\n`, [...before, ...after], hidden)
    }
  })

  test(`hides what follows a condition that begins in ${begin}, up to its end between blocks or of the page`, () => {
    checkHidden(`FRONT\n\n${first}\n\nSECRET2\n\n${END}\n\nBEHIND\n`, [...before, 'BEHIND'], ['SECRET2'])
    checkHidden(`FRONT\n\n${first}\n\nSECRET2\n`, before, ['SECRET2'])
    checkHidden(`FRONT\n\n${first}\n\n# SECRET2\n\n- SECRET3\n`, before, ['SECRET2', 'SECRET3'])
  })
}

test('the conditional text of a footnote is in no anchor, outline or title of a section', () => {
  for (const note of [
    `${IF} SECRET ${END}`,
    `Ask.\n\n    ${IF}\n\n    SECRET\n\n    ${END}`,
    `- x\n    - ${IF} SECRET ${END}`,
  ])
    for (const met of [false, true]) {
      const source = `## PRICES[^p]\n\n[^p]: ${note}\n`
      const [heading] = parsePage(source).document.nodes
      assert.doesNotMatch(`${heading!.meta!.id} ${lineText(heading!.nodes as Text[])}`, /secret/i, source)
      assert.equal(shownTo(source, met).includes('SECRET'), met, source)
    }
})

test('hides a footnote with more conditions than can be one in another', () => {
  const conditions = Array.from({ length: 3_000 }, (_, i) => `{% if visitor.claims.a${i} %}`).join('')
  const source = `a word[^n]\n\n[^n]: ${conditions} SECRET\n`
  assert.equal(parsePage(source).unreadable, undefined)
  for (const unmet of ['visitor.claims.a0', 'visitor.claims.a40', 'visitor.claims.a2999'])
    assert.doesNotMatch(
      shownPage(source, (expression) => expression !== unmet && expression !== 'false'),
      /SECRET/,
    )
})

for (const [end, closing] of Object.entries(ENDS)) {
  test(`ends a condition in ${end}`, () => {
    const last = closing(`SECRET3 ${END} AFTER`)
    const after = [...(end in OPEN_PLACES ? ['AFTER'] : []), 'BEHIND']
    const hidden = ['SECRET2', 'SECRET3']
    checkHidden(`FRONT\n\n${IF}\n\nSECRET2\n\n${last}\n\nBEHIND\n`, ['FRONT', ...after], hidden)
    checkHidden(`# TITLE ${IF} SECRET1\n\nSECRET2\n\n${last}\n\nBEHIND\n`, ['TITLE', ...after], hidden)
    const inner = IF.replace('.a', '.b')
    checkHidden(
      `FRONT\n\n${IF}\n\nx ${inner} SECRET1\n\n${last}\n\nSECRET2 ${END} AFTER2\n\nBEHIND\n`,
      ['FRONT', 'AFTER2', 'BEHIND'],
      hidden,
    )
  })
}

for (const [name, container] of Object.entries({ ...CONTAINERS, ...TITLED_CONTAINERS })) {
  const isOpen = name in CONTAINERS
  test(`hides the members between the tags of a condition: ${name}`, () => {
    const [first, last] = [`BEFORE ${IF} SECRET1`, `SECRET3 ${END} AFTER`]
    const inside = isOpen ? ['BEFORE', 'AFTER'] : []
    const hidden = ['SECRET1', 'SECRET2', 'SECRET3']
    checkHidden(
      `FRONT\n\n${container(first, last)}\n\nBEHIND\n`,
      ['FRONT', 'BEHIND', ...inside],
      ['SECRET1', 'SECRET3'],
    )
    checkHidden(
      `FRONT\n\n${container(first, 'SECRET2', last)}\n\nBEHIND\n`,
      ['FRONT', 'BEHIND', ...inside],
      hidden,
    )
    checkHidden(
      `FRONT\n\n${container(first, 'SECRET2')}\n\nSECRET3\n`,
      ['FRONT', ...inside.slice(0, 1)],
      hidden,
    )
    checkHidden(`${IF}\n\nSECRET1\n\n${container('SECRET2', last)}\n\nBEHIND\n`, ['BEHIND'], hidden)
  })
}

test('takes no anchor within a condition for that of the heading', () => {
  const anchor = '<a href="#secretid" id="secretid"></a>'
  for (const written of [`T ${IF}${anchor}${END}`, `T **b ${IF}** ${anchor} ${END}`, `T ${IF} ${anchor}`]) {
    checkHidden(`## ${written}\n\nBEHIND\n`, ['T'], [])
    checkHidden(`<h2>${written}</h2>\n\nBEHIND\n`, ['T'], [])
    const [heading] = parsePage(`## ${written}\n`).document.nodes
    assert.doesNotMatch(heading?.meta?.id ?? 'none', /secret|none/)
  }
  const own = `## T ${IF}SECRET${END} <a href="#own" id="own"></a>\n`
  assert.equal(parsePage(own).document.nodes[0]?.meta?.id, 'own')
})

test('hides a definition from readers who do not see its place, and shows them the text of the reference', () => {
  const condition = (definition: string) => `${IF}\n\n${definition}\n\n${END}`
  const unclosed = (definition: string) => `x ${IF}\n\n${definition}`
  for (const around of [condition, unclosed]) {
    const link = around('[l]: https://example.com/SECRET')
    checkHidden(`a [TEXT][l] b\n\n${link}\n`, ['TEXT'], ['https://example.com/SECRET'])
    checkHidden(`a [l] b\n\n## H [TEXT][l]\n\n${link}\n`, ['TEXT'], ['https://example.com/SECRET'])
    checkHidden(`a ![x][l] b\n\n![x][l]\n\n${link}\n`, ['a'], ['https://example.com/SECRET'])
    checkHidden(`a WORD[^n] b\n\n${around('SECRET0\n\n[^n]: SECRET')}\n`, ['WORD'], ['SECRET'])
    checkHidden(
      `| a |\n|-|\n| WORD[^n] [TEXT][l] |\n\n${around('SECRET0\n\n[^n]: SECRET')}\n\n${link}\n`,
      ['WORD', 'TEXT'],
      ['SECRET'],
    )
  }
  const both = `${IF}\n\n[SECRET][l] and SECRET[^n]\n\n[l]: https://example.com/SECRET\n\n[^n]: SECRET\n\n${END}\n`
  assert.doesNotMatch(printPage(parsePage(both)), /!\(/)
  checkHidden(both, [], ['SECRET'])
})

test('closes a condition that begins in an element for code there, and no other condition', () => {
  for (const [name, code] of Object.entries(CODE_PLACES))
    for (const line of [END, `x ${END}`, `${END}${END}`, `${IF}${END}`, `x ${IF} y ${END}${END} z`]) {
      const written = code(line)
      checkHidden(`FRONT\n\n${IF}\n\n${written}\n\nSECRET\n`, ['FRONT'], ['SECRET'])
      checkHidden(
        `FRONT ${IF} SECRET1\n\n${written}\n\nSECRET2 ${END} AFTER\n`,
        ['FRONT', 'AFTER'],
        ['SECRET1', 'SECRET2'],
      )
      const begun = `FRONT\n\n${IF}${written.replace(/^- /, '')} SECRET`
      assert.doesNotMatch(shownTo(begun, false), /SECRET/, begun)
      assert.match(shownTo(`${begun}\n\n${END}\n\nAFTER\n`, false), /FRONT[^S]*AFTER/, begun)
      // Nothing is hidden by what only has an end.
      if (!line.includes(IF))
        for (const text of ['AFTER', '{% endif %}'])
          assert.ok(shownTo(`FRONT\n\n${written}\n\nAFTER\n`, false).includes(text), name)
    }
  for (const element of ['code', 'kbd', 'pre', 'samp', 'tt', 'var', 'CODE', 'code class="x"', 'textarea'])
    checkHidden(`${IF}Close it with <${element}>${END}</${element.split(' ')[0]}>. SECRET\n`, [], ['SECRET'])
})

test('closes no condition by a tag in a comment, an address or a footnote that ends elsewhere', () => {
  for (const tag of [
    `<!-- ${END} -->`,
    `![${END}](x)`,
    `[x](https://example.com/${END})`,
    `<b title="${END}">x</b>`,
    `\n\n[r]: https://example.com/${END}\n\n`,
    `\n\n[r]: u "${END}"\n\n`,
    `\n\n[^n]: x ${END}\n\n`,
  ])
    checkHidden(`FRONT\n\n${IF}\n\nSECRET1 ${tag} SECRET2\n\nSECRET3\n`, ['FRONT'], ['SECRET3'])
})

test('hides the rest of a title behind a tag that is in data of it', () => {
  for (const [name, place] of Object.entries(DATA_PLACES)) {
    if (/footnote/.test(name)) continue
    const source = `# FRONT ${place(`x ${IF} y`)} SECRET1\n\nSECRET2\n`
    for (const version of [source, printPage(parsePage(source))]) {
      assert.doesNotMatch(shownTo(version, false), /SECRET/, `${name}\n${version}`)
      assert.match(shownTo(version, false), /FRONT/, `${name}\n${version}`)
    }
  }
})

test('hides what is behind the beginning of a comment that does not end in its block', () => {
  const begins = ['<!--', '<!-- x --', '[x <!-- y](u)', '<!X', '<![CDATA[', '<?', '<? <!--', '<div> <!--']
  const texts = [`${IF} SECRET ${END}`, `${IF} x\n\nSECRET\n\n${END}`, `x\n\n${IF}\n\nSECRET\n\n${END}`]
  for (const before of ['', 'FRONT ', '# FRONT ', '- FRONT ', '> FRONT ', '| FRONT |\n|-|\n| ', `${END} `])
    for (const begin of begins)
      for (const text of texts)
        for (const end of ['', '--!>', '\n\nx -->']) {
          const source = `${before}${begin} ${text} ${end}\n`
          for (const version of [source, printPage(parsePage(source))]) {
            const others = shownTo(version, false)
            assert.doesNotMatch(others, /SECRET/, version)
            if (before.includes('FRONT')) assert.match(others, /FRONT/, version)
          }
        }
})

test('leaves the tags in code alone, wherever conditions end', () => {
  const page = `FRONT \`${IF}\` b\n\n\`\`\`\n${IF}\n\`\`\`\n\nx ${IF} SECRET1\n\n\`${END}\` SECRET2\n\n    ${END}\n\nSECRET3 ${END} AFTER\n`
  checkHidden(page, ['FRONT', 'AFTER'], ['SECRET1', 'SECRET2', 'SECRET3'])
})

test('hides in a cell what a condition hides there, in blocks that have no HTML element too', () => {
  const page = '<table><tbody><tr><td><p>x</p><p>y</p></td></tr></tbody></table>'
  const ofCell = (document: Document, blocks: Block[]) => {
    const table = document.nodes[0]
    assert(table?.type === 'table')
    table.fragments![0]!.nodes = blocks
    return printDocument(document)
  }
  for (const [name, place] of Object.entries({ ...OPEN_PLACES, ...TITLED_PLACES, ...CODE_PLACES })) {
    if (name.startsWith('a cell')) continue
    for (const text of [`TEXT ${IF} SECRET ${END}`, `TEXT\n\n${IF}\n\nSECRET\n\n${END}`]) {
      const blocks = parsePage(place(text)).document.nodes
      checkHidden(ofCell(parsePage(page).document, blocks), [], name === 'a deep quote' ? [] : ['TEXT'])
    }
  }
})

/** Pieces of Markdown that open and close blocks, elements and marks, in any order. */
test('hides an address and a title with a condition in their definition, wherever the reference is', () => {
  const definitions = [
    '[d]: https://example.com/{%-if-visitor.claims.a-%}SECRET',
    `[d]: https://example.com/ "${IF}SECRET"`,
    `[d]: https://example.com/SECRET "${IF}${END}"`,
    `${IF}x\n\n[d]: https://example.com/SECRET "${END}"`,
  ]
  for (const definition of definitions) {
    for (const page of [`[x][d] ![y][d]\n\n${definition}\n`, `${definition}\n\n[x][d] ![y][d]\n`])
      for (const version of [page, printPage(parsePage(page))])
        assert.doesNotMatch(shownTo(version, false), /SECRET/, version)
  }
  assert.match(shownTo(`![y][d]\n\n${definitions[1]}\n`, true), /SECRET/)
})

const PIECES = [
  '\n\n',
  '\n\n',
  '\n\n',
  '\n',
  '\n- ',
  '\n  - ',
  '\n> ',
  '\n# ',
  '\n## ',
  '\n1. ',
  '\\\n',
  ' | ',
  '|\n|-|-|\n| ',
  '\n---\n',
  '**',
  '*',
  '~~',
  '[',
  '](u)',
  '][r]',
  '![',
  '[r]: ',
  '[^n]',
  '\n\n[^n]: ',
  '<b>',
  '</b>',
  '<a href="u">',
  '</a>',
  '<p>',
  '</p>',
  '<ul>',
  '<li>',
  '</li>',
  '</ul>',
  '<table>',
  '<tr>',
  '<td>',
  '</td>',
  '</tr>',
  '</table>',
  '<div>',
  '</div>',
  '<details>',
  '<summary>',
  '</summary>',
  '</details>',
  '<pre>',
  '</pre>',
  '<!-- ',
  ' -->',
  '<![CDATA[',
  '<? ',
  '<section>',
  '{% hint style="info" %}',
  '{% endhint %}',
  '{% tabs %}',
  '{% tab title="t" %}',
  '{% endtab %}',
  '{% endtabs %}',
  '{% stepper %}',
  '{% step %}',
  '{% endstep %}',
  '{% endstepper %}',
]
const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 2, arbitrary: fc.constant(IF) },
  { weight: 2, arbitrary: fc.constant(END) },
  { weight: 4, arbitrary: fc.constant('TEXT') },
)

/** The source with each text named by whether it is between the tags of a condition, in the order of the source. */
function named(pieces: readonly string[]): string {
  let open = 0
  return pieces
    .map((one) => {
      if (one === IF) open += 1
      if (one === END) open = Math.max(0, open - 1)
      return one === 'TEXT' ? (open > 0 ? ' SECRET ' : ' OPEN ') : one
    })
    .join('')
}

test('shows nothing between the tags of a condition, however tags, blocks and marks are mixed', () => {
  holds(
    fc.property(fc.array(piece, { minLength: 4, maxLength: 40 }), (pieces) => {
      const source = named(pieces)
      for (const version of [source, printPage(parsePage(source))])
        assert.doesNotMatch(shownTo(version, false), /SECRET|secret/, version)
    }),
    { cases: 5000, byDefault: 400 },
  )
})

test('hides a link, an image or emphasis as a whole if a condition ends in it, also at the beginning of a line', () => {
  const places = [OPEN_PLACES['a paragraph'], OPEN_PLACES['a list'], OPEN_PLACES['a quote']]
  for (const before of ['', 'x ', '<!-- c -->'])
    for (const place of places.map((one) => one!)) {
      const line = (rest: string) => `FRONT\n\n${place(`${before}${IF} w ${rest}`)}\n\nBEHIND\n`
      const address = 'https://example.com/SECRET'
      checkHidden(line(`[x ${END}](${address}) AFTER`), ['FRONT', 'AFTER', 'BEHIND'], [address])
      checkHidden(line(`[x ${END} y](<${address}> "SECRET2")`), ['FRONT', 'BEHIND'], [address])
      checkHidden(line(`*[x ${END}](${address})*`), ['FRONT', 'BEHIND'], [address])
      checkHidden(line(`[**x ${END}**](${address})`), ['FRONT', 'BEHIND'], [address])
      checkHidden(line(`[<kbd>x</kbd> ${END}](${address})`), ['FRONT', 'BEHIND'], [address])
      checkHidden(line(`**SECRET ${END} AFTER**`), ['FRONT', 'AFTER', 'BEHIND'], ['SECRET'])
      checkHidden(line(`![x ${END}](${address})`), ['FRONT'], [])
      checkHidden(line(`[![x](${address}1) ${END}](${address})`), ['FRONT', 'BEHIND'], [address])
      checkHidden(line(`[x](https://example.com/${END}SECRET)`), ['FRONT'], [])
      checkHidden(line(`[x ${IF} y ${END} ${END}](${address})`), ['FRONT', 'BEHIND'], [address])
      checkHidden(line(`[<details>x ${END}</details>](${address})`), ['FRONT', 'BEHIND'], [])
    }
})

test('hides the rest of a link that the tag at the beginning of one of its lines cuts', () => {
  const address = 'https://example.com/SECRET'
  for (const lines of [
    [`${IF} [x`, `${END} y](${address})`],
    [`${IF} [x`, END, `](${address})`],
    [`${IF} [x`, `y ${END}](${address})`],
    [`w ${IF} ![x`, `${END} y](${address})`],
    [`w ${IF} [x ](`, `${END}${address})`],
    [`w ${IF} [x ${END} y`, `${IF} z ${END}](${address})`],
    [`w ${IF} [![x`, `${END}](${address}1)](${address})`],
  ])
    for (const prefix of ['', '> ', '- '])
      checkHidden(
        `FRONT\n\n${lines.map((line, n) => (n > 0 && prefix === '- ' ? '  ' : prefix) + line).join('\n')}\n\nBEHIND\n`,
        ['FRONT', 'BEHIND'],
        [address],
      )
  const apart = `FRONT ${IF} [SECRET\n${END} y] AFTER\n\n[x](https://example.com/)\n`
  checkHidden(apart, ['FRONT', 'AFTER', 'https://example.com/'], [])
})
