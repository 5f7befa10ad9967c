/** Keys of SAML providers take long to make: one user who wants many keeps nobody else waiting, and no file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
/** More than one user may have waiting, and fewer than an organization may have. */
const BURST = 30
const MOST = 50

const add = (who: Person, organization: string) =>
  who(`POST /v1/orgs/${organization}/saml`, { label: 'Directory' })

/** Sends a burst, and returns how many of its requests got each status. */
async function burst(who: Person, organization: string): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: BURST }, () => add(who, organization)))
  for (const { status, headers } of answers)
    if (status === 503) assert.ok(Number(headers.get('retry-after')) > 0)
  return Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, some = []]) => [
      status,
      some.length,
    ]),
  )
}

test('keys that one user wants at once are bounded, and another user gets theirs meanwhile', async () => {
  const mallory = await world.stranger('mallory')
  const victim = await world.stranger('victim')
  const attack = burst(mallory, mallory.organizationId)
  const own = add(victim, victim.organizationId)
  assert.equal(await Promise.race([own.then(() => 'own'), attack.then(() => 'attack')]), 'own')
  assert.equal((await own).status, 201)

  const { 201: made = 0, 503: refused = 0, ...others } = await attack
  assert.deepEqual(others, {})
  assert.equal(made + refused, BURST)
  // One is made, and five wait. A few more requests may arrive when some of these are done.
  assert.ok(refused >= BURST / 2, `${refused} of ${BURST} were refused`)
})

test('an organization that has all providers it may have makes no more keys', async () => {
  const full = await world.stranger('full')
  const other = (await full('POST /v1/orgs', { title: 'Other' })).body.id as string
  for (let i = 0; i < MOST; i++) {
    const { status } = await full(`POST /v1/orgs/${full.organizationId}/oidc`, { label: `${i}` })
    assert.equal(status, 201)
  }
  // With the queue of the user full, a request that needed a key would get 503.
  const [waiting, answers] = await Promise.all([burst(full, other), burst(full, full.organizationId)])
  assert.ok((waiting[503] ?? 0) > 0)
  assert.deepEqual(answers, { 409: BURST })
})
