import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../parse.ts'
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
  const hiding = found(`${source}${'{% if visitor.claims.a %}\n\n'.repeat(30)}`)
  assert.equal(hiding.filter((one) => one.includes('has no')).length, 20)
})

test('names what looks like a condition and is none, with its line', () => {
  const source =
    '# T\n\nA `{% IF a %}`\n\n- b\n- {% unless visitor.claims.a %}c{% endunless %}\n\n{%- if a -%}\n\nd\n\n{%- endif -%}\n\n{\uff05 if x \uff05} e\n\n{% endif %}\n\n(% if visitor.a %) e (% endif %)\n\n{{#visitor.a}}\n\nf {% if\na %}\n'
  const end =
    ', so what follows it is hidden from everybody; write "{% if … %}" and "{% endif %}" as the manual shows, or put a backslash before the tag'
  assert.deepEqual(found(source), [
    `6 "{% unless visitor.claims.a %}" is no condition${end}`,
    `8 "{%- if a -%}" is no condition${end}`,
    `14 "{\uff05 if x \uff05}" is no condition${end}`,
    `18 "(% if visitor.a %)" is no condition${end}`,
    `20 "{{#visitor.a}}" is no condition${end}`,
    `22 a tag that begins like a condition has no end in its line${end}`,
  ])
  assert.deepEqual(found('{% if visitor.claims.a %}\n\nb\n\n{% endif %}\n\n{% if false %}c{% endif %}\n'), [])
})

test('names conditions without an end, those that are not valid, and those in a title, with their lines', () => {
  const page = (title: string, body: string) => `---\ndescription: d\n---\n\n# ${title}\n\nb\n\n${body}\n`
  const cases: [source: string, found: RegExp[]][] = [
    [
      page('T', '{% if visitor.claims.a %}\n\nc'),
      [/^9 "\{% if visitor.claims.a %\}" has no "\{% endif %\}", so the rest of the page is hidden/],
    ],
    [
      page('T', '- c {% if visitor.claims.a %}d\n- {% if visitor.claims.b %}e{% endif %}'),
      [/^9 "\{% if visitor.claims.a %\}" has no/],
    ],
    [
      page('T', '[c](a "{% if visitor.claims.a %}")\n\nd\n\n{% endif %}\n\n{% if visitor.claims.b %}'),
      [/^15 "\{% if visitor.claims.b %\}" has no/],
    ],
    [
      page('T', '{% if a b %}c{% endif %}'),
      [/^9 "\{% if a b %\}" is not a valid condition, .* everybody: .* at column 3$/],
    ],
    [page('T', '$$\n{% endif %}\n$$'), [/^10 "\{% endif %\}" ends no condition/]],
    [page('T', '{% if a b %}c'), [/^9 "\{% if a b %\}" is not a valid condition/]],
    [
      page('T', '{% if a?.b %}c{% endif %}\n\n{% if f() %}d{% endif %}'),
      [/^9 .* \?\. is not/, /^11 .* Only methods/],
    ],
    [
      page('T', '{% if plan == "pro" %}c{% endif %}\n\n{% if visitor.claims.a && !beta %}d'),
      [
        /^9 "\{% if plan == "pro" %\}" is not a valid .* everybody: "plan" is not a variable \(visitor\.claims, space\.vars, page\.vars\) at column 1$/,
        /^11 .* "beta" is not a variable .* at column 22$/,
      ],
    ],
    [page('T', 'c').replace('d\n', 'd\nif: plan\n'), [/^3 "if" of the front .* "plan" is not a variable/]],
    [
      page('T {% if visitor.claims.a %}c{% endif %}', ''),
      [/^5 the title has "\{% if visitor.claims.a %\}", which is no condition there/],
    ],
    [
      page('T', '<a href="https://x.y" class="button primary">c {% if visitor.claims.a %}d{% endif %}</a>'),
      [/^9 "\{% if visitor.claims.a %\}" is in a text that everybody sees whole, .* hidden from everybody/],
    ],
    [
      page(
        'T',
        '| A {% if visitor.claims.a %}b{% endif %} | B |\n| - | - |\n| c {% if visitor.claims.a %}d{% endif %} | e |',
      ),
      [/^9 "\{% if visitor.claims.a %\}" is in a text/],
    ],
    [page('T {%- if a -%} c {% endif %}', ''), [/^5 "\{%- if a -%\}" is no condition/]],
    [page('T {% if a b %}c{% endif %}', ''), [/^5 "\{% if a b %\}" is not a valid condition/]],
    [page('T {% if visitor.claims.a %}', ''), [/^5 "\{% if visitor.claims.a %\}" has no "\{% endif %\}"/]],
    [page('T', 'c').replace('d\n', 'd\nif: a b\n'), [/^3 "if" of the front matter is not a valid condition/]],
    [
      page('T', 'c {% endif %}\n\n{% ENDIF %}\n\n{% if visitor.claims.a %}d{% endunless %}{% endif %}'),
      [
        /^9 "\{% endif %\}" ends no condition, so what is before it is shown/,
        /^11 .* ENDIF/,
        /^13 .* endunless/,
      ],
    ],
    [page('T {% endif %}', '- c {% /if %}\n\n<!-- {% endif %} -->'), [/^5 /, /^9 /, /^11 /]],
    [page('T', '{% if visitor.claims.a %}c{% endif %}{% endif %}'), [/^9 .* ends no/]],
    [page('T', '`{% endif %}`\n\n    {% endif %}'), []],
    // Those hide nothing.
    [
      page(
        'The `{% if visitor.claims.a %}` tag',
        '{% if %}\n\n```\n{% if visitor.claims.a %}\n```\n\n<!-- {% if a b %}{% endif %} -->',
      ),
      [],
    ],
    [page('T', '{% if visitor.claims.a %}\n\nb {% if space.vars.c == "d" %}\n\n{% endif %} {% endif %}'), []],
  ]
  for (const [source, expected] of cases) {
    const all = found(source)
    assert.equal(all.length, expected.length, `${source}\n${all.join('\n')}`)
    expected.forEach((one, i) => assert.match(all[i]!, one))
  }
})
