/** The progress of imports: what the server knows, and what the command line shows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BareCall } from '../src/commands/client.ts'
import { withImportProgress } from '../src/commands/import/import-progress.ts'
import { progressBar } from '../src/commands/progress-bar.ts'
import { archiveOf, upload } from './importing.ts'
import { createWorld } from './world.ts'

const world = await createWorld()
const { ada, organizationId } = world
/** As many take long enough for each stage to be seen. */
const PAGES = 800

test('the server returns the stage and the amounts of an import until it ends', async () => {
  const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Long' })
  const pages = Array.from({ length: PAGES }, (_, i) => [`p${i}.md`, `# Page ${i}\n\n[next](p${i + 1}.md)\n`])
  const url = await upload(ada, organizationId, archiveOf(Object.fromEntries(pages)))
  const at = `/v1/spaces/${space.id}/content/import`
  assert.deepEqual((await ada(`GET ${at}`)).body, { imports: [] })

  const state = { isOver: false }
  const importing = ada(`POST ${at}`, { url, source: 'zip' }).finally(() => (state.isOver = true))
  const seen: { stage: string; done?: number; total?: number }[] = []
  while (!state.isOver) {
    seen.push(...(await ada(`GET ${at}`)).body.imports)
    await sleep(5)
  }
  assert.equal((await importing).status, 201)

  const order = ['waiting', 'fetching', 'reading', 'writing']
  const stages = seen.map(({ stage }) => order.indexOf(stage))
  assert(stages.includes(2), 'reading takes long enough to be seen')
  assert.deepEqual(
    stages,
    stages.toSorted((a, b) => a - b),
    'stages follow each other',
  )
  for (const { stage, done = 0, total = PAGES } of seen) {
    assert(done <= total, `${stage}: ${done} of ${total}`)
    if (stage === 'reading' || stage === 'writing') assert.equal(total, PAGES)
  }
  assert.deepEqual((await ada(`GET ${at}`)).body, { imports: [] })
})

test('an import that fails is no longer listed', async () => {
  const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Refused' })
  const url = await upload(ada, organizationId, new Uint8Array([1, 2, 3]))
  assert.equal((await ada(`POST /v1/spaces/${space.id}/content/import`, { url, source: 'zip' })).status, 400)
  assert.deepEqual(await world.app.services.imports.of(space.id), [])
})

test('imports into one space are listed from the oldest', async () => {
  const { imports } = world.app.services
  using first = imports.track('s', new Date(1000))
  {
    using second = imports.track('s', new Date(2000))
    first.enter({ stage: 'writing', done: 1, total: 3 })
    first.add(1)
    second.enter({ stage: 'reading' })
    assert.deepEqual(await imports.of('s'), [
      { stage: 'writing', done: 2, total: 3, startedAt: '1970-01-01T00:00:01.000Z' },
      { stage: 'reading', startedAt: '1970-01-01T00:00:02.000Z' },
    ])
  }
  assert.equal((await imports.of('s')).length, 1)
})

test('an import that ended is not listed while its row is still there', async () => {
  const { imports } = world.app.services
  const ending = imports.track('ending', new Date(1000))
  ending.enter({ stage: 'reading' })
  await imports.publish()
  ending.enter({ stage: 'writing' })
  const during = imports.of('ending')
  ending[Symbol.dispose]()
  const after = imports.of('ending')
  assert.deepEqual([await during, await after], [[], []])
})

/** Collects what is written. */
function output(isTTY: boolean) {
  const written: string[] = []
  return { written, isTTY, write: (text: string) => written.push(text) }
}

test('a terminal has one line that is drawn again and removed, and a log has whole lines', async () => {
  const terminal = output(true)
  const bar = progressBar(
    { label: 'Uploading', done: 0, total: 4_000_000, isBytes: true },
    { out: terminal, lineMs: 10 },
  )
  bar.add(1_000_000)
  await sleep(250)
  bar.end()
  assert.equal(terminal.written[0], `\r\u001b[KUploading  ${'█'.repeat(8)}${'░'.repeat(22)} 1.0 of 4.0 MB`)
  assert.equal(terminal.written.at(-1), '\r\u001b[K')
  assert.doesNotMatch(terminal.written.join(''), /\n/)

  const log = output(false)
  const lines = progressBar('Reading', { out: log, lineMs: 20 })
  await sleep(50)
  lines.show({ label: 'Writing', done: 3, total: 9 })
  await sleep(50)
  lines.end()
  assert.equal(log.written[0], 'Reading: 0 s\n')
  assert.equal(log.written.at(-1), 'Writing: 3 of 9\n')
  const count = log.written.length
  await sleep(50)
  assert.equal(log.written.length, count)
})

test('short work prints nothing, and neither does --quiet', async () => {
  for (const [isTTY, options] of [
    [false, {}],
    [true, { isQuiet: true }],
    [false, { isQuiet: true, lineMs: 1 }],
  ] as const) {
    const out = output(isTTY)
    const bar = progressBar('Reading', { out, ...options })
    await sleep(20)
    bar.end()
    assert.deepEqual(out.written, [])
  }
})

test('the command shows the stages that the server returns, and does not mind a server without them', async () => {
  const show = async (call: BareCall) => {
    const out = output(false)
    const result = await withImportProgress(call, 'id', () => sleep(120, 'result'), {
      out,
      lineMs: 20,
      askMs: 10,
    })
    assert.equal(result, 'result')
    return out.written
  }
  const requests: string[] = []
  const known = await show(async (method, path) => {
    requests.push(`${method} ${path}`)
    return { imports: [{ stage: 'writing', done: 5, total: 8, startedAt: '' }] }
  })
  assert(known.includes('Writing: 5 of 8\n'), known.join(''))
  assert.deepEqual([...new Set(requests)], ['GET /spaces/id/content/import'])
  const unknown = await show(() => Promise.reject(new Error('404')))
  assert(unknown.every((line) => /^Importing: \d+ s\n$/.test(line)))
})
