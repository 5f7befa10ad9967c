/** The reader of front matter and settings takes linear time for whatever it does not refuse. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDocument } from 'yaml'
import {
  FRONT_MATTER_LIMITS,
  frontMatterEnd,
  frontMatterExcess,
} from '../../../src/core/document/front-matter/front-matter.ts'
import { yamlProblem } from '../../../src/core/yaml/problem.ts'
import { readYaml } from '../../../src/core/yaml/read.ts'
import { CORPORA, pagesToTry, withoutCorpora } from '../../corpus.ts'
import { cpuTime } from '../../cpu.ts'
import { holds } from '../../property.ts'
import { assertLinear, familiesOf } from './growth.ts'
import { YAML, YAML_PIECES } from './yaml.ts'

for (const [name, make] of familiesOf(YAML, 30)) {
  test(`reads ${JSON.stringify(name)} in linear time`, () => {
    const limits = { length: 2_000_000, depth: 8 }
    assertLinear(make, (text) => readYaml(text, limits))
  })
}

test('refuses what documentation never has, and says where', () => {
  const refused: [string, RegExp][] = [
    ['a: b\n? c', /explicit key \("\?"\) on line 2/],
    ['a:\n  ? - ? -', /explicit key/],
    ['a: [? !<]>', /explicit key/],
    ['a: !<tag> b', /a tag \("!<tag>"; put text that begins with "!" in quotes\) on line 1/],
    ['a: !!binary b', /a tag/],
    [Array.from({ length: 11 }, (_, index) => `a${index}: &a${index} x`).join('\n'), /more than 10 anchors/],
    ['a:\n b:\n  c:\n   d:\n    e: 1', /nests more than 4 levels deep on line 5/],
    ['a: [[[[1]]]]', /nests more than 4 levels/],
    ['- - - - - a', /nests more than 4 levels/],
    ['a: b: c: d: e: f', /nests more than 4 levels/],
    ['x'.repeat(20_001), /has 20001 characters; the limit is 20000/],
  ]
  for (const [text, problem] of refused) {
    assert.match(yamlProblem(text, FRONT_MATTER_LIMITS)?.message ?? '', problem, text.slice(0, 40))
    assert.equal(readYaml(text, FRONT_MATTER_LIMITS).value, undefined)
  }
})

test('does not refuse text that only looks like it', () => {
  const fine = [
    'a: what? Really! *yes* & no [x] {y}',
    'a: >-\n  ? b\n  !c\n  *d\n  [[[[[[\nb: |\n  - - - - - -',
    'a: "? - ? - !x [[[[[["\nb: \'[[[[[[ &a *b\'',
    '# ? - ? - [[[[[[\na: b # !x',
    'a:\n- b: c\n  d:\n  - e\n- f: [g]\nj: {k: [l]}',
    'a: b\n  ? continued\n  ! text',
    `a:\n${'- b\n'.repeat(50)}c:\n${'- d: e\n  f: g\n'.repeat(50)}`,
  ]
  for (const text of fine) assert.equal(yamlProblem(text, FRONT_MATTER_LIMITS), undefined, text)
})

test('takes no longer than its length allows for any text', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...YAML_PIECES), fc.constantFrom('\n', '  ', '\n  ', ' ')), {
    maxLength: 400,
  })
  holds(
    fc.property(text, (parts) => {
      const start = cpuTime()
      readYaml(parts.join(''), FRONT_MATTER_LIMITS)
      assert.ok(cpuTime() - start < 1000)
    }),
    { cases: 5000 },
  )
})

for (const corpus of CORPORA) {
  test(`reads the front matter of ${corpus} as the library does`, { skip: withoutCorpora }, () => {
    for (const [path, source] of pagesToTry(corpus)) {
      assert.equal(frontMatterExcess(source), undefined, path)
      const text = source.slice(0, frontMatterEnd(source)).replace(/^\ufeff?---[^\n]*\n|---[^\n]*\n?$/g, '')
      const expected: unknown = parseDocument(text, { uniqueKeys: false, strict: false }).toJS()
      assert.deepEqual(readYaml(text, FRONT_MATTER_LIMITS).value, expected, path)
    }
  })
}
