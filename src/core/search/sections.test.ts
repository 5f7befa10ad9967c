import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../document/parse.ts'
import { indexPages } from './index-pages.ts'
import { readSection, sectionsOf } from './sections.ts'

const sections = (source: string) => sectionsOf(parsePage(source).document)

test('a page is divided at its headings, those in containers too', () => {
  assert.deepEqual(
    sections(
      '# Title\n\nIntro.\n\n## One\n\nA.\n\nB.\n\n{% stepper %}\n{% step %}\n### Two\n\nC.\n{% endstep %}\n{% endstepper %}\n',
    ),
    [
      { title: '', text: 'Intro.' },
      { anchor: 'one', title: 'One', text: 'A.\nB.' },
      { anchor: 'two', title: 'Two', text: 'C.' },
    ],
  )
})

const IF = '{% if visitor.claims.a %}'

test('what stands within a condition is apart, and what is within a line or a cell is left out', () => {
  assert.deepEqual(sections(`## H\n\nopen\n\n${IF}\nSECRET\n{% endif %}\n\nmore\n`), [
    { anchor: 'h', title: 'H', text: 'open' },
    { anchor: 'h', title: 'H', text: 'SECRET', when: ['visitor.claims.a'] },
    { anchor: 'h', title: 'H', text: 'more' },
  ])
  // A heading within a condition does not name what follows outside of it.
  assert.deepEqual(sections(`${IF}\n## SECRET\n\nSECRET\n{% endif %}\n\nafter\n`).at(-1), {
    title: '',
    text: 'after',
  })
  for (const source of [
    `x ${IF}SECRET{% endif %} y`,
    `## H ${IF}SECRET{% endif %}`,
    `| a | b |\n|-|-|\n| ${IF}SECRET{% endif %} | x |`,
    `<details><summary>S ${IF}SECRET{% endif %}</summary>\n\nx\n</details>`,
    `{% hint style="info" %}\na\n\n${IF}\nSECRET\n{% endif %}\n{% endhint %}`,
    `{% tabs %}\n{% tab title="x" %}\n${IF}\nSECRET\n{% endtab %}\n{% endtabs %}`,
    `<details><summary>S</summary>\n\n${IF}\n\nSECRET\n\n{% endif %}\n\n</details>`,
  ]) {
    const open = sections(source).filter(({ when }) => when === undefined)
    assert.doesNotMatch(JSON.stringify(open), /SECRET/, source)
    const [entry] = indexPages([{ title: 'T', source }])
    assert(!entry!.entries[0]!.tokens.includes('secret'), source)
  }
})

test('descriptions are read with their section, which they do not divide but at conditions', () => {
  const section = { anchor: 'h', title: 'H', text: 'own' }
  const markdown = ['# A\n\n[b](https://example.com)', `c ${IF} SECRET {% endif %} d`, `e\n\n${IF}\n\nf`]
  assert.deepEqual(readSection({ ...section, markdown }), [
    { ...section, text: 'own\nA\nb\nc  d\ne' },
    { ...section, text: 'f', when: ['visitor.claims.a'] },
  ])
  assert.deepEqual(readSection(section), [section])
})
