/** `npm run dev -- --seed` fills an installation of this version. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../../tools/seed/seed.ts'
import { inLongRun } from '../effort.ts'
import { runDueJobs } from '../due-jobs.ts'
import { mailbox } from '../mailbox.ts'
import { createWorld } from '../world.ts'

test(
  'the seed fills a new installation with change requests in every state, people and sites',
  { skip: inLongRun },
  async () => {
    const mail = mailbox()
    const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' }, { mail })
    const { ada, organizationId } = world
    const seeding = { isOver: false }
    const filling = seed({ url: world.url, token: ada.token, letters: mail.letters }).finally(() => {
      seeding.isOver = true
    })
    while (!seeding.isOver)
      await Promise.all([runDueJobs(world), new Promise((done) => setTimeout(done, 20))])
    const { people, password } = await filling
    for (const email of people)
      assert.equal((await world.nobody('POST /v1/account/sessions', { email, password })).status, 201, email)

    const org = `/v1/orgs/${organizationId}`
    const { items: spaces } = (await ada(`GET ${org}/spaces`)).body
    const handbook = spaces.find((space: { title: string }) => space.title === 'Handbook')
    const requests = `/v1/spaces/${handbook.id}/change-requests`
    const states = await Promise.all(
      ['draft', 'open', 'archived', 'merged'].map(async (status) => {
        const { items } = (await ada(`GET ${requests}?status=${status}`)).body
        return [status, items.length > 0]
      }),
    )
    assert.deepEqual(states, [
      ['draft', true],
      ['open', true],
      ['archived', true],
      ['merged', true],
    ])
    const { items: sites } = (await ada(`GET ${org}/sites`)).body
    assert.deepEqual(sites.map(({ title }: { title: string }) => title).toSorted(), [
      'Handbook',
      'Not published yet',
      'Tidewater docs',
    ])
  },
)
