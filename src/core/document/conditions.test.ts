import assert from 'node:assert/strict'
import test from 'node:test'

import { renderDocument } from './html.ts'
import type { RenderContext } from './html/renderer.ts'
import { parsePage } from './parse.ts'
import { printPage } from './print.ts'

const IF = '{% if visitor.claims.a || visitor.claims.b %}'
const END = '{% endif %}'

const shown = (source: string, met: boolean): string => {
  const context: RenderContext = {
    href: () => undefined,
    image: () => undefined,
    file: () => undefined,
    reusable: () => undefined,
    highlight: () => undefined,
    evaluate: () => met,
  }
  const { title, document } = parsePage(source)
  const { body, outline } = renderDocument(document, context)
  return [title, String(body), JSON.stringify(outline)].join('\n')
}

const PLACES: Record<string, string> = {
  paragraph: `x ${IF}SECRET${END}`,
  'paragraph with text behind': `x ${IF}**SECRET**${END} y`,
  heading: `## H ${IF}SECRET${END}`,
  cell: `| a | b |\n|-|-|\n| ${IF}SECRET${END} | x |`,
  'cell of HTML': `<table><tr><td>${IF}SECRET${END}</td></tr></table>`,
  summary: `<details><summary>S ${IF}SECRET${END}</summary>\n\nx\n</details>`,
  item: `- a ${IF}SECRET${END}\n- b`,
  link: `[l ${IF}SECRET${END}](x)`,
  'line without end': `- a ${IF}SECRET`,
  'block without end': `a\n\n${IF}\n\nSECRET\n\nSECRET`,
  'tab without end': `{% tabs %}\n{% tab title="x" %}\n${IF}\nSECRET\n{% endtab %}\n{% endtabs %}`,
  'element that ends before it': `a **b ${IF}SECRET** SECRET${END}`,
  'condition in a condition': `a ${IF}x ${IF}y${END} SECRET${END}`,
  'condition in a block of one': `${IF}\nSECRET ${IF}SECRET${END} SECRET\n${END}`,
  'deep list': `${'> '.repeat(40)}${IF}SECRET${END}`,
  'deep conditions': `${`${IF}\n`.repeat(50)}SECRET\n${`${END}\n`.repeat(50)}`,
  'table too wide': `|${'a|'.repeat(120)}\n|${'-|'.repeat(120)}\n|${`${IF}SECRET${END}|`.repeat(120)}\n`,
}

for (const [place, source] of Object.entries(PLACES)) {
  test(`hides what stands under a condition: ${place}`, () => {
    assert.doesNotMatch(shown(source, false), /SECRET|secret|endif/)
  })
}

for (const place of ['paragraph', 'heading', 'cell', 'summary', 'item', 'block without end']) {
  test(`shows it to those who meet the condition: ${place}`, () => {
    assert.match(shown(PLACES[place] ?? '', true), /SECRET/)
  })
}

test('tells nobody what a title or an anchor has under a condition', () => {
  const page = parsePage(`# T ${IF}SECRET${END}\n\n## H ${IF}SECRET${END}\n`)
  assert.equal(page.title, 'T')
  assert.equal(page.document.nodes[0]?.meta?.id, 'h')
})

test('prints a condition within a line as it was written', () => {
  for (const source of [`x ${IF}b${END} y\n`, `* a ${IF}SECRET${END}\n* b\n`])
    assert.equal(printPage(parsePage(source)), source)
})

test('leaves tags in code alone', () => {
  assert.match(shown('Write `{% if a %}` and `{% endif %}` around it.', false), /around it/)
})
