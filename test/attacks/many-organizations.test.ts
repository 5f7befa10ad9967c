/** A user who makes many organizations has no more of what all share than a user who has one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'

const LIMIT = 4
const world = await createWorld({
  LECTERN_ORGANIZATIONS_PER_USER: String(LIMIT),
  LECTERN_UPLOAD_QUOTA: '100000',
  LECTERN_MAX_UPLOAD: '60000',
})
const { ada, organizationId } = world

const create = (who: Person, title = 'Acme') => who('POST /v1/orgs', { title })
const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted()
const organizationsOf = async (who: Person) =>
  (await who('GET /v1/orgs')).body.items.map(({ id }: { id: string }) => id) as string[]

test('a member with the least role makes as many organizations as the limit, also at once', async () => {
  const member = await world.person('many', null)
  const { permissions } = (await member('GET /v1/user')).body
  assert.deepEqual(permissions, { createOrganization: true, administerInstallation: false })
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => create(member, `Free ${i}`)))
  assert.deepEqual(
    statusesOf(answers),
    Array.from({ length: 60 }, (_, i) => (i < LIMIT ? 201 : 409)),
  )
  const { error } = answers.find(({ status }) => status === 409)!.body
  assert.match(error.message, /at most 4 organizations on this server; use one of them, or ask an admin/)

  const { body } = await member('GET /v1/user')
  assert.deepEqual([body.permissions.createOrganization, body.organizationLimit], [false, LIMIT])
})

test('organizations that a user has left or given away count all the same', async () => {
  const giver = await world.person('giver')
  const taker = await world.person('taker')
  for (let i = 0; i < LIMIT; i++) {
    const { id } = (await create(giver)).body
    const link = await giver(`POST /v1/orgs/${id}/link-invites`, { role: 'admin' })
    assert.equal((await taker(`POST /v1/orgs/${id}/invites/${link.body.id}`)).status, 200)
    assert.equal((await taker(`DELETE /v1/orgs/${id}/members/${giver.id}`)).status, 204)
  }
  assert.deepEqual(await organizationsOf(giver), [])
  assert.equal((await create(giver)).status, 409)
  assert.equal((await create(taker)).status, 201, 'who is given organizations has created none')
})

test('the administrators of the installation, and nobody else, create any number', async () => {
  const second = await world.person('second-admin', 'admin')
  const member = await world.person('creator', 'create')
  for (const who of [ada, second, member]) for (let i = 0; i < LIMIT; i++) await create(who)
  assert.deepEqual(
    await Promise.all([ada, second, member].map(async (who) => (await create(who)).status)),
    [201, 201, 409],
  )
  assert.equal('organizationLimit' in (await ada('GET /v1/user')).body, false)
  const disabled = { disabled: true }
  await ada(`PATCH /v1/orgs/${organizationId}/members/${second.id}`, disabled)
  assert.equal((await create(second)).status, 409)
})

test('announced uploads count for the user too, in all organizations together', async () => {
  const announce = (who: Person, organization: string, size: number) =>
    who(`POST /v1/orgs/${organization}/storage/upload`, {
      file: { name: 'a.zip', type: 'application/zip', size },
      kind: 'import_file',
    })
  const [one, many] = [await world.stranger('one'), await world.stranger('several')]
  for (let i = 1; i < LIMIT; i++) await create(many)
  const announced = async (who: Person) => {
    let bytes = 0
    for (const organization of await organizationsOf(who))
      for (let i = 0; i < 4; i++)
        if ((await announce(who, organization, 25_000)).status === 201) bytes += 25_000
    return bytes
  }
  // In one organization, half of the quota is left for others.
  assert.deepEqual([await announced(one), await announced(many)], [50_000, 100_000])
  const refused = await announce(many, many.organizationId, 1)
  assert.equal(refused.status, 409)
  const [, other = ''] = await organizationsOf(many)
  assert.match((await announce(many, other, 1)).body.error.message, /^You have, in all organizations, 4 up/)
})
