import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { update } from './edit.ts'
import type { Updated } from './edit.ts'
import { endsNode } from './node.ts'
import { diff, entries, get, getFromMaps, getMany, nodesBeyond, parseNode, unlessMissing } from './read.ts'
import type { EntryChange } from './read.ts'
import type { Load, Root } from './node.ts'
import { build, reachable } from '../../../../test/core/prolly-trees.ts'
import { casesOf } from '../../../../test/effort.ts'
import { holds } from '../../../../test/property.ts'

type Value = number | string | { [key: string]: unknown }

/** Nodes kept as their JSON, as a database would, with the calls and nodes asked for counted. */
function store<V = Value>() {
  const kept = new Map<string, string>()
  const loads = { calls: 0, nodes: 0 }
  const load: Load<V> = async (hashes) => {
    loads.calls += 1
    loads.nodes += hashes.length
    return new Map(hashes.map((hash) => [hash, parseNode<V>(kept.get(hash)!)]))
  }
  const keep = (made: Updated<V>): Root => {
    for (const [hash, { json }] of made.nodes) kept.set(hash, json)
    return made.root
  }
  return { kept, loads, load, keep }
}

function bytes(made: Updated<unknown>): number {
  return [...made.nodes.values()].reduce((sum, { json }) => sum + json.length, 0)
}

function record(i: number, note = ''): { [key: string]: unknown } {
  return { id: `page${i}`, title: `Page number ${i}`, text: 'x'.repeat(240), note }
}

/** Time-ordered ids, as pages have. */
function idOf(i: number): string {
  return `01k${i.toString(36).padStart(9, '0')}${((i * 7919) % 46656).toString(36).padStart(4, '0')}`
}

function many(n: number): [string, { [key: string]: unknown }][] {
  return Array.from({ length: n }, (_, i) => [idOf(i), record(i)])
}

// Mostly keys out of a range that the content covers, so that edits hit what is there; and any string at all.
const key = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 2000 }).map((i) => `k${i}`) },
  { weight: 1, arbitrary: fc.string() },
)
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.integer(),
  fc.string(),
  fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.constant(undefined), fc.array(fc.string()))),
)
/** Up to `most` keys evenly out of the range, and a few others. */
const contentOf = (most: number): fc.Arbitrary<[string, Value][]> =>
  fc
    .tuple(fc.nat(most), fc.nat(), fc.array(fc.tuple(key, value), { maxLength: 20 }))
    .map(([count, start, others]) => [
      ...Array.from({ length: count }, (_, i): [string, Value] => [`k${(start + i * 7) % 2001}`, i]),
      ...others,
    ])
const edit = fc.oneof(
  fc.array(fc.tuple(key, fc.oneof({ weight: 2, arbitrary: value }, fc.constant(null))), { maxLength: 12 }),
  // A whole range goes, so that levels do.
  fc
    .tuple(fc.nat(2000), fc.nat(2000))
    .map(([from, count]) => Array.from({ length: count }, (_, i): [string, null] => [`k${from + i}`, null])),
)

function edited(before: Map<string, Value>, changes: Map<string, Value | null>): Map<string, Value> {
  const after = new Map(before)
  for (const [name, to] of changes) {
    if (to === null) after.delete(name)
    else after.set(name, to)
  }
  return after
}

function plain(map: Map<string, Value>): [string, unknown][] {
  return [...map]
    .toSorted((a, b) => (a[0] < b[0] ? -1 : 1))
    .map(([name, held]) => [name, JSON.parse(JSON.stringify(held))])
}

/** The change the other way. */
function turned({ key: name, before, after }: EntryChange<Value>): EntryChange<Value> {
  return {
    key: name,
    ...(after !== undefined && { before: after }),
    ...(before !== undefined && { after: before }),
  }
}

function sameRoot(most: number) {
  return fc.asyncProperty(contentOf(most), fc.array(edit, { maxLength: 5 }), async (start, edits) => {
    const { keep, load } = store()
    let expected = new Map(start)
    let root = keep(await build(start))
    for (const changes of edits.map((pairs) => new Map(pairs))) {
      expected = edited(expected, changes)
      root = keep(await update(root, changes, load))
      assert.equal(root, (await build(expected)).root)
    }
    assert.deepEqual([...(await entries(root, load))], plain(expected))
  })
}

test('the same content has the same root, whatever edits led to it', async () => {
  await holds(sameRoot(120), { cases: 2000 })
  await holds(sameRoot(2000), { cases: 150 })
})

test('every node of the new map is either new or in the old map', async () => {
  await holds(
    fc.asyncProperty(contentOf(1000), edit, async (start, pairs) => {
      const { keep, load } = store()
      const first = await build(start)
      keep(first)
      const second = await update(first.root, new Map(pairs), load)
      keep(second)
      const all = await reachable(second.root, load)
      for (const hash of all) assert.ok(first.nodes.has(hash) !== second.nodes.has(hash))
      for (const hash of second.nodes.keys())
        assert.ok(all.has(hash), 'a node was written that nothing refers to')
    }),
    { cases: 300 },
  )
})

test('diff lists exactly the keys that differ, and applying it gives the other map', async () => {
  await holds(
    fc.asyncProperty(
      contentOf(1000),
      contentOf(300),
      edit,
      fc.boolean(),
      async (start, other, pairs, related) => {
        const { keep, load } = store()
        const before = new Map(start)
        const after = related ? edited(before, new Map(pairs)) : new Map(other)
        const a = keep(await build(before))
        const b = keep(await build(after))
        const changes = await diff(a, b, load)

        assert.deepEqual(
          changes.map((change) => change.key),
          changes.map((change) => change.key).toSorted((x, y) => (x < y ? -1 : 1)),
        )
        const [from, to] = [new Map(plain(before)), new Map(plain(after))]
        for (const change of changes) {
          assert.deepEqual(change.before, from.get(change.key))
          assert.deepEqual(change.after, to.get(change.key))
          assert.notDeepEqual(change.before, change.after)
        }
        const applied = new Map(changes.map(({ key: name, after: held }) => [name, held ?? null]))
        assert.equal((await update(a, applied, load)).root, b)

        assert.deepEqual(await diff(b, a, load), changes.map(turned))
        assert.deepEqual(await diff(a, a, load), [])
      },
    ),
    { cases: 400 },
  )
})

test('the nodes beyond another map are those that only the map has, or has at another place', async () => {
  await holds(
    fc.asyncProperty(
      contentOf(1000),
      contentOf(300),
      edit,
      fc.boolean(),
      async (start, other, pairs, related) => {
        const { keep, load } = store()
        const before = new Map(start)
        const a = keep(await build(before))
        const b = keep(await build(related ? edited(before, new Map(pairs)) : new Map(other)))
        const [all, shared] = [await reachable(b, load), await reachable(a, load)]
        const beyond = await nodesBeyond(a, b, load)
        assert.deepEqual(beyond.difference(all), new Set())
        assert.deepEqual(all.difference(shared).difference(beyond), new Set())
        assert.deepEqual(await nodesBeyond(b, b, load), new Set())
        assert.deepEqual(await nodesBeyond(null, b, load), all)
      },
    ),
    { cases: 400 },
  )
})

test('a comparison with a map that is deleted has no result, and other errors stay errors', async () => {
  const { keep, load, kept } = store()
  const [a, b] = [keep(await build(many(100))), keep(await build(many(200)))]
  kept.delete(a!)
  const stored: typeof load = (hashes) => load(hashes.filter((hash) => kept.has(hash)))
  assert.equal(await unlessMissing(diff(a, b, stored)), undefined)
  assert.equal((await unlessMissing(diff(null, b, stored)))?.length, 200)
  await assert.rejects(unlessMissing(Promise.reject(new Error('other'))), /other/)
})

test('finds the keys that are there and no others', async () => {
  await holds(
    fc.asyncProperty(contentOf(1000), fc.array(key), async (start, names) => {
      const { keep, load } = store()
      const held = new Map(start)
      const root = keep(await build(start))
      const wanted = [...names, ...[...held.keys()].slice(0, 20)]
      const found = await getMany(root, wanted, load)
      const expected = plain(held).filter(([name]) => wanted.includes(name))
      assert.deepEqual(new Map([...found].toSorted((a, b) => (a[0] < b[0] ? -1 : 1))), new Map(expected))
      for (const name of names) assert.deepEqual(await get(root, name, load), found.get(name))
    }),
    { cases: 300 },
  )
})

test('finds one key in several maps, and loads what they share once', async () => {
  await holds(
    fc.asyncProperty(contentOf(1000), fc.array(edit, { maxLength: 4 }), key, async (start, edits, name) => {
      const { keep, load, loads } = store()
      const roots: Root[] = [null, keep(await build(start))]
      for (const pairs of edits) roots.push(keep(await update(roots.at(-1)!, new Map(pairs), load)))
      const expected = await Promise.all(roots.map((root) => get(root, name, load)))
      loads.calls = 0
      assert.deepEqual(await getFromMaps(roots, name, load), expected)
      assert.ok(loads.calls <= 4)
    }),
    { cases: 200 },
  )
  const { keep, load, loads, kept } = store()
  const root = keep(await build(many(10_000)))
  const levels = parseNode(kept.get(root!)!).level + 1
  const others = [1, 5_000, 9_999].map((i) => update(root, new Map([[idOf(i), record(i, 'changed')]]), load))
  const roots = [root, ...(await Promise.all(others)).map(keep)]
  Object.assign(loads, { calls: 0, nodes: 0 })
  await getFromMaps([...roots, ...roots], idOf(5_000), load)
  assert.equal(loads.calls, levels)
  assert.ok(loads.nodes < roots.length * levels, `${loads.nodes} nodes`)
})

test('equal values are equal whatever the order of their keys, and a key set to undefined is absent', async () => {
  const one = await build<Value>([['a', { x: 1, y: { p: [{ m: 1, n: 2 }], q: 2 }, z: undefined }]])
  const two = await build<Value>([['a', { y: { q: 2, p: [{ n: 2, m: 1 }] }, x: 1 }]])
  assert.equal(one.root, two.root)
  const odd: Value = JSON.parse('{"__proto__":{"a":1},"constructor":2}')
  const made = await build<Value>([['a', odd]])
  const { keep, load } = store()
  assert.deepEqual(JSON.stringify(await get(keep(made), 'a', load)), JSON.stringify(odd))
})

test('what is stored shares nothing with the caller', async () => {
  const mine = { tags: ['a'] }
  const { keep } = store()
  const made = await build<Value>([['k', mine]])
  const known = new Map([...made.nodes].map(([hash, { node }]) => [hash, node]))
  const root = keep(made)
  mine.tags.push('b')
  assert.deepEqual(await get(root, 'k', async () => known), { tags: ['a'] })
})

test('a missing node is an error, not missing content', async () => {
  const { root } = await build<Value>([['a', 1]])
  await assert.rejects(
    entries(root, async () => new Map()),
    /The map node [0-9a-f]{40} is missing/,
  )
})

test('a changed value rewrites one node a level and moves no boundary', async () => {
  const { keep, load, kept } = store()
  const root = keep(await build(many(10_000)))
  const before = await reachable(root, load)
  const top = parseNode(kept.get(root!)!)
  for (let i = 0; i < casesOf(200); i++) {
    const at = (i * 7919) % 10_000
    const made = await update(root, new Map([[idOf(at), record(at, 'changed')]]), load)
    const levels = [...made.nodes.values()].map(({ node }) => node.level)
    assert.deepEqual(levels, [0, 1, 2, 3].slice(0, top.level + 1))
    keep(made)
    const after = await reachable(made.root, load)
    assert.equal(after.size, before.size)
  }
})

function mean(list: number[]): number {
  return list.reduce((a, b) => a + b, 0) / list.length
}

function sizes(made: Updated<Value>) {
  const nodes = [...made.nodes.values()].map(({ node }) => node)
  return {
    leaves: nodes.filter((node) => node.level === 0).map((node) => node.keys.length),
    branches: nodes.filter((node) => node.level === 1).map((node) => node.keys.length),
  }
}

test('a leaf holds about 16 entries and a branch about 32, within bounds', async () => {
  const { leaves, branches } = sizes(await build(many(50_000)))
  assert.ok(Math.abs(mean(leaves) - 15) < 1, `a leaf has ${mean(leaves)} entries at the mean`)
  assert.ok(Math.abs(mean(branches) - 31) < 3, `a branch has ${mean(branches)} entries at the mean`)
  assert.ok(Math.max(...leaves) <= 32 && Math.max(...branches) <= 64)
})

test('keys chosen so that none ends a leaf still make leaves of 32, and edits of them the same map as building', async () => {
  const hostile: [string, Value][] = []
  for (let i = 0; hostile.length < 1000; i++) if (!endsNode(0, `h${i}`, 31)) hostile.push([`h${i}`, i])
  const made = await build(hostile)
  assert.deepEqual(new Set(sizes(made).leaves.slice(0, -1)), new Set([32]))

  const { keep, load } = store()
  const edits = new Map<string, Value | null>([
    ['a', 1],
    ['h5', null],
  ])
  const after = await update(keep(made), edits, load)
  assert.equal(after.root, (await build(edited(new Map(hostile), edits))).root)
})

async function cost(n: number): Promise<number> {
  const { keep, load } = store()
  const root = keep(await build(many(n)))
  let sum = 0
  for (let i = 0; i < casesOf(200); i++) {
    const at = (i * 7919) % n
    sum += bytes(await update(root, new Map([[idOf(at), record(at, 'changed')]]), load))
  }
  return sum / 200
}

test('the bytes of an edit grow with the depth, not with the number of records', async () => {
  const [small, large] = [await cost(100), await cost(10_000)]
  assert.ok(large < 2 * small, `${large} bytes at 10,000 records, ${small} at 100`)
})

test('reads in as many calls as there are levels, and diff only what differs', async () => {
  const { keep, load, loads, kept } = store()
  const root = keep(await build(many(10_000)))
  const levels = parseNode(kept.get(root!)!).level + 1
  await entries(root, load)
  assert.equal(loads.calls, levels)
  assert.equal(loads.nodes, kept.size)

  const made = await update(
    root,
    new Map([
      [idOf(77), record(77, 'changed')],
      [idOf(7777), null],
    ]),
    load,
  )
  const other = keep(made)
  Object.assign(loads, { calls: 0, nodes: 0 })
  const changes = await diff(root, other, load)
  assert.deepEqual(
    changes.map((change) => change.key),
    [idOf(77), idOf(7777)],
  )
  assert.ok(loads.calls <= levels)
  assert.ok(loads.nodes <= 4 * levels, `diff loaded ${loads.nodes} nodes`)
})
