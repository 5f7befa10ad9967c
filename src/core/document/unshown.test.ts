import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from './parse.ts'
import { unshownParts } from './unshown.ts'

const found = (source: string) =>
  unshownParts(parsePage(source), source).map(({ line, message }) => `${line} ${message}`)

test('finds elements, components, tags and blocks that are not shown, with their lines', () => {
  const source = `---
title: T
---

# T

Text with {% raw %} in it.

<script>run()</script>

<CardGroup cols="2">

A {% raw %} again, and <Tooltip tip="x">a word</Tooltip>.

</CardGroup>

{% @acme/empty %}

{% @acme/other mode="x" %}
`
  assert.deepEqual(found(source), [
    '7 the tag "{% raw %}" is unknown and is shown as text',
    '9 the element <script> is not shown',
    '11 the component <CardGroup> is not shown, only the text in it',
    '13 the component <Tooltip> is not shown, only the text in it',
    '17 the block "@acme/empty" has nothing to show',
    '19 the block "@acme/other" is shown only as its settings',
  ])
})

test('reports nothing that is shown', () => {
  for (const source of [
    '`{% raw %}` and `<Foo>`\n\n```\n{% raw %}\n<script>\n```\n',
    '<div align="center"><b>Bold</b> <IMG src="a.png"></div>\n',
    '<!-- <Foo> <script> -->\n',
    '<iframe src="https://example.com"></iframe>\n',
    '{% hint style="info" %}\nText\n{% endhint %}\n',
    '{% @acme/card url="https://example.com" %}\n',
    '{% @acme/text content="x" %}\n',
    'a < b and {% 50 %}\n',
  ])
    assert.deepEqual(found(source), [], source)
})

test('reports at most 20 parts of a page', () => {
  const source = Array.from({ length: 50 }, (_, i) => `<Part${i}x a="1">\n\n`).join('')
  assert.equal(found(source).length, 20)
})

test('names what looks like a condition and is none, with its line', () => {
  const source =
    '# T\n\nA `{% IF a %}`\n\n- b\n- {% unless visitor.claims.a %}c{% endunless %}\n\n{%- if a -%}\n\nd\n\n{%- endif -%}\n\n{\uff05 if x \uff05} e\n\n{% endif %}\n\nf {% if\na %}\n'
  const end =
    'is no condition, so what follows it is hidden from everybody; write "{% if … %}" and "{% endif %}" as the manual shows, or put a backslash before the tag'
  assert.deepEqual(found(source), [
    `6 "{% unless visitor.claims.a %}" ${end}`,
    `8 "{% - if a - %}" ${end}`,
    `14 "{% if x %}" ${end}`,
    `18 a tag that begins like a condition and has no end in its line ${end}`,
  ])
  assert.deepEqual(found('{% if visitor.claims.a %}\n\nb\n\n{% endif %}\n\n{% if false %}c{% endif %}\n'), [])
})
