/** What can only have been meant as a condition hides its content, or is reported because everybody sees it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { meantConditions, meantElements } from '../../../src/core/document/shown/meant-conditions.ts'
import { hiddenParts, readingProblems, unshownParts } from '../../../src/core/document/shown/unshown.ts'
import { cpuTime } from '../../cpu.ts'
import { shownPage } from '../shown-page.ts'
import { hides } from './hides.ts'

const V = 'visitor.claims.a'
/** Pairs of brackets, and signs in their place. */
const BRACKETS =
  '「」 【】 〔〕 《》 『』 ［］ 〈〉 （） ＜＞ ‹› «» “” ⟨⟩ ⟦⟧ ⦃⦄ ❴❵ ﹛﹜ 〘〙 〖〗 ❨❩ ❲❳ [] () <> || // §§'.split(
    ' ',
  )
/** Signs in the place of the percent sign. */
const SIGNS = [...'5&$#@!?*=~^|:-+/€§°٪﹪⁒℅']

/** The opening and closing tags of what is no condition, but can only have been meant as one. */
const MEANT: [opening: string, closing: string][] = [
  ...BRACKETS.map((pair) => [...pair] as [string, string]).flatMap(([left, right]): [string, string][] => [
    [`${left}% if ${V} %${right}`, `${left}% endif %${right}`],
    [`${left}\uff05 if ${V} \uff05${right}`, `${left}\uff05 endif \uff05${right}`],
    [`${left}if ${V}${right}`, `${left}endif${right}`],
    [`${left}${left}if ${V}${right}${right}`, `${left}${left}endif${right}${right}`],
    [`${left}#if ${V}${right}`, `${left}/if${right}`],
  ]),
  ...SIGNS.flatMap((sign): [string, string][] => [
    [`{${sign} if ${V} ${sign}}`, `{${sign} endif ${sign}}`],
    [`{${sign}if ${V}${sign}}`, `{${sign}endif${sign}}`],
    [`{${sign} unless ${V} ${sign}}`, `{${sign} endunless ${sign}}`],
  ]),
  // Sections and expressions over several lines.
  ...[`${V}\n`, `\n${V}\n`, `${V} &&\nb`, `(and ${V}\n visitor.claims.b)`].flatMap(
    (words): [string, string][] => [
      [`{{#if ${words}}}`, '{{/if}}'],
      [`{{#unless ${words}}}`, '{{/unless}}'],
    ],
  ),
  ...['&& ', '? "', '|| ', 'and "', '== "x" ? "'].flatMap((operator): [string, string][] => [
    [`{${V} ${operator}`, '}'],
    [`{{ !${V} ${operator}`, '" }}'],
    [`\${${V} ${operator}`, '}'],
  ]),
  ['{{ "', `" if ${V} }}`],
  ['{{ "', `" if ${V} else "" }}`],
  ...[
    '{{ if _ }}',
    '{{- if _ -}}',
    '{{if _}}',
    '{{ with _ if _ }}',
    '{?_}',
    '{?if _}',
    '{@if _}',
    '{:if _}',
  ].map((one): [string, string] => [one.replaceAll('_', V), '{{ end }}']),
  ...['{^_}', '{#_}', '{if:_}', '{IF _}', '[if _]', '[IF _]', '[[if _]]', '[? if _ ?]', '[show-if _]'].map(
    (one): [string, string] => [one.replace('_', V), '[/if]'],
  ),
  ...[
    '[show if="_"]',
    '[x plan=pro if=_]',
    '[_ == "x"]',
    '~~if _~~',
    '**if _**',
    '**[if _]**',
    '%{if _}',
  ].map((one): [string, string] => [one.replace('_', V), '[endif]']),
  ...['@if (_)', '@if (_) {', '@if(_)\n\n', '#if _\n\n', '#if(_)', '%if _\n\n', '% if _:\n\n', '!if _'].map(
    (one): [string, string] => [one.replace('_', V), '@endif'],
  ),
  ...['$if(_)$', '$if _$', '//if _', '//if (_) {', 'if (_) {\n\n', 'IF _ THEN ', '#{if _}', '@{if _}'].map(
    (one): [string, string] => [one.replace('_', V), '}'],
  ),
  ...['if _', 'if _:', 'if: _', '- if: _', '**if:** _', 'unless _ == "x"', 'if (_):', 'show if: _'].map(
    (one): [string, string] => [`\n\n${one.replace('_', V)}\n\n`, '\n\nend\n\n'],
  ),
  ...[
    ':::if _',
    '::: if _',
    ':::{if} _',
    '::if{_}',
    ':::{only} _',
    '.. only:: _',
    'ifdef::_[]',
    'ifeval::[_]',
  ].map((one): [string, string] => [`\n\n${one.replace('_', V)}\n\n`, '\n\n:::\n\n']),
  // Elements, comments and instructions of HTML.
  ...[
    'Show when="_"',
    'Show when={_}',
    '#if _',
    'If condition={_}',
    'If condition="_"',
    'If test={_ == "x"}',
    'if test="_"',
    'c:if test="${_}"',
    'div v-if="_"',
    'span if="_"',
    'div if="_"',
    'p data-if="_"',
    'div *ngIf="_"',
    'Visible to={_}',
    'Only claims="_"',
    'If _',
    '?php if (_): ?',
    '? if (_) ?',
    '!-- if _ --',
    '!--[if _]--',
    '!-- #if _ --',
    '!-- unless _ --',
    '!--@if _--',
    '!-- show if: _ --',
  ].flatMap((one): [string, string][] => [
    [`<${one.replace('_', V)}>`, '</if>'],
    [`\n\n<${one.replace('_', V)}>\n\n`, '\n\n</if>\n\n'],
  ]),
  ['\n\n<details if="visitor.claims.a"><summary>x</summary>\n\n', '\n\n</details>'],
  [`\n\n[//]: # (if ${V})\n\n`, '\n\n[//]: # (endif)\n\n'],
  [`\n\n[comment]: <> (if ${V})\n\n`, '\n\n[comment]: <> (endif)\n\n'],
  // Front matter between other rules.
  ...['\u2014-', '\u2014', '\uff0d\uff0d\uff0d', '--', '===', '\\---', '* * *', '_ _ _'].flatMap((rule) =>
    ['if: _', 'title: x\nif: _', '- if: _', '**if:** _', '"if": _', '{\n"if": "_"\n}', '{ "if": "_" }'].map(
      (one): [string, string] => [`${rule}\n${one.replace('_', V)}\n${rule}\n\n`, ''],
    ),
  ),
  // Without a variable.
  ...[
    '「% if plan == "x" %」',
    '[% IF b %]',
    '<% if (c) { %>',
    '{{#if d}}',
    '{if e}',
    '@if (f)',
    '【if g】',
  ].map((one): [string, string] => [one, '{{/if}}']),
  ['[if plan == "pro"]', '[endif]'],
  ['\n\n:::if plan\n\n', '\n\n:::\n\n'],
]

const problems = (source: string) => hiddenParts(parsePage(source), source)

test('hides or reports everything that can only have been meant as a condition', () => {
  const shown: string[] = []
  for (const [opening, closing] of MEANT)
    for (const page of [
      `FRONT ${opening}SECRET${closing} AFTER\n`,
      `${opening}SECRET${closing}\n`,
      `FRONT\n\n${opening.trim()}\n\nSECRET\n\n${closing.trim()}\n\nAFTER\n`,
      `- FRONT ${opening.replaceAll('\n\n', '\n\n  ')}SECRET${closing.replaceAll('\n\n', '\n\n  ')}\n`,
    ])
      if (
        problems(page).length === 0 &&
        parsePage(page).meta.condition === undefined &&
        /SECRET/.test(shownPage(page, () => false))
      )
        shown.push(page)
  assert.deepEqual(shown, [])
})

test('hides what is between tags of conditions in brackets of any kind, and ends there', () => {
  for (const [left, right] of BRACKETS.slice(0, -3).map((pair) => [...pair] as [string, string]))
    for (const [opening, closing] of [
      [`${left}% if ${V} %${right}`, `${left}% endif %${right}`],
      [`${left}\uff05 if ${V} \uff05${right}`, `${left}\uff05 endif \uff05${right}`],
      [`${left}% ${V} %${right}`, `${left}% end %${right}`],
    ])
      hides(`FRONT ${opening} SECRET ${closing} AFTER\n\n${opening}\n\nSECRET\n\n${closing}\n\nBEHIND\n`, [
        'FRONT',
        'AFTER',
        'BEHIND',
      ])
  for (const [opening, closing] of [
    [`{5 if ${V} 5}`, '{5 endif 5}'],
    [`{5if ${V}5}`, '{5endif5}'],
    ...[`${V}\n`, `${V} &&\nb`].map((words) => [`{{#if ${words}}}`, '{{/if}}']),
    ...['plan == "pro"', 'plan && beta', '(a.b != "c")', '"pro" == plan', 'size >= 3'].map((words) => [
      `{% ${words} %}`,
      '{% endif %}',
    ]),
  ] as [string, string][])
    hides(`FRONT ${opening} SECRET ${closing} AFTER\n\n${opening} SECRET ${closing} BEHIND\n`, [
      'FRONT',
      'AFTER',
      'BEHIND',
    ])
})

test('reports it in titles and labels, with its line', () => {
  for (const source of [
    `# T [if ${V}]SECRET[endif]\n`,
    `x\n\n{% tabs %}\n{% tab title="[if ${V}] SECRET" %}\ny\n{% endtab %}\n{% endtabs %}\n`,
    `x\n\n![[if ${V}] SECRET](https://e.x/y.png)\n`,
    `x\n\n| [if ${V}] SECRET | b |\n| - | - |\n| c | d |\n`,
    `x\n\n| a | b |\n| - | - |\n| [if ${V}] SECRET | d |\n`,
    `x\n\n> y\n> [if ${V}] SECRET\n`,
    `x\n\n<p>[if ${V}] SECRET</p>\n`,
  ])
    assert.deepEqual(
      problems(source).map(({ reason }) => reason),
      ['condition-public'],
      source,
    )
  const [part] = problems(`---\ntitle: x\n---\n\ny\n\nz\n@if (${V})\n`)
  assert.equal(part?.line, 8)
  assert.match(part.message, /"@if \(visitor\.claims\.a\)" seems to be meant as a condition/)
})

test('reports it wherever a source is read', () => {
  const source = `x\n\n[if ${V}]SECRET[endif]\n`
  const page = parsePage(source)
  for (const found of [hiddenParts(page, source), readingProblems(page, source), unshownParts(page, source)])
    assert.deepEqual(
      found.map(({ reason }) => reason),
      ['condition-public'],
    )
})

test('asks for an empty line between HTML and the fence of a text that is no code because of it', () => {
  for (const html of ['<br>', '<div>x</div>', '<section>', '<hr>\n<br>'])
    for (const fence of ['```', '~~~~', '```js']) {
      const code = `${fence}\n@if (a)\n[if ${V}]\n${fence.replace('js', '')}`
      for (const source of [
        `${html}\n${code}\n\nx\n`,
        `- a\n\n  ${html}\n${code}`.replace(/\n(?=[`~@[])/g, '\n  '),
      ]) {
        const found = problems(source).map(({ reason }) => reason)
        assert.ok(found.length > 0, source)
        assert.deepEqual(new Set(found), new Set(['condition-in-html-fence']), source)
      }
      assert.deepEqual(problems(`${html}\n\n${code}\n`), [])
      const outside = problems(`${html}\n@if (b)\n${code}\n`).map(({ reason }) => reason)
      assert.ok(outside.includes('condition-public'))
    }
})

test('reports no code, no value and no sentence', () => {
  for (const text of [
    `[if ${V}] @if (${V}) <Show when={${V}}> {${V} && x} <!-- if ${V} -->`,
    `{{ ${V} ? "x" : "" }} :::if ${V} 「% if b %」`,
  ])
    for (const source of [
      `a \`${text}\` b`,
      `a \`\`${text}\`\` b`,
      `\`\`\`\n${text}\n\`\`\``,
      `- a\n\n  \`\`\`\n  ${text}\n  \`\`\``,
      `<pre><code>${text.replaceAll('<', '&lt;')}</code></pre>`,
      `# T \`${text}\``,
    ])
      assert.deepEqual(problems(source), [], source)
  for (const source of [
    `${V} is the plan of the visitor.`,
    `If ${V} is set, the reader sees it, and when ${V} is not, nobody does.`,
    `Use \`{% if ${V} %}\` if you need ${V}.`,
    ...['\\{% if _ %}', '&#123;% if _ %}', '&#x7B;% else %}', '\\[if _]', '\\@if (_)', '\\(% if _ %)'].map(
      (one) => one.replace('_', V),
    ),
    `{{ ${V} }} {${V}} {{ ${V} | upcase }} \${${V}} {{- ${V} -}} {{ visitor.claims["a"] }}`,
    `The claims (${V}, visitor.claims.b) come from the token.`,
    `A claim [${V}](claims.md), see https://e.x/?q=${V}`,
    'Ask the visitor. If they know, go on. (If not, stop.)',
    '(if you like) [if you like](x.md) @ifan {"if": true} {id} {unless} ::: tip\n\nx\n\n:::',
    `<img src="x.png" alt="${V}"> <a href="x.md" title="if ${V}">y</a>`,
    `<!-- The claims, such as ${V}, are documented below -->`,
    `<code class="expression">${V} ? "a" : "b"</code>`,
    `{% if ${V} %}c{% endif %}\n\n{% if ${V} %}\n\nd\n\n{% endif %}`,
    `{% hint style="info" %}\nText with ${V}\n{% endhint %}`,
  ])
    assert.deepEqual(
      problems(source).map(({ message }) => message),
      [],
      source,
    )
})

test('takes linear time', () => {
  const start = cpuTime()
  for (const part of [
    V,
    `(${V}`,
    `[if ${V}`,
    '{',
    '[if ',
    '@if ',
    '<a b=',
    '<a ',
    '<!-- if ',
    '{if a',
    '`',
    '```',
    '`` `',
  ])
    for (const space of ['', ' ', '\n']) {
      const text = (part + space).repeat(200_000 / part.length)
      meantConditions(text)
      meantElements(text)
    }
  for (const part of [
    `[if ${V}] `,
    `\`[if ${V}]\` `,
    `<a if="${V}"> `,
    `x {${V}\n\n`,
    `\` ${V} `,
    `[//]: # (if ${V})\n\n`,
  ]) {
    const source = part.repeat(20_000 / part.length)
    const page = parsePage(source)
    const before = cpuTime()
    hiddenParts(page, source)
    assert.ok(cpuTime() - before < 2_000, part)
  }
  assert.ok(cpuTime() - start < 20_000)
})

test('a section whose tag does not end is hidden, and the page is read', () => {
  for (const begins of [
    '{{#visitor.claims.a',
    '{{^visitor.claims.a',
    '{{# visitor.claims.a',
    '{#visitor.claims.a',
    '{{#if visitor.claims.a',
  ]) {
    for (const source of [`a ${begins}\n\nSECRET\n`, `${begins}\n\nSECRET\n`, `<a>${begins}\n\nSECRET\n`]) {
      const page = parsePage(source)
      assert.equal(page.unreadable, undefined, source)
      const shown = page.document.nodes.filter(({ type }) => type !== 'if')
      assert.ok(!JSON.stringify(shown).includes('SECRET'), source)
    }
  }
})
