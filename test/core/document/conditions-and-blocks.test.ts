/** Conditions beside HTML, indented code and blocks of code, whose lines the parser may read as something else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printPage } from '../../../src/core/document/print.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { holds } from '../../property.ts'
import { shownPage } from '../shown-page.ts'
import { hides, nothing } from './hides.ts'

const IF = '{% if visitor.claims.none %}'
const END = '{% endif %}'

const CONTAINERS: Record<string, (inner: string) => string> = {
  page: (inner) => inner,
  hint: (inner) => `{% hint style="info" %}\n${inner}\n{% endhint %}`,
  tab: (inner) => `{% tabs %}\n{% tab title="t" %}\n${inner}\n{% endtab %}\n{% endtabs %}`,
  list: (inner) => `- x\n\n${inner.replace(/^(?=.)/gm, '  ')}`,
  quote: (inner) => inner.replace(/^/gm, '> '),
  details: (inner) => `<details>\n<summary>t</summary>\n\n${inner}\n\n</details>`,
}
const HTML = [
  '<figure><img src="a.png" alt=""></figure>',
  '<p>x</p>',
  '<p align="center">x\ny</p>',
  '<hr>',
  '<b>x</b>',
  '<table><tr><td>x</td></tr></table>',
]

test('reads a line that has only tags as such below HTML without an empty line', () => {
  for (const place of Object.values(CONTAINERS))
    for (const html of HTML)
      for (const fence of ['```', '~~~js'])
        for (const tags of [IF, `${IF} ${IF}${END}`]) {
          const code = `${fence}\na\n\nSECRET ${END}\n${fence.slice(0, 3)}`
          hides(
            `FRONT\n\n${place(`${html}\n${tags}\n${code}\n\nSECRET\n${html}\n${END}\n\`\`\`\na\n\nIN CODE\n\`\`\`\n\nINSIDE`)}\n\nAFTER\n`,
            ['FRONT', 'IN CODE', 'INSIDE', 'AFTER'],
          )
        }
  hides(`${CONTAINERS.hint!('<p>x</p>')}\n\`\`\`\na\n\nb\n\`\`\`\n\n${IF}\nSECRET\n${END}\n\nAFTER\n`, [
    'AFTER',
  ])
})

test('ends no condition by a tag in code that is behind HTML', () => {
  for (const place of Object.values(CONTAINERS))
    for (const html of HTML)
      for (const code of [`Close it with \`${END}\`.`, `<b>\`${END}\`</b>`, `\`\`\`\n${END}\n\`\`\``])
        hides(`FRONT\n\n${place(`${IF}\n${html}\n${code}\nSECRET\n\n${END}\n\nAFTER`)}\n`, ['FRONT', 'AFTER'])
  hides(`${IF}\n<summary>x</summary>\n\`\`\`\n${END}\n\`\`\`\nSECRET\n\n${END}\n\nAFTER\n`, ['AFTER'])
  hides(`${IF}\n\n<p>Close it with \`${END}\`. SECRET</p>\n\n${END}\n\nAFTER\n`, ['AFTER'])
})

test('shows the tags in code that is behind HTML', () => {
  for (const html of HTML) {
    const shown = shownPage(`${html}\nWrite \`${IF}x${END}\` here.\n`, nothing)
    assert.ok(shown.includes(`${IF}x${END}`), shown)
  }
})

test('hides what a condition in indented code of a container would hide', () => {
  for (const [name, place] of Object.entries(CONTAINERS))
    for (const before of ['', 'x\n\n', '<p>x</p>\n\n', '# x\n'])
      for (const indent of ['    ', '      ', '\t']) {
        if (name === 'page' || name === 'quote') continue
        const inner = [IF, 'SECRET', '', 'SECRET', END, 'INSIDE'].map((line) => indent + line).join('\n')
        hides(`FRONT\n\n${place(`${before}${inner}`)}\n\nAFTER\n`, ['FRONT', 'INSIDE', 'AFTER'])
      }
  for (const html of HTML)
    hides(`FRONT\n\n${html}\n- x\n\n    ${IF}SECRET${END}\n    INSIDE\n\nAFTER\n`, [
      'FRONT',
      'INSIDE',
      'AFTER',
    ])
  const code = `    ${IF}\n    TEXT\n    ${END}`
  for (const page of [code, `x\n\n${code}`, `${IF}${END}\n\n${code}`])
    assert.ok(shownPage(`${page}\n`, nothing).includes(`${IF}\n`), page)
})

const reported = (source: string) =>
  hiddenParts(parsePage(source), source).filter(({ reason }) => reason === 'condition-in-open-code')

test('reports conditions in code that has no end', () => {
  for (const place of Object.values(CONTAINERS)) {
    for (const source of [
      `\`\`\`\ncode\n\`\`\` ${IF}\nTEXT\n${END}`,
      `~~~\ncode\n~~~ ${IF}\nTEXT\n${END}\n~~~`,
      `\`\`\`\ncode\n\n${IF}\nTEXT\n${END}`,
      `<summary>x</summary>\n\`\`\`\na\n\nb\n\`\`\`\n\n${IF}\nTEXT\n${END}`,
    ])
      assert.equal(reported(`FRONT\n\n${place(source)}\n`).length, 1, place(source))
    for (const source of [
      `\`\`\`\n${IF}\n\`\`\`\n\n${IF}x${END}`,
      `\`\`\`\`\n${IF}\n\`\`\`\n\`\`\`\``,
      `\`\`\`\ncode`,
      `\`${IF}\``,
      `    ${END}`,
    ])
      assert.deepEqual(reported(`FRONT\n\n${place(source)}\n`), [], place(source))
  }
})

/** A block of a page: its lines, in which `TEXT` stands for words, and what is in code has other tags. */
const leaf = fc.constantFrom(
  'TEXT',
  'TEXT\nTEXT',
  '## TEXT',
  IF,
  IF,
  END,
  END,
  `TEXT ${IF} TEXT`,
  `TEXT ${END} TEXT`,
  `${END} TEXT`,
  `${IF}TEXT${END} TEXT`,
  `TEXT \`code ${IF}\` TEXT`.replace(IF, '{% if code %}'),
  'TEXT `{% end'.concat('if  %}` TEXT'),
  '```js\nTEXT\n\n{% endif  %}\n```',
  '~~~\n{% if code %}\n~~~',
  '<p>TEXT</p>',
  '<p>TEXT `{% endif  %}` TEXT</p>',
  `<p>TEXT ${IF} TEXT</p>`,
  '<figure><img src="a.png"></figure>',
  '<summary>TEXT</summary>',
  '<table><tr><td>TEXT</td></tr></table>',
  `| TEXT |\n|-|\n| TEXT ${END} TEXT |`,
  '<!-- c -->',
  '<br>',
  '---',
)
const around = fc.constantFrom<(inner: string) => string>(
  ...Object.values(CONTAINERS),
  (inner) => `* ${inner.replaceAll('\n', '\n  ')}`,
  (inner) => `<details>\n<summary>TEXT</summary>\n${inner}\n</details>`,
  (inner) => `<div>\n${inner}\n</div>`,
  (inner) => `{% hint style="info" %}\n${inner.replace(/^(?=.)/gm, '    ')}\n{% endhint %}`,
)
const { blocks } = fc.letrec<{ blocks: string; block: string }>((tie) => ({
  blocks: fc
    .array(fc.tuple(tie('block'), fc.constantFrom('\n', '\n\n')), { minLength: 1, maxLength: 6 })
    .map((all) => all.flat().join('').trimEnd()),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.tuple(around, tie('blocks')).map(([place, inner]) => place(inner)) },
  ),
}))

/** The page with each word named by whether it is between the tags of a condition, in the order of the source. */
function named(source: string): string {
  let open = 0
  return source.replace(/TEXT|\{% if visitor\.claims\.none %\}|\{% endif %\}/g, (one) => {
    if (one === IF) open += 1
    if (one === END) open = Math.max(0, open - 1)
    return one === 'TEXT' ? (open > 0 ? 'SECRET' : 'OPEN') : one
  })
}

/** Pages that once showed what a condition hides. */
const FOUND = [
  `{% hint style="info" %}\n    ${IF}TEXT${END} TEXT\n{% endhint %}`,
  `{% hint style="info" %}\n    <p>TEXT ${IF} TEXT</p>\n    <p>TEXT \`{% endif  %}\` TEXT</p>\n    TEXT\n{% endhint %}`,
  `{% hint style="info" %}\n    ${IF}\n    \`\`\`js\n    TEXT\n\n    {% endif  %}\n    \`\`\`\n{% endhint %}`,
  `<p>TEXT ${IF} TEXT</p>\n\`\`\`js\nTEXT\n\n{% endif  %}\n\`\`\`\nTEXT`,
  `{% hint style="info" %}\n    * \`\`\`js\n      TEXT\n      {% endif  %}\n      \`\`\`\n      ${IF}TEXT${END} TEXT\n{% endhint %}`,
  `<p>TEXT ${IF} TEXT</p>\n{% hint style="info" %}\n<br>\nTEXT \`{% endif  %}\` TEXT\n{% endhint %}\nTEXT`,
  `<br>\n  - x\n\n    ${IF}TEXT${END} TEXT\n    TEXT\n  TEXT`,
  `<figure><img src="a.png"></figure>\n> {% hint style="info" %}\n>     TEXT ${IF} TEXT\n> {% endhint %}\n> <p>TEXT \`{% endif  %}\` TEXT</p>\n> TEXT\nTEXT`,
]

const PUBLIC = new Set(['condition-in-open-code', 'condition-unopened'])

test('shows nothing between the tags of a condition, or reports it, however blocks are nested and joined', () => {
  holds(
    fc.property(blocks, (page) => {
      const source = `${named(page)}\n`
      const isReported = hiddenParts(parsePage(source), source).some(({ reason }) => PUBLIC.has(reason ?? ''))
      if (isReported) return
      for (const version of [source, printPage(parsePage(source))])
        assert.doesNotMatch(shownPage(version, nothing), /SECRET|secret/, version)
    }),
    { cases: 5000, byDefault: 400, examples: FOUND.map((page) => [page]) },
  )
})
