import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { createHighlighter } from '../../src/sites/highlight/highlight.ts'

/** For tests that need the result, however busy the machine is. */
const PATIENT = { timeLimit: 60_000, readLimit: 60_000 }
const CODE = 'var x = "y"; // z'

test('names the kinds of tokens, and covers every line', async () => {
  await using highlighter = createHighlighter(PATIENT)
  const code = `${CODE}\n\nreturn 1;`
  const lines = (await highlighter.read([{ code, syntax: 'c#' }]))(code, 'c#')
  assert.deepEqual(
    lines?.map((line) => line.reduce((sum, token) => sum + token.length, 0)),
    code.split('\n').map((line) => line.length),
  )
  assert.deepEqual(lines?.[0]?.map(({ kind }) => kind).filter(Boolean), ['keyword', 'string', 'comment'])
})

test('knows the names that writers give to languages', async () => {
  await using highlighter = createHighlighter(PATIENT)
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
  const lookup = await highlighter.read(blocks)
  for (const { code, syntax } of blocks) assert.ok(lookup(code, syntax), syntax)
})

test('leaves unknown languages and long code plain', async () => {
  await using highlighter = createHighlighter()
  const long = 'x = 1\n'.repeat(20_000)
  const lookup = await highlighter.read([
    { code: 'a', syntax: 'text' },
    { code: 'a', syntax: 'no-such-language' },
    { code: 'a', syntax: '__proto__' },
    { code: long, syntax: 'python' },
  ])
  assert.equal(lookup('a', 'no-such-language'), undefined)
  assert.equal(lookup('a', 'text'), undefined)
  assert.equal(lookup(long, 'python'), undefined)
})

test('skips a block that takes too long, and highlights the others', async () => {
  await using highlighter = createHighlighter({ timeLimit: 1 })
  const slow = Array.from({ length: 3 }, (_, index) => ({
    code: `${CODE}${index}\n`.repeat(2_000),
    syntax: 'csharp',
  }))
  const lookup = await highlighter.read(slow)
  for (const { code, syntax } of slow) assert.equal(lookup(code, syntax), undefined)

  await using patient = createHighlighter(PATIENT)
  assert.ok((await patient.read([{ code: CODE, syntax: 'csharp' }]))(CODE, 'csharp'))
})

test('returns before a slow block is finished, and has its tokens the next time', async () => {
  await using highlighter = createHighlighter({ ...PATIENT, readLimit: 1 })
  const blocks = [{ code: CODE, syntax: 'csharp' }]
  assert.equal((await highlighter.read(blocks))(CODE, 'csharp'), undefined)

  const deadline = performance.now() + 60_000
  let known
  while (!known && performance.now() < deadline) {
    await sleep(20)
    known = (await highlighter.read(blocks))(CODE, 'csharp')
  }
  assert.ok(known)
})

test('highlights a line of 50 kB in time', async () => {
  await using highlighter = createHighlighter(PATIENT)
  const code = `{"a":"${'x'.repeat(50_000)}"}`
  await highlighter.read([{ code, syntax: 'json' }])
})

test('returns the same code from its cache', async () => {
  await using highlighter = createHighlighter(PATIENT)
  const first = (await highlighter.read([{ code: CODE, syntax: 'js' }]))(CODE, 'js')
  const again = (await highlighter.read([{ code: CODE, syntax: 'javascript' }]))(CODE, 'javascript')
  assert.equal(again, first)
})

test('resolves pending reads when it is closed', async () => {
  const highlighter = createHighlighter()
  const asked = highlighter.read([{ code: CODE, syntax: 'csharp' }])
  await highlighter[Symbol.asyncDispose]()
  assert.equal((await asked)(CODE, 'csharp'), undefined)
})
