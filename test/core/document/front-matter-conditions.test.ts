/** A line of front matter that can only have been meant as the condition of the page never leaves the page public. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  editFrontMatter,
  frontMatterOf,
  readFrontMatter,
} from '../../../src/core/document/front-matter/front-matter.ts'
import { NEVER } from '../../../src/core/document/markdown/lookalikes.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { retitle } from '../../../src/core/document/splice.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { cpuTime } from '../../cpu.ts'

const COND = 'visitor.claims.plan == "pro"'
const page = (...lines: string[]) => `---\n${lines.join('\n')}\n---\n\n# T\n\nx\n`
const found = (source: string) =>
  hiddenParts(parsePage(source), source).map(({ line, message }) => `${line} ${message}`)

/** Conditions that are used as they are written. */
const USED: [source: string, condition: string][] = [
  ...[
    COND,
    `${COND} ? true : false`,
    '["pro","team"].includes(visitor.claims.plan)',
    '"pro" == visitor.claims.plan',
    'visitor.claims.plan == "pro: x"',
    '/pro: /.test(visitor.claims.plan)',
    '!visitor.claims.banned',
    '!visitor.claims.banned && visitor.claims.plan',
    'true',
    '1 > 2',
  ].map((one): [string, string] => [page('icon: x', `if: ${one}`, 'hidden: true'), one]),
  ...[
    'title: A: B',
    'description: Note: this: x',
    'title: *bold* x',
    'title: "A',
    'tags: [a',
    '\ttitle: x',
  ].map((one): [string, string] => [page(one, `if: ${COND}`), COND]),
  ...[
    `'${COND}'`,
    `>-\n  visitor.claims.plan ==\n  "pro"`,
    `|\n  ${COND}`,
    `visitor.claims.plan ==\n  "pro"`,
    `${COND} # only they`,
  ].flatMap((one): [string, string][] => [
    [page(`if: ${one}`, 'icon: x'), COND],
    [page('title: A: B', `if: ${one}`, 'icon: x'), COND],
  ]),
  ...[
    `If: ${COND}`,
    `IF: ${COND}`,
    `if:${COND}`,
    `if:\u00a0${COND}`,
    `if\uff1a${COND}`,
    `if \uff1a ${COND}`,
    `\u200bif: ${COND}`,
    `i\u200bf: ${COND}`,
    `\uff49\uff46: ${COND}`,
    `"if": ${COND}`,
    `\u0456f: ${COND}`,
    `\u0131f: ${COND}`,
    `\u0130F: ${COND}`,
    `i\u0192: ${COND}`,
    `i\ufe0ff: ${COND}`,
    `!!str if: ${COND}`,
    `&a if: ${COND}`,
    `If: '${COND}'`,
    `if=${COND}`,
    `if = ${COND}`,
    `if ${COND}`,
    `if(${COND})`,
  ].flatMap((one): [string, string][] => {
    const condition = one.startsWith('if(') ? `(${COND})` : COND
    return [
      [page(one), condition],
      [page('icon: x', one, 'hidden: true'), condition],
    ]
  }),
  [page('title: x', `  if: ${COND}`), COND],
  [page('title: x', `\tif: ${COND}`), COND],
  [page(`  if: ${COND}`, '  icon: x'), COND],
  ...[
    '--- # x\n',
    '***\n',
    '---\u00a0\n',
    '\n---\n',
    ' ---\n',
    '----\n',
    '---yaml\n',
    '--- yaml\n',
    '+++\n',
    '\ufeff\r\n---\r\n',
  ].flatMap((one): [string, string][] => [
    [`${one}title: x\nif: ${COND}\n---\n\nx\n`, COND],
    [`${one}if: ${COND}\n\nx\n`, COND],
  ]),
  [`if: ${COND}\n---\n\nx\n`, COND],
  [`title: x\nif: ${COND}\n---\n\nx\n`, COND],
  [`\ufeff\n\u0456f: ${COND}\nicon: x\n---\n\nx\n`, COND],
  [page('title: A: B', `!!str if: ${COND}`), COND],
  [`---\nt\u00edtulo: x\nif: ${COND}\n---\n\nx\n`, COND],
  // Below a comment, blank lines or the front matter.
  ...[
    '<!-- c -->\n',
    '\n\n<!-- c\n---\nd -->\n\n<!-- e -->\n',
    '---\ntitle: x\n---\n',
    '---\ntitle: x\n---\n\n',
    '---\ntitle: x\n---\n---\ntags: [x]\n---\n',
    '---\ntitle: x\n---\n\n<!-- c -->\n----\ntags: [x]\n----\n\n+++\na = 1\n+++\n',
    `<!-- ${'c'.repeat(5000)} -->\n`,
    '{/* c */}\n',
    '{# c #}\n\n/* c */\n',
    '{% comment %}\nc\n{% endcomment %}\n',
    '[//]: # (c)\n[comment]: <> (c)\n\n',
  ].map((above): [string, string] => [`${above}---\nicon: y\nif: ${COND}\n---\n\nx\n`, COND]),
  [`+++\nif = '${COND}'\n+++\n\nx\n`, COND],
  [`---\nif: ${COND}\n\n# T\n`, COND],
  [`----\ntitle: x\n\nif: ${COND}\n----\n`, COND],
  [`---\ntitle: x\n\nif: ${COND}\n...\n`, COND],
  [page('description: |', '    a', `  if: ${COND}`), COND],
  [page(`when: ${COND}`, `if: ${COND}`), COND],
  [page('layout:', '  width: wide', ` if: ${COND}`), COND],
  // Below the title, and without fences.
  ...['# T\n\n', '# T\n', '![Logo](x.png)\n\n', 'A paragraph.\n\n'].map((above): [string, string] => [
    `${above}---\nicon: x\nif: ${COND}\n---\n\nx\n`,
    COND,
  ]),
  [`if: ${COND}\n\nx\n`, COND],
  [`if: ${COND}\n\n---\n`, COND],
  [`icon: x\nif: ${COND}\n\nx\n`, COND],
  [`# T\n\nif: ${COND}\n\nx\n`, COND],
  [`![Logo](x.png)\n\n---\ntitle: a\n# only they\n\nif: ${COND}\n---\n`, COND],
  [`# T\n\n\`\`\`a\`\`\` b\n\n---\nif: ${COND}\n---\n`, COND],
  [`# T\n\n\`\`\`\n\`\`\`js\n\`\`\`\n\n---\nif: ${COND}\n---\n`, COND],
  [`title: a\r\nif: ${COND}\r\n\r\nx\r\n`, COND],
  ['title: a\r\nif: 1 == 2\r\n---\r\n', '1 == 2'],
  ['---\r\ntitle: a\r\nif: 1 == 2\r\n\r\nText\r\n', '1 == 2'],
  [`<!-- c -->\n# T\n\nicon: x\nif: ${COND}\n`, COND],
]

test('uses a condition that YAML reads as something else or not at all', () => {
  for (const [source, condition] of USED) {
    assert.equal(parsePage(source).meta.condition, condition, source)
    assert.deepEqual(found(source), [], source)
  }
})

test('uses the condition of front matter that is one map in braces', () => {
  for (const one of [`if: ${COND}`, `if: '${COND}', icon: x`, `"if": '${COND}'`, `title: x, if: '${COND}'`])
    for (const text of [`{${one}}`, `{ ${one} }`, `{\n  ${one}\n}`])
      assert.equal(parsePage(page(text)).meta.condition, COND, text)
})

/** Lines that are no condition, with the line that is reported. */
/** Fields with a condition, also between two rules in the middle of a page. */
const IN_THE_MIDDLE = [
  ...['unless', 'when', 'show-if', 'audience', 'visibility', 'roles'].map((name) => `${name}: ${COND}`),
  `audience: '${COND}'`,
  `audience: "!visitor.claims.banned"`,
  `audience: ["pro"].includes(visitor.claims.plan)`,
  `audience: visitor.claims.plan is pro`,
  `audience: not visitor.claims.a and visitor.claims.b`,
  `audience: visitor.claims.plan == pro`,
  'audience: [visitor.claims.a]',
  'audience: {{ visitor.claims.a }}',
  `unless: you use visitor.claims.a`,
  `visible to: ${COND}`,
  `permissions: { read: '${COND}' }`,
  `gitbook:\n  if: ${COND}`,
  `audience:\n- ${COND}`,
  `only:\n  - a\n  - read: ${COND}`,
]
const REFUSED: [source: string, line: number][] = [
  ...[
    `{% if ${COND} %}`,
    `{{ ${COND} }}`,
    '> 3',
    '["pro", "team"]',
    '["a" == b]',
    '{plan: pro}',
    '{ visitor: "pro" == a }',
    '\n  - pro',
    '\n  plan: pro',
    '*alias',
    `\n${COND}`,
    `>\n${COND}`,
    `: ${COND}`,
  ].map((one): [string, number] => [page('icon: x', `if: ${one}`), 3]),
  [page(`if: ${COND}`, 'icon: x', 'if: true'), 4],
  [page('if: true', `If: ${COND}`), 3],
  [page('title: A: B', `if: ${COND}`, 'if: true'), 4],
  [page('title: A: B', 'if: [pro, team]'), 3],
  [page('icon: x', `If: {{ ${COND} }}`), 3],
  [page('? if', `: ${COND}`), 2],
  [page('icon: x', '? "if"', `: ${COND}`), 3],
  [page('title: A: B', '? if', `: ${COND}`), 3],
  [page('title: A: B', '? !!str if', `: ${COND}`), 3],
  [page('{if: [a}'), 2],
  ...['unless', 'when', 'condition', 'show-if', 'visibleIf', 'iff', '"unless"'].map(
    (name): [string, number] => [page('icon: x', `${name}: ${COND}`), 3],
  ),
  [page('title: A: B', 'when: page.vars.beta'), 3],
  ...['elif', 'conditions', 'visibleWhen', 'visible-to', 'audience', 'only', 'hide_from', 'requires'].map(
    (name): [string, number] => [page('icon: x', `${name}: ${COND}`), 3],
  ),
  ...[
    `unless:\n  ${COND}`,
    `visibility:\n  if: ${COND}`,
    `only:\n  - a\n  - ${COND}`,
    `gitbook:\n  if: ${COND}`,
    `claims: ${COND}`,
    `roles: ${COND}`,
    `permissions: { read: '${COND}' }`,
    `layout: { if: '${COND}' }`,
    'x: space["vars"].a',
    `audience:\n- ${COND}`,
    `audience:\n# c\n  - ${COND}`,
    `visible to: ${COND}`,
    `audience\uff1a${COND}`,
  ].map((one): [string, number] => [page('icon: x', one), 3]),
  ...IN_THE_MIDDLE.map((one): [string, number] => [`# T\n\nText\n\n---\nicon: x\n${one}\n---\n\nx\n`, 7]),
  [page(`{title: ]], if: ${COND}}`), 2],
  [page(`{title: "a, if: ${COND}`), 2],
  [`if: {{ ${COND} }}\n---\n\nx\n`, 1],
  [page(`vars: ${'['.repeat(9)}${']'.repeat(9)}`, 'if: {{ a }}'), 3],
  [`\n---\nif: {{ a }}\n---\n`, 3],
]

test('hides a page whose condition is none, and names its line', () => {
  for (const [source, line] of REFUSED) {
    assert.equal(parsePage(source).meta.condition, NEVER, source)
    const [first = '', ...others] = found(source)
    assert.match(
      first,
      new RegExp(`^${line} ".*" of the front matter is no condition, .* everybody`, 'i'),
      source,
    )
    assert.deepEqual(others, [])
  }
  const invalid = page('icon: x', 'IF: a b')
  assert.match(found(invalid).join('\n'), /^3 "if" of the front matter is not a valid condition/)
})

const PUBLIC = [
  page('when: tomorrow', 'condition: good', 'unless: x'),
  page('audience: everybody', 'only: x', 'description: the visitor.'),
  page('title: visitor.claims.a', 'seo-title: visitor.claims.a', 'other: the visitor. It'),
  '---\ntitle: x\n---\n\n---\n\nText\n\n---\n\nif: x\n',
  '***\n\nText, if you like\n\n***\n',
  page('layout:', '  if: x'),
  page('title: A: B', 'layout:', '  width: wide', '  if: x'),
  page('description: |', '  a', '  if: x'),
  page('title: A: B', 'description: >-', '  if: x'),
  page('description: a', '  if visitor.claims.a'),
  page('tags:', '  - if: x'),
  page('tags:', '- if: x'),
  page('title: A: B', 'tags:', '- tag: a', '  if: x'),
  page('iffy: x', 'if-x: y', 'elif: z', 'notif: a'),
  page('# if: x', 'icon: x'),
  page('title: if', 'description: "if: x"'),
  page('description: a: b', 'If you read this, go on'),
  page('if:', 'icon: x'),
  page('if: ""'),
  page('if: null'),
  page('if: # nobody yet'),
  page('icon: x') + '\nif: x\n',
  'if: x\n',
  'if: x\n---\n\nx\n',
  'If: you see this\n---\n\nx\n',
  'title: if visitor.claims.a\n---\n\nx\n',
  '# T\n\nif: visitor.claims.a, you see it\nand more\n',
  '# T\n\n```yaml\n---\nif: visitor.claims.a\n---\n```\n\n~~~\n---\nif: visitor.claims.a\n---\n~~~\n',
  '---\n\nUse visitor.claims.a\n\n---\n',
  // Text between two rules in the middle of a page.
  ...[
    'Tip: use visitor.claims.a',
    'Tip: use `visitor.claims.a`',
    'Tip: `visitor.claims.a`',
    'Note: with visitor.claims.a == "x", they see it.',
    'Note: visitor.claims.a hides it from others',
    'Note: see below, and visitor.claims.a',
    'Note:\n  use visitor.claims.a\n  and space.vars.b',
    'visitor.claims.plan: The plan of the visitor',
    'Tip: **Use** visitor.claims.a',
    '\u63d0\u793a\uff1a\u8bf7\u4f7f\u7528 visitor.claims.a',
    'title: visitor.claims.a',
  ].flatMap((one) => [
    `# T\n\nText\n\n---\n\n${one}\n\n---\n\nx\n`,
    `Text\n\n***\n${one}\nAlso: x\n***\n\nx\n`,
  ]),
  '---\n\nSome text\n\nif: x\n\n---\n',
  '---\nIf you read this, go on\n---\n',
  '---\n\nA rule\n\nif: x\n',
  '----\n',
  '',
]

test('what is no condition of the page hides nothing', () => {
  for (const source of PUBLIC) {
    assert.equal(parsePage(source).meta.condition, undefined, source)
    assert.deepEqual(found(source), [], source)
  }
})

test('writing keeps the bytes of such a page and its condition', () => {
  for (const [source] of [...USED, ...REFUSED]) {
    const meta = readFrontMatter(source)
    assert.equal(editFrontMatter(source, { if: frontMatterOf(meta).if }), source)
    for (const edited of [editFrontMatter(source, { icon: 'y' }), retitle(source, 'New')])
      assert.equal(readFrontMatter(edited).condition, meta.condition, edited)
  }
})

test('a page that was stored before its condition was read keeps it in its source', () => {
  for (const one of [`[pro]`, '!visitor.claims.a', `{{ ${COND} }}`, `${COND} ? a : b`])
    assert.equal(
      editFrontMatter(page('icon: x', `if: ${one}`), { if: undefined }),
      page('icon: x', `if: ${one}`),
    )
})

test('takes linear time', () => {
  const start = cpuTime()
  for (const line of [
    'layout:\n  if: x\n',
    '  if: x\n',
    'if x\n',
    `if${' '.repeat(1000)}"\n`,
    'iffy: "\n',
    '-\n if: x\n',
  ])
    readFrontMatter(`---\na: b: c\n${line.repeat(99_000 / line.length)}---\n`)
  for (const char of [' ', '"', '\u200b', '?', '\t', '!', '! ', '&a ']) {
    readFrontMatter(`a: b\n${char.repeat(90_000)}if: x\n---\n`)
    readFrontMatter(`a: ${char.repeat(90_000)}`)
    readFrontMatter(`---\na: b: c\n${char.repeat(90_000)}if: x\n---\n`)
    readFrontMatter(`---\na: b: c\nif${char.repeat(90_000)}x\n---\n`)
    readFrontMatter(`---\na: b: c\ni${char.repeat(90_000)}x\n---\n`)
    readFrontMatter(char.repeat(90_000))
    readFrontMatter(`---${char.repeat(90_000)}!\n`)
  }
  for (const one of ['<!-- -->', '<!--', '{/*', '/**/ ', '[a]: #\n', '---\n', '---\na: b\n', 'only: x\n']) {
    readFrontMatter(one.repeat(90_000 / one.length))
    readFrontMatter(`---\na: b\n---\n${one.repeat(90_000 / one.length)}visitor.a`)
  }
  assert.ok(cpuTime() - start < 5_000)
})
