/**
 * A `!` behind a value asserts that it is there, and `undefined` goes on where the assertion is wrong. Core says it by a type, an
 * iterator, or a lookup that throws an error with a name (`need` and its neighbours in `core/data/lists.ts`).
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = resolve(import.meta.dirname, '..')

/** The most assertions of the rooms that still have some. Lower a number when you remove some of them. */
const MOST: Record<string, number> = { 'core/document': 76, 'core/languages': 1, 'core/sources': 17 }

/** The lines with assertions. Node.js replaces the syntax of types, which includes them, by spaces. */
function assertionsIn(source: string): string[] {
  const lines = source.split('\n')
  const plain = stripTypeScriptTypes(source).split('\n')
  return lines.flatMap((line, i) =>
    [...line.matchAll(/!/g)].flatMap(({ index }) => (plain[i]?.[index] === ' ' ? [line.trim()] : [])),
  )
}

test('an assertion is told from a negation, a comparison, and a text', () => {
  const counts: [source: string, assertions: number][] = [
    ['const one = list[0]!', 1],
    ['const [one, other] = [list[0]!, list[place]!.name]', 2],
    ['grid[0]![1]!.push(last!)', 3],
    ['count[place]! += 1', 1],
    ['if (!isSet && name !== "hello!") one = !!other // not this one!', 0],
    ['const text: "a" | "b" = !(a != b) ? `${c!}!` : "!"', 1],
  ]
  for (const [source, assertions] of counts) assert.equal(assertionsIn(source).length, assertions, source)
})

test('core asserts no values but in rooms that are named here, and there not more than before', () => {
  const found = new Map<string, string[]>()
  for (const file of globSync('core/**/*.ts', { cwd: resolve(ROOT, 'src') })) {
    if (file.endsWith('.test.ts')) continue
    const lines = assertionsIn(readFileSync(resolve(ROOT, 'src', file), 'utf8'))
    const room = file.split('/').slice(0, 2).join('/')
    if (lines.length > 0)
      found.set(room, [...(found.get(room) ?? []), ...lines.map((line) => `${file}: ${line}`)])
  }
  for (const [room, lines] of found)
    assert.ok(
      lines.length <= (MOST[room] ?? 0),
      `${room} asserts ${lines.length} values, at most ${MOST[room] ?? 0}:\n${lines.join('\n')}`,
    )
})
