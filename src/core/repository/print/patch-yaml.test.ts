import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { holds } from '../../../../test/property.ts'
import { needItem } from '../../data/lists.ts'
import { readYaml } from '../../yaml/read.ts'
import { patchYaml } from './patch-yaml.ts'

const SOURCE = `# Settings
root:   ./docs/   # where the pages are

structure:
    readme: 'README.md'
redirects:
    "old":   new.md   # moved in 2020
    # the next one is old
    /gone: 'there.md'
    far/away: https://example.com/a,b
`
const VALUE = {
  root: './docs/',
  structure: { readme: 'README.md' },
  redirects: { old: 'new.md', '/gone': 'there.md', 'far/away': 'https://example.com/a,b' },
}

const cases: [name: string, redirects: Record<string, string> | undefined, expected: string][] = [
  ['nothing', VALUE.redirects, SOURCE],
  ['a value', { ...VALUE.redirects, old: 'newer.md' }, SOURCE.replace('new.md', 'newer.md')],
  ['a new pair', { ...VALUE.redirects, added: 'x.md' }, SOURCE.replace('a,b\n', 'a,b\n    added: x.md\n')],
  [
    'a removed pair',
    { old: 'new.md', 'far/away': 'https://example.com/a,b' },
    SOURCE.replace("    /gone: 'there.md'\n", ''),
  ],
  ['all pairs removed', undefined, SOURCE.slice(0, SOURCE.indexOf('redirects:'))],
]
for (const [name, redirects, expected] of cases)
  test(`a patch of YAML changes only its lines: ${name}`, () => {
    const { redirects: _all, ...others } = VALUE
    assert.equal(patchYaml(SOURCE, { ...others, ...(redirects ? { redirects } : {}) }), expected)
  })

test('a map gets its first redirects at its end, also without a line break there', () => {
  assert.equal(
    patchYaml('root: ./docs/', { root: './docs/', redirects: { a: 'b.md' } }),
    'root: ./docs/\nredirects:\n  a: b.md\n',
  )
})

test('YAML in flow style is not patched', () => {
  assert.equal(patchYaml('{ a: 1 }\n', { a: 2 }), undefined)
  assert.equal(patchYaml('a: 1\nb: {c: 2}\n', { a: 1, b: { c: 3 } }), undefined)
})

const scalar = fc.oneof(
  fc.constantFrom('x', '', 'a: b', '- c', "it's", '# no', 'two\nlines', 'true', ' padded ', '|', '💡'),
  fc.integer(),
  fc.boolean(),
)
const written = fc.constantFrom<(key: string, value: unknown) => string>(
  (key, value) => `${key}: ${JSON.stringify(value)}\n`,
  (key, value) => `"${key}":    ${JSON.stringify(value)}   # why\n`,
  (key, value) => `# about\n${key}: ${JSON.stringify(value)}\n\n`,
  (key) => `${key}: |\n  block\n`,
  (key) => `${key}:\n`,
)
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')

test('any patch of a block map has the wanted value, and keeps the lines of other pairs', () => {
  holds(
    fc.property(
      fc.uniqueArray(fc.tuple(key, scalar, written), { minLength: 1, selector: ([one]) => one }),
      fc.dictionary(key, scalar),
      fc.uniqueArray(key),
      (pairs, changes, removed) => {
        const lines = pairs.map(([name, value, write]) => write(name, value))
        const before = readYaml(lines.join(''), { length: 100_000, depth: 8 }).value as Record<
          string,
          unknown
        >
        const wanted = { ...before, ...changes }
        for (const one of removed) delete wanted[one]
        const patched = patchYaml(lines.join(''), wanted)
        assert.deepEqual(readYaml(patched ?? 'none', { length: 100_000, depth: 8 }).value ?? {}, wanted)
        for (const [nth, [name]] of pairs.entries())
          if (Object.hasOwn(wanted, name) && wanted[name] === before[name])
            assert.ok(patched?.includes(needItem(lines, nth).trimEnd()), `${name} in ${patched}`)
      },
    ),
    { cases: 2000 },
  )
})
