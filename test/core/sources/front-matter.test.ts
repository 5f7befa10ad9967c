/** Front matter of other generators becomes YAML. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withYamlFrontMatter } from '../../../src/core/sources/markdown/front-matter.ts'
import { assertLinear, familiesOf, repeated } from '../cost/growth.ts'
import { bytesIn, textsOf } from './sources.ts'

/** A page after its front matter was rewritten. */
function rewritten(text: string, path = 'a.md') {
  const { files, problems } = withYamlFrontMatter(bytesIn({ [path]: text }))
  return { text: textsOf({ files: new Map(files), problems })[path], problems }
}

describe('front matter is written as YAML', () => {
  const pages: [name: string, written: string, expected: string][] = [
    [
      'TOML',
      '+++\ntitle = "Set up: the pump"\ndate = 2026-01-01\ntags = ["a"]\n[menu]\nweight = 5\n+++\n\nText\n',
      '---\ntitle: "Set up: the pump"\ndate: 2026-01-01\ntags:\n  - a\nmenu:\n  weight: 5\n---\n\nText\n',
    ],
    ['TOML with carriage returns', '+++\r\ntitle = "A"\r\n+++\r\nText\r\n', '---\ntitle: A\n---\nText\r\n'],
    ['TOML after a byte order mark', '\ufeff+++\ntitle = "A"\n+++', '---\ntitle: A\n---\n'],
    ['TOML without fields', '+++\n+++\nText', 'Text'],
    ['JSON', '{\n  "title": "A",\n  "b": {"c": 1}\n}\nText', '---\ntitle: A\nb:\n  c: 1\n---\nText'],
    ['JSON on one line', '{"title": "A"}\nText\n', '---\ntitle: A\n---\nText\n'],
  ]
  for (const [name, written, expected] of pages)
    test(name, () => assert.deepEqual(rewritten(written), { text: expected, problems: [] }))
})

test('front matter that is not TOML is left out and listed', () => {
  const { text, problems } = rewritten('+++\ntitle = \n+++\nText\n')
  assert.equal(text, 'Text\n')
  assert.deepEqual(
    problems.map(({ kind, path, line }) => [kind, path, line]),
    [['setting', 'a.md', 1]],
  )
  assert.match(problems[0]?.message ?? '', /^The front matter in TOML is left out: it is not valid TOML/)
})

describe('other pages stay as they are', () => {
  for (const text of [
    '---\ntitle: A\n---\nText',
    '+++ x\na = 1\n+++\n',
    '+++\na = 1\n',
    '{% hint style="info" %}\nText\n{% endhint %}\n',
    '{#id}\n}\n',
    '{"title": }\n',
    '{\n{\n}\n',
    '# A\n\n+++\na = 1\n+++\n',
  ])
    test(JSON.stringify(text), () => assert.deepEqual(rewritten(text), { text, problems: [] }))
  test('files that are not pages', () => {
    const text = '+++\na = 1\n+++\n'
    for (const path of ['a.toml', '.github/a.md']) assert.equal(rewritten(text, path).text, text)
  })
})

for (const [name, make] of familiesOf(
  {
    'open lines': repeated('+++\na', '+++\n'),
    'open braces': repeated('{\n'),
    'braces in a line': repeated('{}'),
    fields: (size) => `+++\n${Array.from({ length: size / 10 }, (_, at) => `k${at} = 1\n`).join('')}+++\n`,
    spaces: repeated(' ', '{'),
    'lines of spaces': repeated('+++ \t', '+++\n'),
  },
  1,
))
  test(`front matter is rewritten in linear time: ${name}`, () => assertLinear(make, rewritten))
