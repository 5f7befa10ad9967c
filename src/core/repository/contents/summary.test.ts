import assert from 'node:assert/strict'
import { because } from '../../languages/reasons.ts'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Entry } from '../model.ts'
import { parseSummary } from './summary.ts'
import { holds } from '../../../../test/property.ts'
import { cpuTime } from '../../../../test/cpu.ts'

const entriesOf = (source: string) => parseSummary(source).entries

/** One line for each entry, indented by its depth, so that expectations can be read. */
function outline(source: string): string[] {
  const lines: string[] = []
  const walk = (entries: Entry[], indent: string) => {
    for (const entry of entries) {
      lines.push(`${indent}${describeEntry(entry)}`)
      if (entry.kind !== 'computed') walk(entry.children, `${indent}  `)
    }
  }
  walk(entriesOf(source), '')
  return lines
}

function describeEntry(entry: Entry): string {
  if (entry.kind === 'group')
    return `## ${entry.title}${entry.anchor === undefined ? '' : ` #${entry.anchor}`}`
  if (entry.kind === 'link') return `${entry.title} => ${entry.url}`
  if (entry.kind === 'computed') return `${entry.title} computed`

  const anchor = entry.anchor === undefined ? '' : `#${entry.anchor}`
  return entry.path === undefined ? entry.title : `${entry.title} -> ${entry.path}${anchor}`
}

/** The only entry of a source. */
function only(source: string): Entry {
  const entries = entriesOf(source)
  assert.equal(entries.length, 1, JSON.stringify(entries))
  return entries[0] ?? assert.fail()
}

describe('a table of contents', () => {
  test('is a tree of pages in groups', () => {
    const source = `# Table of contents

* [Welcome](README.md)

## Getting Started

* [Concepts](start/concepts/README.md)
  * [Outcomes](start/concepts/outcomes.md)
    * [Deep](start/concepts/deep.md)
* [Setup](start/setup.md)

## Reference

* [API](api.md)
`

    assert.deepEqual(outline(source), [
      'Welcome -> README.md',
      '## Getting Started',
      '  Concepts -> start/concepts/README.md',
      '    Outcomes -> start/concepts/outcomes.md',
      '      Deep -> start/concepts/deep.md',
      '  Setup -> start/setup.md',
      '## Reference',
      '  API -> api.md',
    ])
  })

  const tree = ['A -> a.md', '  B -> b.md', '    C -> c.md', '  D -> d.md', 'E -> e.md']
  const indents: [string, string, string][] = [
    ['two spaces', '  ', '    '],
    ['four spaces', '    ', '        '],
    ['one space', ' ', '  '],
    ['tabs', '\t', '\t\t'],
    ['a tab and spaces', '    ', '\t    '],
    ['widths that vary', '   ', '     '],
  ]
  for (const [name, one, two] of indents) {
    test(`nests by ${name}`, () => {
      const source = `* [A](a.md)\n${one}* [B](b.md)\n${two}* [C](c.md)\n${one}* [D](d.md)\n* [E](e.md)`

      assert.deepEqual(outline(source), tree)
    })
  }

  for (const bullet of ['*', '-', '+', '1.', '2)', '*  ', '-\t']) {
    test(`has bullets like ${JSON.stringify(bullet)}`, () => {
      assert.deepEqual(outline(`${bullet} [A](a.md)\n  ${bullet} [B](b.md)`), ['A -> a.md', '  B -> b.md'])
    })
  }

  test('may stand in lines of any system, behind a byte order mark and between other text', () => {
    const source =
      '\ufeff# Summary\r\n\r\nSome words.\r\n* [A](a.md)\r\n\r\n  more words\r\n  * [B](b.md)\r\n> quote\r\n'

    assert.deepEqual(outline(source.replace('\ufeff', '')), ['A -> a.md', '  B -> b.md'])
    assert.deepEqual(outline('* [A](a.md)\r  * [B](b.md)'), ['A -> a.md', '  B -> b.md'])
  })

  test('has empty pages where a line has no link', () => {
    assert.deepEqual(outline('* [A](a.md)\n  * Old versions\n    * [B](b.md)\n* [Draft]()'), [
      'A -> a.md',
      '  Old versions',
      '    B -> b.md',
      'Draft',
    ])
  })

  test('takes a heading of level one for its name only at the top', () => {
    assert.deepEqual(outline('# Summary\n* [A](a.md)\n# Part\n* [B](b.md)'), [
      'A -> a.md',
      '## Part',
      '  B -> b.md',
    ])
    assert.deepEqual(outline('* [A](a.md)\n# Part\n* [B](b.md)'), ['A -> a.md', '## Part', '  B -> b.md'])
  })

  test('has groups of every heading level, and leaves them at a rule', () => {
    const source = '### Part one\n- [A](a.md)\n---\n- [B](b.md)\n* * *\n#### Part two ##\n- [C](c.md)'

    assert.deepEqual(outline(source), [
      '## Part one',
      '  A -> a.md',
      'B -> b.md',
      '## Part two',
      '  C -> c.md',
    ])
  })

  test('has groups with slugs of their own', () => {
    assert.deepEqual(outline('## Getting \\[started] <a href="#start" id="start"></a>\n* [A](a.md)'), [
      '## Getting [started] #start',
      '  A -> a.md',
    ])
    assert.deepEqual(outline('## <a id="x"></a>Title'), ['## Title #x'])
    assert.deepEqual(outline('##\n* [A](a.md)'), ['A -> a.md'], 'a heading without words is no group')
  })

  test('does not read comments', () => {
    const source =
      '<!--\n* [Hidden](h.md)\n-->\n* [A](a.md) <!-- why -->\n<!-- * [B](b.md) -->* [C](c.md)\n<!-- never closed\n* [D](d.md)'

    assert.deepEqual(outline(source), ['A -> a.md', 'C -> c.md'])
  })

  test('has computed pages from blocks of YAML', () => {
    const source = `* [A](a.md)
  * \`\`\`yaml
    type: builtin:openapi
    props:
      models: true
      downloadLink: true
    dependencies:
      spec:
        ref:
          kind: openapi
          spec: petstore
    \`\`\`
* [B](b.md)`

    assert.deepEqual(outline(source), ['A -> a.md', '  petstore computed', 'B -> b.md'])
    const [a] = entriesOf(source)
    assert.deepEqual(a?.kind === 'page' && a.children[0], {
      kind: 'computed',
      title: 'petstore',
      computed: {
        type: 'builtin:openapi',
        props: { models: true, downloadLink: true },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
      },
    })
  })

  test('reports a block that is no computed page, and goes on after one that is never closed', () => {
    const { entries, problems } = parseSummary(
      '* ```yaml\n  : nothing\n  ```\n* ```yaml\n  type: x\n* [A](a.md)',
    )

    assert.deepEqual(problems, [because('contents-computed', { line: 1 })])
    assert.deepEqual(
      entries.map((entry) => entry.kind),
      ['computed', 'page'],
    )
  })
})

describe('an entry', () => {
  const paths: [string, string][] = [
    ['* [A](a.md)', 'a.md'],
    ['* [A]( a.md )', 'a.md'],
    ['* [A](<dir (1)/a b.md>)', 'dir (1)/a b.md'],
    ['* [A](dir (1)/a b.md)', 'dir (1)/a b.md'],
    ['* [A](dir%20%281%29/a.md)', 'dir (1)/a.md'],
    ['* [A](100%.md)', '100%.md'],
    ['* [A](a\\_b.md)', 'a_b.md'],
    ["* [A](it's.md)", "it's.md"],
    ["* [A](the user 'guide.md)", "the user 'guide.md"],
    ['* [A](中文/页.md)', '中文/页.md'],
    ['* [ ] [A](a.md)', 'a.md'],
    ['* **[A](a.md)**', 'a.md'],
    ['* [A](a.md) and words', 'a.md'],
    ['* [A](./a.md)', './a.md'],
    ['* [A](/a.md)', '/a.md'],
  ]
  for (const [source, path] of paths) {
    test(`${source} is the page ${path}`, () => {
      const entry = only(source)
      assert.deepEqual([entry.title, entry.kind === 'page' && entry.path], ['A', path])
    })
  }

  const titles: [string, string][] = [
    ['* [Install \\(Linux\\)](a.md)', 'Install (Linux)'],
    ['* [Use \\[brackets\\]](a.md)', 'Use [brackets]'],
    ['* [Use [brackets]](a.md)', 'Use [brackets]'],
    ['* [The `a[0]` operator](a.md)', 'The a[0] operator'],
    ['* [A ` tick](a.md)', 'A tick'],
    ['* [snake\\_case and other_case](a.md)', 'snake_case and other_case'],
    ['* [**Bold** and _italic_](a.md)', 'Bold and italic'],
    ['* [Q&amp;A &lt;T&gt;](a.md)', 'Q&A <T>'],
    ['* [C# * 2 ** 3](a.md)', 'C# * 2 ** 3'],
    ['* [👋 Welcome](a.md)', '👋 Welcome'],
    ['*   [  spaced   out ](a.md)', 'spaced out'],
    ['* [\\*](a.md)', '*'],
  ]
  for (const [source, title] of titles) {
    test(`${source} has the title ${title}`, () => assert.equal(only(source).title, title))
  }

  test('may have a link title', () => {
    const linkTitle = (source: string) => {
      const entry = only(source)
      return entry.kind === 'page' || entry.kind === 'link' ? entry.linkTitle : undefined
    }

    assert.equal(linkTitle('* [A](a.md "Short")'), 'Short')
    assert.equal(linkTitle("* [A](a.md 'Short')"), 'Short')
    assert.equal(linkTitle('* [A](<a b.md> "Short (1)")'), 'Short (1)')
    assert.equal(linkTitle('* [A](a b.md "Say \\"hi\\"")'), 'Say "hi"')
    assert.equal(linkTitle('* [A](a.md "")'), undefined)
    assert.equal(linkTitle('* [A](https://example.com "Short")'), 'Short')
  })

  test('may lead to an anchor', () => {
    assert.deepEqual(outline('* [A](a.md#part-2)\n* [B](#part)'), ['A -> a.md#part-2', 'B'])
  })

  test('may lead out', () => {
    assert.deepEqual(
      outline(
        '* [A](https://example.com/a_(b)?c#d)\n* [B](mailto:a@example.com)\n* [C](//example.com)\n* [D](broken-reference)',
      ),
      [
        'A => https://example.com/a_(b)?c#d',
        'B => mailto:a@example.com',
        'C => //example.com',
        'D => broken-reference',
      ],
    )
  })

  test('is a page without a file where its link is broken', () => {
    assert.deepEqual(outline('* [A](a.md\n* [B]\n* [C\n* D](d.md)'), ['[A](a.md', '[B]', '[C', 'D](d.md)'])
  })
})

describe('the reader', () => {
  const tokens = `* |- |  |\t|\n|[|]|(|)|<|>|"|'|\\|\`|\`\`\`|~~~|#|## |---|<!--|-->|<a id="|">|a.md|https://x|type: |é|😀|&amp;|1. |:|{|%20|_`
  const words = fc.constantFrom(...tokens.split('|'))

  test('never throws and keeps no broken titles, whatever comes', () => {
    holds(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 60 }), (parts) => {
        const walk = (entries: Entry[]) => {
          for (const entry of entries) {
            assert.equal(entry.title, entry.title.trim())
            if (entry.kind !== 'computed') walk(entry.children)
          }
        }
        walk(entriesOf(parts.join('')))
      }),
      { cases: 3000 },
    )
  })

  test('reads back every tree that can be written', () => {
    const title = fc.stringMatching(/^[A-Za-z0-9äé中 .,!?-]{1,20}$/).map((text) => text.trim() || 'x')
    const path = fc.stringMatching(/^[a-z0-9 ()_-]{1,12}$/).map((name) => `${name.trim() || 'x'}.md`)
    type Node = [string, string, Node[]]
    const node = (depth: number): fc.Arbitrary<Node> =>
      fc.tuple(title, path, depth <= 1 ? fc.constant([]) : fc.array(node(depth - 1), { maxLength: 3 }))
    const print = (nodes: Node[], indent = ''): string =>
      nodes.map(([t, p, below]) => `${indent}* [${t}](<${p}>)\n${print(below, `${indent}  `)}`).join('')
    const shape = (entries: Entry[]): unknown =>
      entries.map((entry) => entry.kind === 'page' && [entry.title, entry.path, shape(entry.children)])
    const expected = (nodes: Node[]): unknown =>
      nodes.map(([t, p, below]) => [t.replace(/\s+/g, ' '), p, expected(below)])

    holds(
      fc.property(fc.array(node(5), { maxLength: 4 }), (nodes) => {
        assert.deepEqual(shape(entriesOf(print(nodes))), expected(nodes))
      }),
      { cases: 300 },
    )
  })

  test('takes linear time on the worst that we know', () => {
    const size = 200_000
    const hostile = [
      `* ${'['.repeat(size)}`,
      `* [${'\\'.repeat(size)}`,
      `* [a](${'('.repeat(size)}`,
      `* [a](${' "'.repeat(size / 2)}`,
      `* [a](${" '".repeat(size / 2)})`,
      `* [a](<${'<'.repeat(size)}`,
      `* [${'`'.repeat(size)}](a.md)`,
      `* [${'_*'.repeat(size / 2)}](a.md)`,
      `* [a](a "${' '.repeat(size)}x)`,
      `## ${'<a '.repeat(size / 3)}`,
      `## ${'<a id="'.repeat(size / 7)}`,
      `## a${' '.repeat(size)}#x`,
      '- '.repeat(size / 2),
      '* - + '.repeat(size / 6),
      '<!--'.repeat(size / 4),
      '* ```\n'.repeat(size / 6),
      ' '.repeat(size),
      '\t'.repeat(size),
      `${' '.repeat(size)}* a`,
      Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}* [a](a.md)`).join('\n'),
    ]

    for (const source of hostile) {
      const start = cpuTime()
      parseSummary(source)
      const took = cpuTime() - start
      assert.ok(took < 5000, `${JSON.stringify(source.slice(0, 30))} took ${took} ms`)
    }
  })
})
