/** The clock is set back between two starts: what comes later still counts as later. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { steadyClock } from '../../src/server/clock.ts'
import { inLongRun } from '../effort.ts'
import { createPostgres } from '../postgres.ts'
import { type Server, startServer, temporaryFolder } from '../process.ts'

const TOKEN = 'a-secret-of-the-test'
const DAY_MS = 24 * 3_600_000

test(
  'a review after the clock was set back a day is the latest, and the merge is refused',
  { skip: inLongRun },
  async (t) => {
    const folder = temporaryFolder()
    t.after(folder.remove)
    const postgres = await createPostgres()
    if (postgres) t.after(postgres.drop)
    const start = async (offBy: number) => {
      const server = await startServer({
        ...(postgres ? { DATABASE_URL: postgres.url } : {}),
        LECTERN_DATA: folder.path,
        LECTERN_ADMIN_TOKEN: TOKEN,
        PORT: '0',
        NODE_OPTIONS: `--import=${join(import.meta.dirname, 'set-clock.ts')}`,
        CLOCK_OFF_BY: String(offBy),
      })
      t.after(() => server.stop('SIGKILL'))
      return server
    }

    let server = await start(0)
    const { items } = await call(server, 'GET', '/orgs')
    const space = await call(server, 'POST', `/orgs/${items[0].id}/spaces`, { title: 'Guide' })
    const rules = [{ rule: 'require_all_reviews_approved' }]
    await call(server, 'PATCH', `/spaces/${space.id}`, { mergeRules: { type: 'rules', rules } })
    const request = await call(server, 'POST', `/spaces/${space.id}/change-requests`, { subject: 'A change' })
    const here = `/spaces/${space.id}/change-requests/${request.id}`
    const edited = await edit(server, here, 'First')
    const approval = await call(server, 'POST', `${here}/reviews`, { status: 'approved' })
    await server.stop()

    server = await start(-DAY_MS)
    assert.match(server.out(), /clock is behind/)
    const refusal = await call(server, 'POST', `${here}/reviews`, { status: 'changes-requested' })
    assert(refusal.id > approval.id, 'ids continue')
    const { items: reviews } = await call(server, 'GET', `${here}/reviews`)
    assert.deepEqual(reviews.map(({ status }: { status: string }) => status).toSorted(), [
      'approved',
      'changes-requested',
    ])
    const merge = await fetch(`${server.url}/v1${here}/merge`, { method: 'POST', headers: HEADERS })
    assert.equal(merge.status, 409)
    assert.match(await merge.text(), /requested changes/)

    const later = await edit(server, here, 'Second')
    const times = [approval, refusal].map(({ createdAt }) => createdAt as string)
    assert.deepEqual(times, times.toSorted(), 'times continue')
    assert(later > edited)
  },
)

const HEADERS = { authorization: `Bearer ${TOKEN}` }

async function edit(server: Server, here: string, title: string): Promise<string> {
  const changes = [{ operation: 'insert_page', document: { markdown: `# ${title}\n` } }]
  return (await call(server, 'POST', `${here}/content`, { changes })).revision
}

// The tests read responses of several shapes.
// oxlint-disable-next-line typescript/no-explicit-any
async function call({ url }: Server, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { ...HEADERS, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  assert(response.ok, `${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

test('the clock begins after the newest entry, never goes back, and is caught up with', () => {
  let [system, elapsed] = [1_000_000, 0]
  const clock = steadyClock(
    2_000_000,
    () => system,
    () => elapsed,
  )
  const pass = (ms: number) => {
    system += ms
    elapsed += ms
    return clock().getTime()
  }
  assert.equal(pass(0), 2_000_001)
  assert.equal(pass(1000), 2_000_501, 'time passes at half speed')
  assert.equal(pass(3_000_000), 4_001_000, 'the system has caught up')
  system -= 500_000
  assert.equal(pass(100), 4_001_050, 'set back while the server runs')
  system += 1_000_000
  assert.equal(pass(0), system, 'set forward')
})
