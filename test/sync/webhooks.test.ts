/** The hosts of connected repositories announce pushes by webhooks, each signed as the host documents it. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { runDueJobs } from '../due-jobs.ts'
import { contentAt } from '../imports/syncing.ts'
import { createWorld, stopClock } from '../world.ts'
import { startGitHost } from './git-host.ts'
import { MAIN_BRANCH as main, REPOSITORY_FILES as FILES, syncedSpacesIn } from './synced-spaces.ts'

const host = await startGitHost()
const world = await createWorld()
const { ada } = world
const { liveSpace } = syncedSpacesIn(world)

type Headers = Record<string, string>
interface Webhook {
  url: string
  secret: string
}
/** Sends a webhook as a host does. @returns the status */
type Sender = (webhook: Webhook, event: 'push' | 'other', refs?: readonly string[]) => Promise<number>

async function post(url: string, headers: Headers, body: string | Uint8Array): Promise<number> {
  const sent = body as string
  return (await fetch(url, { method: 'POST', headers, body: sent })).status
}

const signed = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex')
const payloadOf = (ref: string) => JSON.stringify({ ref, repository: { default_branch: 'main' } })
const JSON_TYPE = { 'content-type': 'application/json' }
const MAIN = ['refs/heads/main']

const gitHub: Sender = ({ url, secret }, event, [ref = ''] = MAIN) => {
  const body = event === 'push' ? payloadOf(ref) : '{"zen":"Design for failure."}'
  const headers = { ...JSON_TYPE, 'x-github-event': event === 'push' ? 'push' : 'ping' }
  return post(url, { ...headers, 'x-hub-signature-256': `sha256=${signed(secret, body)}` }, body)
}

/** GitHub, if the content type of the webhook is that of forms. */
const gitHubForm: Sender = ({ url, secret }, event, [ref = ''] = MAIN) => {
  const body = new URLSearchParams({ payload: payloadOf(ref) }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const named = { 'x-github-event': event === 'push' ? 'push' : 'issues' }
  return post(url, { ...headers, ...named, 'x-hub-signature-256': `sha256=${signed(secret, body)}` }, body)
}

const gitLab: Sender = ({ url, secret }, event, [ref = ''] = MAIN) => {
  const body = JSON.stringify({ object_kind: event, ref, project: { default_branch: 'main' } })
  const named = event === 'push' ? 'Push Hook' : 'Issue Hook'
  return post(url, { ...JSON_TYPE, 'x-gitlab-event': named, 'x-gitlab-token': secret }, body)
}

const giteaLike =
  (...names: string[]): Sender =>
  ({ url, secret }, event, [ref = ''] = MAIN) => {
    const body = payloadOf(ref)
    const named = names.flatMap((name) => [
      [`x-${name}-event`, event === 'push' ? 'push' : 'issues'],
      [`x-${name}-signature`, signed(secret, body)],
    ])
    return post(url, { ...JSON_TYPE, ...(Object.fromEntries(named) as Headers) }, body)
  }

const bitbucket: Sender = ({ url, secret }, event, refs = MAIN) => {
  const changes = refs.map((ref) => {
    const [, , name] = ref.split('/', 3)
    return { new: { type: ref.startsWith('refs/tags/') ? 'tag' : 'branch', name }, old: null }
  })
  const body = JSON.stringify({ push: { changes } })
  const named = { 'x-event-key': event === 'push' ? 'repo:push' : 'issue:created' }
  return post(url, { ...JSON_TYPE, ...named, 'x-hub-signature': `sha256=${signed(secret, body)}` }, body)
}

const HOSTS: Readonly<Record<string, Sender>> = {
  GitHub: gitHub,
  'GitHub with a form': gitHubForm,
  GitLab: gitLab,
  Gitea: giteaLike('gitea'),
  Forgejo: giteaLike('forgejo'),
  'Forgejo with the headers of Gitea': giteaLike('forgejo', 'gitea'),
  Bitbucket: bitbucket,
}

async function connected(name: string) {
  const { repository, address } = host.create(name)
  repository.commit(FILES)
  const space = await liveSpace()
  const answer = await ada(`PUT ${space}/git/connection`, { url: address, ...main, intervalMinutes: 1440 })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.webhook, undefined)
  await runDueJobs(world)
  const made = await ada(`POST ${space}/git/connection/webhook`)
  assert.equal(made.status, 200, made.text)
  return { repository, address, space, webhook: made.body as Webhook }
}

const waitingSyncs = async () =>
  (
    await world.db.read
      .selectFrom('job')
      .select('id')
      .where('kind', '=', 'sync-repository')
      .where('state', '=', 'waiting')
      .execute()
  ).length

test('a signed push of each host to the connected branch starts one sync, and nothing else does', async () => {
  const { repository, space, webhook } = await connected('hosts')
  const wrong = { ...webhook, secret: webhook.secret.replace(/.$/, '_') }
  for (const [name, send] of Object.entries(HOSTS)) {
    assert.equal(await send(wrong, 'push'), 401, name)
    assert.equal(await send(webhook, 'other'), 204, name)
    assert.equal(await send(webhook, 'push', ['refs/heads/next']), 204, name)
    assert.equal(await send(webhook, 'push', ['refs/tags/main']), 204, name)
    assert.equal(await waitingSyncs(), 0, name)
    assert.equal(await send(webhook, 'push'), 202, name)
    assert.equal(await send(webhook, 'push'), 202, name)
    assert.equal(await waitingSyncs(), 1, name)
    await world.db.write((tx) => tx.deleteFrom('job').where('kind', '=', 'sync-repository').execute())
  }
  // Bitbucket announces all branches of a push at once.
  repository.commit({ 'docs/b.md': '# B\n\nPushed.\n' })
  assert.equal(await bitbucket(webhook, 'push', ['refs/heads/next', 'refs/heads/main']), 202)
  await runDueJobs(world)
  assert.equal((await contentAt(world, space)).texts['b.md'], '# B\n\nPushed.\n')
  const { webhook: shown } = (await ada(`GET ${space}/git/connection`)).body
  assert.equal(shown.url, webhook.url)
  assert.match(shown.receivedAt, /^20/)
})

test('an unknown space, a space without a webhook and a wrong signature get the same response', async () => {
  const { space, webhook, address } = await connected('refused')
  const other = await liveSpace()
  const refusals = await Promise.all(
    [
      webhook.url.replace(/[^/]+$/, 'unknown'),
      webhook.url.replace(/[^/]+$/, other.split('/').at(-1)!),
      webhook.url,
    ].map(async (url) => {
      const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
      const response = await fetch(url, { method: 'POST', headers, body: payloadOf(MAIN[0]!) })
      return [response.status, await response.text()]
    }),
  )
  assert.equal(refusals[0]![0], 401)
  assert.match(String(refusals[0]![1]), /webhook-unsigned/)
  assert.deepEqual([refusals[1], refusals[2]], [refusals[0], refusals[0]])
  assert.equal(await post(webhook.url, {}, ''), 401)

  // A change of the connection keeps the webhook, a new secret replaces the old one, and deleting it refuses both.
  const changed = await ada(`PUT ${space}/git/connection`, { url: address, ...main, intervalMinutes: 60 })
  assert.equal(changed.body.webhook.url, webhook.url)
  assert.equal(await gitLab(webhook, 'other'), 204)
  const next = (await ada(`POST ${space}/git/connection/webhook`)).body as Webhook
  assert.equal(await gitLab(webhook, 'other'), 401)
  assert.equal(await gitLab(next, 'other'), 204)
  assert.equal((await ada(`DELETE ${space}/git/connection/webhook`)).status, 204)
  assert.equal(await gitLab(next, 'other'), 401)
  assert.equal((await ada(`GET ${space}/git/connection`)).body.webhook, undefined)
  await ada(`DELETE ${space}/git/connection`)
  assert.equal((await ada(`POST ${space}/git/connection/webhook`)).status, 404)
})

test('the secret is sealed, and only the response that creates it has it', async () => {
  const { space, webhook } = await connected('sealed')
  const rows = await world.db.read.selectFrom('repositoryConnection').selectAll().execute()
  const events = await world.db.read.selectFrom('auditEvent').selectAll().execute()
  const shown = await ada(`GET ${space}/git/connection`)
  for (const one of [JSON.stringify(rows), JSON.stringify(events), shown.text])
    assert(!one.includes(webhook.secret))
})

test('a long payload is checked to its end, and one above the limit is refused', async () => {
  const { webhook } = await connected('long')
  const long = JSON.stringify({ ref: 'refs/heads/next', padding: 'x'.repeat(2 * 1024 ** 2) })
  const github = { ...JSON_TYPE, 'x-github-event': 'push' }
  const signature = (body: string) => ({ 'x-hub-signature-256': `sha256=${signed(webhook.secret, body)}` })
  // It is too long to look for the branch in it.
  assert.equal(await post(webhook.url, { ...github, ...signature(long) }, long), 202)
  assert.equal(await post(webhook.url, { ...github, ...signature(`${long} `) }, long), 401)
  await runDueJobs(world)
  const huge = 'x'.repeat(26 * 1024 ** 2)
  assert.equal(await post(webhook.url, { ...github, ...signature(huge) }, huge), 413)
})

test('a push starts no sync while syncs have stopped, or the space is in the trash', async () => {
  const { repository, space, webhook } = await connected('stopped')
  repository.git('commit', '--quiet', '--amend', '--message', 'Another')
  assert.equal(await gitHub(webhook, 'push'), 202)
  await runDueJobs(world)
  assert.equal((await ada(`GET ${space}/git/connection`)).body.outcome, 'stopped')
  assert.equal(await gitHub(webhook, 'push'), 204)
  await ada(`POST ${space}/git/connection/sync`, { follow: true })
  await runDueJobs(world)
  assert.equal((await ada(`DELETE ${space}`)).status, 205)
  assert.equal(await gitHub(webhook, 'push'), 204)
})

test('a client that sends too many webhooks is refused', async (t) => {
  const limited = await createWorld({ LECTERN_RATE_LIMIT: '3' })
  stopClock(t, limited)
  const url = `${limited.url}/git/webhooks/unknown`
  const statuses: number[] = []
  for (let nth = 0; nth < 4; nth++) statuses.push(await post(url, {}, '{}'))
  assert.deepEqual(statuses, [401, 401, 401, 429])
})
