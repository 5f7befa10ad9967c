/** Settings in programs are read where they are literals, and nothing is run. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  exportedTexts,
  LiteralCall,
  readLiteral,
  readModule,
  unwrapped,
} from '../../../src/core/sources/literals.ts'
import { assertLinear, type Families, familiesOf, nested, repeated } from '../cost/growth.ts'

describe('an expression', () => {
  const values: [string, unknown][] = [
    [`['a', "b", \`c\`]`, ['a', 'b', 'c']],
    ['{ a: 1, "b": -2, c: [true, null] }', { a: 1, b: -2, c: [true, null] }],
    ['`a${b}`', undefined],
    ['f', undefined],
    ['a) + (b', undefined],
    ['/a/', undefined],
    ['', undefined],
    ['...a', undefined],
    ['{ __proto__: { a: 1 } }.a', undefined],
  ]
  for (const [source, value] of values)
    test(`${source} has its value if it is a literal`, () => assert.deepEqual(readLiteral(source), value))

  test('that is a call has the name and the arguments', () => {
    assert.deepEqual(readLiteral("require('./a.png').default"), new LiteralCall('require', ['./a.png']))
    assert.deepEqual(readLiteral("require.resolve('./a.js')"), new LiteralCall('require.resolve', ['./a.js']))
  })
})

describe('a module', () => {
  test('exports what its constants and spreads have', () => {
    const source = `#!/usr/bin/env node
      import x from 'x'
      const base = { a: 1, list: [1] }
      const config = { ...base, b: x, list: [...base.list, 2], async c() { throw 1 }, ['d']: 3, [x]: 4 }
      module.exports = config`
    assert.deepEqual(readModule(source), { a: 1, b: undefined, list: [1, 2], c: undefined, d: 3 })
  })

  test('of TypeScript is read without its types', () => {
    const source = `import { type Options, themes } from 'x';
      import type { Config } from '@docusaurus/types';
      import type * as Preset from '@docusaurus/preset-classic';
      const title: string = 'Use as Docs, satisfies All';
      const config: Config = {
        title,
        presets: [['classic', { docs: { path: 'd' } } satisfies Preset.Options<'a', Map<string, number[]>>]],
        other: ['a'] as const,
        theme: { x: themes.y } as Record<string, unknown>,
      };
      export default config satisfies Config;`
    assert.deepEqual(readModule(source), {
      title: 'Use as Docs, satisfies All',
      presets: [['classic', { docs: { path: 'd' } }]],
      other: ['a'],
      theme: { x: undefined },
    })
  })

  test('may wrap its settings in a call', () => {
    assert.deepEqual(unwrapped(readModule("export default defineConfig({ title: 'A' })")), { title: 'A' })
    assert.deepEqual(unwrapped({ title: 'A' }), { title: 'A' })
  })

  test('that is no program, or exports none of its values, has no value', () => {
    assert.equal(readModule('export default {'), undefined)
    assert.equal(readModule('export default function () { return { a: 1 } }'), undefined)
    assert.equal(readModule(`export default ${'['.repeat(100_000)}`), undefined)
  })

  test('that doubles its values again and again is read up to a limit', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `const a${at + 1} = [...a${at}, ...a${at}]`)
    assert.doesNotThrow(() => readModule(`const a0 = [1]\n${lines.join('\n')}\nexport default a30`))
  })

  test('exports texts by name', () => {
    assert.deepEqual(
      [
        ...exportedTexts(
          "export const a = 'x', b = 2; export const o = { c: 'y', d: [] }; export const f = () => 1",
        ),
      ],
      [
        ['a', 'x'],
        ['b', '2'],
        ['o.c', 'y'],
      ],
    )
  })
})

const FAMILIES: Families = {
  arrays: nested('[', ']'),
  objects: nested('{a:', '}'),
  'open objects': repeated('{a:[', 'export default '),
  types: repeated("as A<'b', ", 'export default x '),
  'constants with types': repeated('const a: A = 1;\n'),
  imports: repeated('import type { A '),
  spreads: repeated('...a, ', 'const a = [1]; export default [', ']'),
}

describe('reading programs is linear', () => {
  for (const [name, make] of familiesOf(FAMILIES, 2)) test(name, () => assertLinear(make, readModule))
})
