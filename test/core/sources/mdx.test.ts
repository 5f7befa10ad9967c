/** The components of MDX become blocks of Lectern, wherever they are in a page. */
import type { WithReason } from '../../../src/core/languages/reasoned.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { mdxMarkdown } from '../../../src/core/sources/mdx/page.ts'
import { leastCost } from '../../cpu.ts'
import { assertLinear, type Families, familiesOf, nested, repeated } from '../cost/growth.ts'

const FILES: Record<string, string> = {
  '/snippets/a.mdx': 'A',
  '/snippets/vars.mdx': "export const version = '4.2'\n\nexport const links = { home: '/start' }\n\nText",
}
const files = {
  find: (address: string) => (address in FILES ? address : undefined),
  address: (path: string) => path.slice(1),
  text: (path: string) => FILES[path],
}

function convert(source: string): { markdown: string; reports: [string, number][] } {
  const reports: [string, number][] = []
  const report = ({ message }: WithReason, line: number) => void reports.push([message, line])
  const texts = new Map([['product', 'Acme']])
  return { markdown: mdxMarkdown(source, { files, report, texts }), reports }
}

const hint = (style: string, content: string) => `{% hint style="${style}" %}\n${content}\n{% endhint %}`
const details = (title: string, content: string) =>
  `<details>\n\n<summary>${title}</summary>\n\n${content}\n\n</details>`

/** What each component becomes, and the first block of it. */
const COMPONENTS: [source: string, markdown: string, block: string][] = [
  ['<Note>Text</Note>', hint('info', 'Text'), 'hint'],
  ['<Info>Text</Info>', hint('info', 'Text'), 'hint'],
  ['<Tip>Text</Tip>', hint('success', 'Text'), 'hint'],
  ['<Check>Text</Check>', hint('success', 'Text'), 'hint'],
  ['<Warning>\n  Text\n</Warning>', hint('warning', 'Text'), 'hint'],
  ['<Danger>Text</Danger>', hint('danger', 'Text'), 'hint'],
  ['<Aside type="caution" title="Mind">Text</Aside>', hint('warning', '**Mind**\n\nText'), 'hint'],
  ['<Callout type="error" emoji="x">Text</Callout>', hint('danger', 'Text'), 'hint'],
  ['<Callout>Text</Callout>', hint('info', 'Text'), 'hint'],
  ['<Admonition type="tip">Text</Admonition>', hint('success', 'Text'), 'hint'],
  ['<Accordion title="A & <b>">\n  Text\n</Accordion>', details('A &amp; &lt;b&gt;', 'Text'), 'expandable'],
  [
    '<AccordionGroup>\n  <Accordion title="A">Text</Accordion>\n</AccordionGroup>',
    details('A', 'Text'),
    'expandable',
  ],
  ['<Expandable title="more">Text</Expandable>', details('more', 'Text'), 'expandable'],
  [
    '<Tabs>\n  <Tab title="A">\n    One\n\n    ```js\n    a\n    ```\n  </Tab>\n  <Tab title="B">Two</Tab>\n</Tabs>',
    '{% tabs %}\n{% tab title="A" %}\nOne\n\n```js\na\n```\n{% endtab %}\n{% tab title="B" %}\nTwo\n{% endtab %}\n{% endtabs %}',
    'tabs',
  ],
  [
    "<Tabs items={['npm', 'pnpm']}><Tabs.Tab>one</Tabs.Tab><Tabs.Tab>two</Tabs.Tab></Tabs>",
    '{% tabs %}\n{% tab title="npm" %}\none\n{% endtab %}\n{% tab title="pnpm" %}\ntwo\n{% endtab %}\n{% endtabs %}',
    'tabs',
  ],
  [
    '<CodeGroup>\n\n```js title="a.js"\n1\n```\n\n```py\n2\n```\n\n</CodeGroup>',
    '{% tabs %}\n{% tab title="a.js" %}\n```js\n1\n```\n{% endtab %}\n{% tab title="py" %}\n```py\n2\n```\n{% endtab %}\n{% endtabs %}',
    'tabs',
  ],
  [
    '<Steps>\n  <Step title="One">\n    Text\n  </Step>\n  <Step>Two</Step>\n</Steps>',
    '{% stepper %}\n{% step %}\n### One\n\nText\n{% endstep %}\n{% step %}\nTwo\n{% endstep %}\n{% endstepper %}',
    'stepper',
  ],
  [
    '<Steps>\n\n1. Install\n\n   ```sh\n   x\n   ```\n\n2. Run\n\n</Steps>',
    '{% stepper %}\n{% step %}\nInstall\n\n```sh\nx\n```\n{% endstep %}\n{% step %}\nRun\n{% endstep %}\n{% endstepper %}',
    'stepper',
  ],
  [
    '<Steps>\n### One\n\na\n\n### Two\n\nb\n</Steps>',
    '{% stepper %}\n{% step %}\n### One\n\na\n{% endstep %}\n{% step %}\n### Two\n\nb\n{% endstep %}\n{% endstepper %}',
    'stepper',
  ],
  [
    '<CardGroup cols={2}>\n  <Card title="A" icon="bolt" href="/a">\n    Some **bold**\n  </Card>\n</CardGroup>',
    '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>A</strong></td><td>Some <strong>bold</strong></td><td><a href="/a">a</a></td></tr></tbody></table>',
    'table',
  ],
  [
    '<CardGrid><LinkCard title="A" description="About" href="/a" /><Card title="B" img="/b.png" /></CardGrid>',
    '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image"></th></tr></thead><tbody><tr><td><strong>A</strong></td><td>About</td><td><a href="/a">a</a></td><td></td></tr><tr><td><strong>B</strong></td><td></td><td></td><td><a href="/b.png">b.png</a></td></tr></tbody></table>',
    'table',
  ],
  [
    '<Cards><Cards.Card title="A" href="/a" /></Cards>',
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>A</strong></td><td><a href="/a">a</a></td></tr></tbody></table>',
    'table',
  ],
  [
    '<Columns cols={2}>\n  <Column>a</Column>\n  <Column>b</Column>\n</Columns>',
    '{% columns %}\n{% column %}\na\n{% endcolumn %}\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}',
    'columns',
  ],
  ['<Frame caption="A caption">\n  ![Alt](/a.png)\n</Frame>', '![Alt](/a.png "A caption")', 'images'],
  ['<Frame><img className="b" src="/a.png" style={{ a: 1 }} /></Frame>', '<img src="/a.png" />', 'images'],
  [
    '<ParamField body="limit" type="integer" required default="10">\n  The limit.\n</ParamField>',
    '**`limit`** · _integer_ · body · required · default: `10`\n\nThe limit.',
    'paragraph',
  ],
  ['<ResponseField name="a" type="string">Text</ResponseField>', '**`a`** · _string_\n\nText', 'paragraph'],
  [
    '<Update label="January 5, 2025" description="v1.2" tags={["a"]}>\n  Text\n</Update>',
    '{% updates format="full" %}\n{% update date="2025-01-05" tags="a" %}\n## v1.2\n\nText\n{% endupdate %}\n{% endupdates %}',
    'updates',
  ],
  ['<Update label="Spring">Text</Update>', '## Spring\n\nText', 'heading-1'],
  ['A <Tooltip tip="Long">short</Tooltip> word', 'A short (Long) word', 'paragraph'],
  [
    'A <Icon icon="flag" /> and <Icon icon="Not one" />.',
    'A <i class="fa-flag">:flag:</i> and .',
    'paragraph',
  ],
  ['A <Badge text="New" />', 'A **New**', 'paragraph'],
  [
    '<LinkButton href="/x">Go & see</LinkButton>',
    '<a href="/x" class="button primary">Go &amp; see</a>',
    'paragraph',
  ],
  ['A <Link to="/x y">link</Link>', 'A [link](</x y>)', 'paragraph'],
  ['<Snippet file="a.mdx" />', '{% include "snippets/a.mdx" %}', 'reusable-content'],
  ["import A from '/snippets/a.mdx'\n\n<A />", '{% include "snippets/a.mdx" %}', 'reusable-content'],
  ['<FileTree>\n\n- a/\n  - b\n\n</FileTree>', '- a/\n  - b', 'list-unordered'],
  [
    '<FileTree>\n  <FileTree.Folder name="a" open>\n    <FileTree.File name="b.md" />\n  </FileTree.Folder>\n</FileTree>',
    '* `a/`\n  * `b.md`',
    'list-unordered',
  ],
  [
    '<CodeBlock language="js" title="a.js">\n  {`a\nb`}\n</CodeBlock>',
    '```js title="a.js"\na\nb\n```',
    'code',
  ],
  ['Text\n\n<DocCardList />', 'Text', 'paragraph'],
  ["<img src={useBaseUrl('/img/a.png')} alt='x' />", '<img src="/img/a.png" alt="x" />', 'images'],
  ["<img src={require('./a.png').default} />", '<img src="./a.png" />', 'images'],
  ["import logo from './a.png'\n\n<img src={logo} />", '<img src="./a.png" />', 'images'],
  [
    '<details>\n<summary>More</summary>\n\nText\n\n</details>',
    '<details>\n<summary>More</summary>\n\nText\n\n</details>',
    'expandable',
  ],
  ['<div className="a">\n  <Note>Text</Note>\n</div>', hint('info', 'Text'), 'hint'],
]

describe('a component', () => {
  for (const [source, markdown, type] of COMPONENTS)
    test(`${source.split('\n')[0] ?? ''} … becomes ${type}`, () => {
      const { markdown: converted, reports } = convert(source)
      assert.equal(converted.trim(), markdown)
      assert.equal(parsePage(converted).document.nodes[0]?.type, type)
      assert.deepEqual(reports, [])
    })
})

describe('a component is read', () => {
  const places: [place: string, source: string, markdown: string][] = [
    ['within a line', 'a <Note>b</Note> c', `a \n\n${hint('info', 'b')}\nc`],
    [
      'behind the sign of a list item',
      '- <Note>a</Note>\n- b',
      `- ${hint('info', 'a').replaceAll('\n', '\n  ')}\n- b`,
    ],
    [
      'in a list item',
      '1. a\n   <Note>\n     ```js\n     b\n     ```\n   </Note>\n2. c',
      `1. a\n   ${hint('info', '```js\nb\n```').replaceAll('\n', '\n   ')}\n2. c`,
    ],
    ['in a quote', '> <Note>a</Note>\n> b', `> ${hint('info', 'a').replaceAll('\n', '\n> ')}\n> b`],
    ['in a cell', '| a |\n|---|\n| <Note>b</Note> |', '| a |\n|---|\n| b |'],
    ['in another', '<Tip>\n  <Note>a</Note>\n</Tip>', hint('success', hint('info', 'a'))],
    ['beside another', '<Note>a</Note><Tip>b</Tip>', `${hint('info', 'a')}\n${hint('success', 'b')}`],
    ['without its end', '<Note>\na', hint('info', 'a')],
    [
      'with attributes over lines',
      '<Aside\n  type="danger"\n  title={`b > c`}\n>\na\n</Aside>',
      hint('danger', '**b > c**\n\na'),
    ],
    [
      'before text, which begins after an empty line',
      '<Accordion title="a">b</Accordion>\nc',
      `${details('a', 'b')}\n\nc`,
    ],
  ]
  for (const [place, source, markdown] of places)
    test(place, () => assert.equal(convert(source).markdown.trim(), markdown))

  test('but not in code', () => {
    const source = '`<Note>a</Note>`\n\n```jsx\n<Note>\nimport a from "b"\n{version}\n```\n\n\\<Note>'
    assert.equal(convert(source).markdown, source)
  })
})

test('an unknown component keeps what is in it, and is reported with its first line and the number of its uses', () => {
  const { markdown, reports } = convert(
    '# A\n\n<Foo a={1}>\n  One **two**\n\n  ```js\n  <Foo>\n  ```\n</Foo>\n\nIn <Foo>a line</Foo>.\n<Bar />\n',
  )
  assert.equal(markdown, '# A\n\nOne **two**\n\n```js\n<Foo>\n```\n\nIn a line.\n\n')
  assert.deepEqual(reports, [
    ['has the component <Foo> 2 times; only what is in it is imported', 3],
    ['has the component <Bar> once; only what is in it is imported', 12],
  ])
})

test('texts of the page, of snippets and of the site are inserted; other expressions stay', () => {
  const source = `import { version as v, links } from '/snippets/vars.mdx'
import x from './x.js'

export const name = 'Lectern'

{/* a comment
over lines */}

{name} {v} {links.home} {{product}} {' '}{"{"} {x} {1 + 1} \\{name} \`{name}\`

## Title {/* #id */}
`
  assert.equal(
    convert(source).markdown,
    '\n\n\nLectern 4.2 /start Acme  { {x} {1 + 1} \\{name} `{name}`\n\n## Title {/* #id */}\n',
  )
})

test('a module goes on after empty lines as long as a bracket is open', () => {
  assert.equal(convert('export const A = () => {\n\n  return 1\n}\n\nText').markdown, '\nText')
  assert.equal(convert("export const a = '{'\n\nText").markdown, '\nText')
})

const FAMILIES: Families = {
  'components in one another': nested('<Note>\n', '</Note>\n'),
  'components in a line': repeated('<Note>a</Note> '),
  'components in a row': repeated('<Tip>a</Tip>|', '| '),
  'components without an end': repeated('<Note '),
  'open values': repeated('<Note a={'),
  'open texts': repeated('<Note a="'),
  'open comments': repeated('{/* '),
  expressions: repeated('{a.b} '),
  'open expressions': repeated('{"a'),
  'texts of the site': repeated('{{product}} '),
  ticks: repeated('`` ` '),
  cards: repeated('<Card title="a">b</Card>\n'),
  'a group of cards': repeated('<Card title="a" href="b">c</Card>\n', '<Cards>\n', '</Cards>'),
  'groups of code': repeated('<CodeGroup>\n```js a\n```\n</CodeGroup>\n'),
  'steps of a list': repeated('1. a\n\n   b\n', '<Steps>\n', '</Steps>'),
  'steps in one another': nested('<Steps>\n1. a\n', '</Steps>\n'),
  wrappers: nested('<div>\n', '</div>\n'),
  'closing tags': repeated('</Note></div>'),
  'open modules': repeated('export const a = {\n\n'),
  'unknown components': repeated('<A.b c />\n'),
  attributes: repeated(' a="b"', '<Note', '>'),
  'elements of HTML': repeated('<img className="a" src={b} />'),
  code: repeated('```js\n<Note>\n```\n'),
}

test('components in a row of a table cost as much each when the row is as long as a page may be', async () => {
  const row = repeated('<Tip>a</Tip>|', '| ')
  const costOf = (size: number) => {
    const source = row(size)
    return leastCost(0, () => convert(source))
  }
  // Looking at the whole line for each component made it 39 times; caches and the collector make it up to 7.
  const [short, long] = [await costOf(250_000), await costOf(1_000_000)]
  assert(long < 15 * short, `${short} and ${long} ms`)
})

describe('reading MDX is linear', () => {
  for (const [name, make] of familiesOf(FAMILIES, 3))
    test(name, () => assertLinear(make, (source) => convert(source)))
})
