/** The migration that gives the sections of sites ids that begin with a letter, and whatever names them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { up } from '../../src/db/migrations/043-section-ids.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, db, organizationId } = world

async function done(request: string, body?: unknown) {
  const answer = await ada(request, body)
  assert(answer.status < 300, `${request}: ${answer.text}`)
  return answer.body
}

const spaceNamed = async (title: string) =>
  (await done(`POST /v1/orgs/${organizationId}/spaces`, { title })).id as string
const site = await done(`POST /v1/orgs/${organizationId}/sites`, {
  title: 'Site',
  spaces: [await spaceNamed('One')],
})
const at = `/v1/orgs/${organizationId}/sites/${site.id}`

test('the id of a section begins with a letter, also that of an older section', async () => {
  const section = await done(`POST ${at}/sections`, { spaceId: await spaceNamed('Two'), title: 'Two' })
  assert.match(section.id, /^[a-z]/, 'a selector cannot begin with a digit')
  await done(`PATCH ${at}/sections/${section.id}`, { path: 'second' })
  await done(`POST ${at}/redirects`, {
    source: '/old',
    destination: { kind: 'site-section', siteSectionId: section.id },
  })
  const read = () =>
    Promise.all(
      [`GET ${at}/structure`, `GET ${at}/redirects`, `GET ${at}/site-spaces`].map((one) => done(one)),
    )
  const before = await read()
  const pathsBefore = await db.read.selectFrom('siteOldPath').selectAll().execute()

  await db.write(async (tx) => {
    for (const [table, column] of [
      ['siteSection', 'id'],
      ['siteSpace', 'sectionId'],
      ['siteOldPath', 'sectionId'],
      ['siteOldPath', 'targetId'],
    ] as const)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = substr(${sql.ref(column)}, 2)
        where ${sql.ref(column)} like 's0%'`.execute(tx)
    await sql`update "siteRedirect" set "destination" = replace("destination", '"s0', '"0')`.execute(tx)
    await up(tx as never)
    // The redirects of a version of a site are cached.
    await tx.updateTable('site').set({ version: 99 }).execute()
  })
  assert.deepEqual(await read(), before)
  assert.deepEqual(await db.read.selectFrom('siteOldPath').selectAll().execute(), pathsBefore)
  assert.equal(pathsBefore[0]?.targetId, section.id)
})
