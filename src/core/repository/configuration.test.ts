import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { readConfiguration, readVariables } from './configuration.ts'
import { readRepositoryYaml } from './yaml.ts'
import { holds } from '../../../test/property.ts'
import { cpuTime } from '../../../test/cpu.ts'
import { sizeOf } from '../../../test/effort.ts'

const defaults = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: [], problems: [] }

describe('.gitbook.yaml', () => {
  test('has defaults for all that it leaves out', () => {
    for (const source of [
      undefined,
      '',
      '# nothing\n',
      'root:\nstructure:\nredirects:\n',
      'root: ./',
      'other: 1',
    ]) {
      assert.deepEqual(readConfiguration(source), defaults)
    }
  })

  test('has paths relative to its root', () => {
    const source =
      'root: ./docs/v2/\nstructure:\n  readme: ./intro.md\n  summary: toc/S.md\nredirects:\n  a/b: ../c.md'

    assert.deepEqual(readConfiguration(source), {
      root: 'docs/v2',
      readme: 'docs/v2/intro.md',
      summary: 'docs/v2/toc/S.md',
      redirects: [{ from: 'a/b', to: 'docs/c.md' }],
      problems: [],
    })
  })

  test('may hold the invisible characters and tabs that pasting leaves', () => {
    const source = '\ufeffroot: ./docs/\n\u200bstructure:\n\treadme:\u00a0a.md\n\tsummary: \u2060s.md\n'

    const { root, readme, summary, problems } = readConfiguration(source)
    assert.deepEqual([root, readme, summary, problems], ['docs', 'docs/a.md', 'docs/s.md', []])
  })

  test('keeps redirects in order, the last one where a key stands twice', () => {
    const { redirects } = readConfiguration('redirects:\n  /b/: x.md\n  1: y.md\n  a: z.md\n  b: w.md')

    assert.deepEqual(
      new Map(redirects.map(({ from, to }) => [from, to])),
      new Map([
        ['1', 'y.md'],
        ['b', 'w.md'],
        ['a', 'z.md'],
      ]),
    )
  })

  test('that cannot be understood is reported, and the rest of it counts', () => {
    const cases: [string, RegExp][] = [
      ['root: ../up', /"root" points outside the repository/],
      ['structure:\n  summary: ../../S.md', /"structure\.summary" points outside the repository/],
      ['redirects: [a, b]', /"redirects" is not a map/],
      ['redirects:\n  a: [b]', /the redirect of "a" must be/],
      ['redirects:\n  a: ../../b.md', /the redirect of "a" must be/],
      ['just words', /is not a map of settings/],
      ['- a', /is not a map of settings/],
      ['a: "unclosed', /is not valid YAML/],
      ['[[', /is not valid YAML/],
    ]
    for (const [source, message] of cases) {
      const { problems, ...rest } = readConfiguration(source)
      assert.match(problems.map((one) => one.message).join('\n'), message, source)
      assert.deepEqual({ ...rest, problems: [] }, defaults, source)
    }
    assert.equal(readConfiguration('root: docs\nredirects: 5').root, 'docs')
  })
})

describe('vars.yaml', () => {
  test('is a flat map of texts, numbers and booleans', () => {
    const { variables, problems } = readVariables('a: text\nB_2: 1.5\nc: true\nd: ""\ne: 2026-01-31')

    assert.deepEqual(variables, { a: 'text', B_2: 1.5, c: true, d: '', e: '2026-01-31' })
    assert.deepEqual(problems, [])
  })

  test('has its other entries reported by name', () => {
    const source = `1a: x\n_b: x\na-b: x\n__proto__: x\nlist: [1]\nmap: {a: 1}\nnone: null\nnan: .nan\nlong: ${'x'.repeat(257)}\nfine: ${'x'.repeat(256)}`
    const { variables, problems } = readVariables(source)

    assert.deepEqual(Object.keys(variables), ['fine'])
    assert.deepEqual(
      problems.map(({ message }) => /"([^"]+)"/.exec(message)?.[1]),
      ['1a', '_b', 'a-b', '__proto__', 'list', 'map', 'none', 'nan', 'long'],
    )
  })
})

describe('reading YAML', () => {
  const bomb = `a: &a [x]\n${Array.from({ length: 30 }, (_, level) => `${'bcdefghijklmnopqrstuvwxyzABCDE'[level]}: &${'bcdefghijklmnopqrstuvwxyzABCDE'[level]} [${`*${'abcdefghijklmnopqrstuvwxyzABCD'[level]},`.repeat(9)}]`).join('\n')}`

  test('is bounded in size, nesting, aliases and time', () => {
    const hostile: [string, RegExp][] = [
      [bomb, /anchors and aliases/],
      ['['.repeat(100_000), /8 levels/],
      [`a: ${'{b: '.repeat(17)}1${'}'.repeat(17)}`, /8 levels/],
      ['x'.repeat(1_000_001), /1000001 characters; the limit is 1000000/],
    ]
    for (const [source, message] of hostile) {
      const start = cpuTime()
      const { value, fault } = readRepositoryYaml(source)
      assert.equal(value, undefined)
      assert.match(fault?.message ?? '', message)
      assert.ok(cpuTime() - start < 5000)
    }
  })

  test('takes no more than some seconds for the worst that we know', () => {
    const fill = (unit: string, before = '') => before + unit.repeat(Math.floor(sizeOf(50_000) / unit.length))
    const hostile = [
      Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}?`).join('\n'),
      fill('- '),
      fill('? '),
      fill('? ', 'a: '),
      fill('- ? - ? - ? - ? - ? a\n'),
      fill(`${'{'.repeat(16)}a${'}: 1'.repeat(16)}\n`),
      fill(','),
      fill(',', '['),
      fill(': ', '{'),
      fill('"'),
      fill('a: ? b\n'),
      fill('- *a\n', '- &a x\n'),
      fill('a: &a '),
      fill('%a b\n'),
      fill('---\n'),
    ]
    for (const source of hostile) {
      const start = cpuTime()
      readRepositoryYaml(source)
      const took = cpuTime() - start
      assert.ok(took < 10_000, `${JSON.stringify(source.slice(0, 20))} took ${took} ms`)
    }
  })

  test('never throws', () => {
    const token = fc.constantFrom(
      ...'a: |- |? |: |\n|  |[|]|{|}|&a |*a|!!x |"|\'|#|>|%|@|`|---|...|\t|,|<<'.split('|'),
    )
    holds(
      fc.property(fc.array(fc.oneof(token, fc.string()), { maxLength: 40 }), (parts) => {
        readConfiguration(parts.join(''))
        readVariables(parts.join(''))
      }),
      { cases: 1500 },
    )
  })
})
