import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { threadPool } from '../../src/threads/pool.ts'
import { createHighlighter } from '../../src/highlight/highlight.ts'
import { onlyLong } from '../effort.ts'

/** For tests that need the result, however busy the machine is. */
const PATIENT = { timeLimit: 60_000, readLimit: 60_000, pageLimit: 600_000 }
const CODE = 'var x = "y"; // z'

test('names the kinds of tokens, and covers every line', async () => {
  const highlighter = createHighlighter(PATIENT)
  const code = `${CODE}\n\nreturn 1;`
  const lines = (await highlighter.read([{ code, syntax: 'c#' }], 'acme')).lookup(code, 'c#')
  assert.deepEqual(
    lines?.map((line) => line.reduce((sum, token) => sum + token.length, 0)),
    code.split('\n').map((line) => line.length),
  )
  assert.deepEqual(lines?.[0]?.map(({ kind }) => kind).filter(Boolean), ['keyword', 'string', 'comment'])
})

test('knows the names that writers give to languages', onlyLong, async () => {
  const highlighter = createHighlighter(PATIENT)
  const blocks = [
    'bash',
    'sh',
    'shell',
    'yml',
    'cs',
    'dockerfile',
    'js',
    'ts',
    'py',
    'rb',
    'xaml',
    'cshtml',
    'Powershell',
    'SQL',
  ].map((syntax) => ({ code: '# a "b" 1', syntax }))
  const { lookup } = await highlighter.read(blocks, 'acme')
  for (const { code, syntax } of blocks) assert.ok(lookup(code, syntax), syntax)
})

test('leaves unknown languages and long code plain', async () => {
  const highlighter = createHighlighter()
  const long = 'x = 1\n'.repeat(20_000)
  const { lookup } = await highlighter.read(
    [
      { code: 'a', syntax: 'text' },
      { code: 'a', syntax: 'no-such-language' },
      { code: 'a', syntax: '__proto__' },
      { code: long, syntax: 'python' },
    ],
    'acme',
  )
  assert.equal(lookup('a', 'no-such-language'), undefined)
  assert.equal(lookup('a', 'text'), undefined)
  assert.equal(lookup(long, 'python'), undefined)
})

test('skips a block that takes too long, and highlights the others', async () => {
  const highlighter = createHighlighter({ timeLimit: 1 })
  const slow = Array.from({ length: 3 }, (_, index) => ({
    code: `${CODE}${index}\n`.repeat(2_000),
    syntax: 'csharp',
  }))
  const read = () => Promise.all([highlighter.read(slow, 'acme'), highlighter.read(slow, 'acme')])
  const [first, also] = await read()
  for (const { code, syntax } of slow) assert.equal(first.lookup(code, syntax), undefined)
  // The machine may have been busy, so what took too long once is tried again.
  assert.deepEqual([first.complete, also.complete], [false, false])
  const [second] = await read()
  for (const { code, syntax } of slow) assert.equal(second.lookup(code, syntax), undefined)
  assert.equal(second.complete, true)

  const patient = createHighlighter(PATIENT)
  assert.ok((await patient.read([{ code: CODE, syntax: 'csharp' }], 'acme')).lookup(CODE, 'csharp'))
})

test('returns before a slow block is finished, and has its tokens the next time', async () => {
  const highlighter = createHighlighter({ ...PATIENT, readLimit: 1 })
  const code = `${CODE}\n`.repeat(5_000)
  const blocks = [{ code, syntax: 'csharp' }]
  assert.equal((await highlighter.read(blocks, 'acme')).lookup(code, 'csharp'), undefined)

  const deadline = performance.now() + 60_000
  let known
  while (!known && performance.now() < deadline) {
    await sleep(20)
    known = (await highlighter.read(blocks, 'acme')).lookup(code, 'csharp')
  }
  assert.ok(known)
})

test('highlights a line of 50 kB in time', async () => {
  const highlighter = createHighlighter(PATIENT)
  const code = `{"a":"${'x'.repeat(50_000)}"}`
  await highlighter.read([{ code, syntax: 'json' }], 'acme')
})

test('returns the same code from its cache', async () => {
  const highlighter = createHighlighter(PATIENT)
  const first = (await highlighter.read([{ code: CODE, syntax: 'js' }], 'acme')).lookup(CODE, 'js')
  const again = (await highlighter.read([{ code: CODE, syntax: 'javascript' }], 'acme')).lookup(
    CODE,
    'javascript',
  )
  assert.equal(again, first)
})

test('leaves the rest of a page plain once its blocks took the time of a page, also the next time', async () => {
  const highlighter = createHighlighter({ ...PATIENT, pageLimit: 0 })
  const blocks = Array.from({ length: 4 }, (_, index) => ({ code: `${CODE}${index}`, syntax: 'csharp' }))
  const first = await highlighter.read(blocks, 'acme')
  const tokens = blocks.map(({ code, syntax }) => first.lookup(code, syntax))
  assert.ok(tokens[0])
  assert.equal(tokens[3], undefined)
  assert.equal(first.complete, true)
  const again = await highlighter.read(blocks, 'acme')
  assert.deepEqual(
    blocks.map(({ code, syntax }) => again.lookup(code, syntax)),
    tokens,
  )
})

test('a page is not complete while there are no threads for its code', async () => {
  const pool = threadPool({ threads: 1, queue: 0, queueOfParty: 0, memoryMb: 64, idleMs: 1000 })
  const highlighter = createHighlighter({ ...PATIENT, pool })
  const reading = highlighter.read([{ code: CODE, syntax: 'csharp' }], 'acme')
  await pool[Symbol.asyncDispose]()
  const { lookup, complete } = await reading
  assert.equal(lookup(CODE, 'csharp'), undefined)
  assert.equal(complete, false)
})
