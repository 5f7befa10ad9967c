import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastCost } from '../../../test/cpu.ts'
import { parseDescription } from './description.ts'
import { parseMarkdown } from './parse.ts'
import { blockText } from './text.ts'
import { visibleDocument } from './shown/visible.ts'

/** The text of a description for a visitor who meets the condition `a` or not. */
const textFor = (source: string, meets: boolean) =>
  visibleDocument(
    { object: 'document', data: {}, nodes: parseDescription(source) },
    {
      href: () => undefined,
      image: () => undefined,
      file: () => undefined,
      reusable: () => assert.fail('a description includes nothing'),
      evaluate: (expression) => meets && expression === 'a',
    },
    (path) => path,
  )
    .nodes.map(blockText)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()

test('conditions of a description are conditions, and other tags, titles and front matter are text', () => {
  for (const [source, open, met = open] of [
    ['A {% if a %} B {% endif %} C', 'A C', 'A B C'],
    ['{% if a %}\n\nA\n\n{% endif %}', '', 'A'],
    ['A {% if a %} B', 'A', 'A B'],
    ['A {% if a %} B {% else %} C {% endif %} D', 'A D', 'A B D'],
    ['A {%- if a -%} B {%- endif -%} C', 'A C'],
    ['A {% unless a %} B {% endunless %} C', 'A C'],
    ['A { % if a %} B {% endif %} C', 'A C'],
    [
      'A `{% if a %}` B {% if a %} C `{% endif %}` D {% endif %} E',
      'A {% if a %} B E',
      'A {% if a %} B C {% endif %} D E',
    ],
    ['```\n{% if a %}\n```\n\nA', '{% if a %} A'],
    ['{% include "b.md" %}', '{ % include "b.md" %}'],
    [
      '{% hint style="info" %} {% if a %} B {% endif %} C {% endhint %}',
      '{ % hint style="info" %} C { % endhint %}',
      '{ % hint style="info" %} B C { % endhint %}',
    ],
    ['{% include {% if a %} B', '{ % include', '{ % include B'],
    ['# A\n\nB', 'A B'],
    ['---\nif: a\n---\n\nB', 'if: a B'],
    ['', ''],
  ] as const)
    for (const [meets, text] of [
      [false, open],
      [true, met],
    ] as const)
      assert.equal(textFor(source, meets), text, source)
})

test('a description takes about as long as a page', async () => {
  for (const part of [
    '{% ',
    '{%',
    '{% if a %}',
    '{% if a %} b {% endif %} ',
    '{% include "x" %} ',
    '{% endif %}',
  ]) {
    const source = part.repeat(3_000)
    const asPage = await leastCost(0, () => parseMarkdown(source))
    assert((await leastCost(0, () => parseDescription(source))) < 3 * asPage + 50, part)
  }
})
