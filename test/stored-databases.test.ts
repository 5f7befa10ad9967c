/** The database of every release is migrated by this version, and has what it had. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPostgres } from './postgres.ts'
import { startServer, temporaryFolder } from './process.ts'
import { copyStoredSqlite, loadStoredPostgres, STORED, storedReleases } from './stored-database.ts'

test('at least one release is stored', () => {
  assert.ok(storedReleases().length > 0)
})

for (const release of storedReleases())
  test(`the database of ${release} is migrated, and its pages, change requests and sites are there`, async (t) => {
    const folder = temporaryFolder()
    const postgres = await createPostgres()
    after(async () => {
      await postgres?.drop()
      folder.remove()
    })
    if (postgres) await loadStoredPostgres(release, postgres.url)
    else await copyStoredSqlite(release, folder.path)
    const server = await startServer({
      LECTERN_DATA: folder.path,
      LECTERN_SECRET: STORED.secret,
      LECTERN_KEEP_FILES: 'true',
      LECTERN_LOG: 'error',
      PORT: '0',
      ...(postgres && { DATABASE_URL: postgres.url }),
    })
    t.after(() => server.stop())

    interface Item {
      id: string
      title: string
      subject: string
      urls: { published?: string }
    }
    const get = async <T>(path: string) => {
      const response = await fetch(server.url + path, {
        headers: { authorization: `Bearer ${STORED.token}` },
      })
      assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`)
      return (await response.json()) as T
    }
    const list = async (path: string) => (await get<{ items: Item[] }>(path)).items
    const [organization] = await list('/v1/orgs')
    assert.equal(organization?.title, 'Tidewater')
    const org = `/v1/orgs/${organization.id}`
    const spaces = await list(`${org}/spaces`)
    const handbook = spaces.find(({ title }) => title === 'Handbook')!
    const { pages } = await get<{ pages: Item[] }>(`/v1/spaces/${handbook.id}/content/pages`)
    assert.deepEqual(pages.map(({ title }) => title).toSorted(), ['Home', 'Releases', 'Writing'])
    const home = pages.find(({ title }) => title === 'Home')!
    const document = await get<object>(`/v1/spaces/${handbook.id}/content/page/${home.id}/document`)
    assert.match(JSON.stringify(document), /How we work/)

    const requests = await list(`/v1/spaces/${handbook.id}/change-requests`)
    assert.ok(requests.length >= 4, JSON.stringify(requests.map(({ subject }) => subject)))
    for (const { id } of requests) await get(`/v1/spaces/${handbook.id}/change-requests/${id}/changes`)
    const sites = await list(`${org}/sites`)
    assert.deepEqual(sites.map(({ title }) => title).toSorted(), [
      'Handbook',
      'Not published yet',
      'Tidewater docs',
    ])
    const page = await fetch(`${server.url}/sites/docs/tidewater-docs/`)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /Tidewater books berths in 240 harbours/)
    assert.doesNotMatch(server.out(), /"level":"error"|"level":50/)
  })
