/** An organization in which every list of the API has several items. */
import assert from 'node:assert/strict'
import { processOpenApi } from '../src/jobs/process-openapi.ts'
import { archiveOf, upload } from './importing.ts'
import { thingsIn } from './matrix/things.ts'
import { indexed } from './search/indexing.ts'
import type { Person, World } from './world.ts'

/** How many items each list has at least. */
export const ITEMS = 5

const NUMBERS = Array.from({ length: ITEMS }, (_, i) => i)

/** The text of a page that links to others, embeds a file and includes a reusable content. */
const LINKING =
  'Words of [the target](target.md).\n\n![](.gitbook/assets/0.png)\n\n{% include ".gitbook/includes/0.md" %}\n'

/** Links to several targets, each of which is broken. */
const LINKED = NUMBERS.map((i) => `[nowhere](gone-${i}.md)\n`).join('')

/** Fills every list of the administrator. @returns the ids for the parameters of their paths */
export async function fillLists(world: World): Promise<Record<string, string>> {
  const { ada, organizationId } = world
  const things = thingsIn(world, { admin: ada, organizationId, domain: 'example.com' })
  const org = `/v1/orgs/${organizationId}`

  async function made(request: string, body?: unknown, by: Person = ada) {
    const answer = await by(request, body)
    assert(answer.status < 300, `${request}: ${answer.text}`)
    return answer.body
  }

  async function each<T>(make: (i: number) => Promise<T>): Promise<T[]> {
    const all: T[] = []
    for (const i of NUMBERS) all.push(await make(i))
    return all
  }

  const people = await each((i) => world.person(`member ${i}`, 'admin'))
  const [member] = people as [Person]
  const users = people.map(({ id }) => id)
  const teams = await each((i) => things.team(i === 0 ? users : [member.id]))

  const collectionId = await things.collection()
  await each((i) => things.collection({ title: `Collection ${i}` }))
  const spaces = await each((i) => things.space({ title: `Space ${i}`, parent: collectionId }))
  for (const id of spaces) await made(`PUT ${org}/favourites/${id}`)
  for (const [i, teamId] of teams.entries()) {
    await things.grant('spaces', spaces[0]!, { users: [users[i]] })
    await things.grant('spaces', spaces[0]!, { teams: [teamId] })
    await things.grant('collections', collectionId, { users: [users[i]] })
    await things.grant('collections', collectionId, { teams: [teamId] })
  }

  const content = await fillSpaces(spaces)
  const changeRequestId = await fillChangeRequest(content)
  const commentId = await fillDiscussion(`/v1/spaces/${content.spaceId}`)
  const proposed = `/v1/spaces/${content.spaceId}/change-requests/${changeRequestId}`
  const changeCommentId = await fillDiscussion(proposed)

  await each(() => insertRepositorySync(world, content.spaceId))
  await each(() => made('POST /v1/orgs', { title: 'Another' }))
  await each(() => things.field())
  await each(() => things.invite())
  await each((i) => made(`POST ${org}/invites`, { emails: [`invited-${i}@example.com`], role: 'read' }))
  await each(() => things.provider('saml'))
  await each(() => things.provider('oidc'))
  await each(() => things.spec())
  await each(() => things.scimToken())
  await each(() => things.failedJob())
  await each(() => things.font())
  await each(() => things.translation())
  await each(() => things.glossaryEntry())
  await each(() => things.pageTemplate())
  await each(() => things.notification(ada.id))
  await each(() => things.passkey())
  await each(() => things.session())
  await each(() => things.token())
  await each(() => things.authorizedToken())

  const specSlug = await fillSpecification()
  const site = await fillSites(spaces)
  for (const [i, teamId] of teams.entries()) {
    await things.grant('sites', site.siteId, { users: [users[i]] })
    await things.grant('sites', site.siteId, { teams: [teamId] })
  }
  await indexed(world)
  return {
    organizationId,
    collectionId,
    userId: member.id,
    teamId: teams[0]!,
    specSlug,
    ...site,
    ...content,
    changeRequestId,
    commentId,
    changeCommentId,
  }

  /** Fills the first space with pages that link to one another, and gives each of the others a page. */
  async function fillSpaces([first, ...others]: string[]) {
    const spaceId = first!
    const files: Record<string, string | Uint8Array> = { 'README.md': '# Home\n', 'target.md': '# Target\n' }
    for (const i of NUMBERS) {
      files[`page-${i}.md`] = `# Page ${i}\n\n${LINKING}`
      files[`.gitbook/assets/${i}.png`] = new TextEncoder().encode(`${i}`)
      files[`.gitbook/includes/${i}.md`] = `---\ntitle: Part ${i}\n---\n\nShared ${i}\n`
    }
    const pages = NUMBERS.map((i) => `* [Page ${i}](page-${i}.md)\n`).join('')
    files['SUMMARY.md'] = `# Summary\n\n* [Home](README.md)\n* [Target](target.md)\n${pages}`
    await imported(spaceId, files)
    for (const other of others) await imported(other, { 'README.md': '# Home\n\nWords.\n' })

    const { body } = await ada(`GET /v1/spaces/${spaceId}/content`)
    const target = body.pages.find((page: { path: string }) => page.path === 'target')
    await made(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
    await each((i) => writePage(`/v1/spaces/${spaceId}`, target.id, `Revision ${i}\n\n${LINKED}`, ada))
    const { revision } = await made(`GET /v1/spaces/${spaceId}`)
    const [file, part] = [body.files[0], body.reusableContents[0]]
    return {
      spaceId,
      revisionId: revision as string,
      pageId: target.id as string,
      fileId: file.id as string,
      reusableContentId: part.id as string,
    }
  }

  async function imported(spaceId: string, files: Record<string, string | Uint8Array>) {
    const url = await upload(ada, organizationId, archiveOf(files))
    await made(`POST /v1/spaces/${spaceId}/content/import`, { url, source: 'zip' })
  }

  async function writePage(base: string, page: string, markdown: string, by: Person) {
    const change = { operation: 'update_page', page, document: { markdown } }
    await made(`POST ${base}/content`, { changes: [change] }, by)
  }

  /** One change request that everybody edits and reviews, with conflicts, among others. */
  async function fillChangeRequest({ spaceId, pageId }: { spaceId: string; pageId: string }) {
    const list = `/v1/spaces/${spaceId}/change-requests`
    await each(async (i) => {
      const { id } = await made(`POST ${list}`, { subject: `Change ${i}` })
      await made(`PATCH ${list}/${id}`, { status: 'open' })
    })
    const { id } = await made(`POST ${list}`, { subject: 'A change' })
    const address = `${list}/${id}`
    const { pages } = await made(`GET ${address}/content/pages`)
    const others = pages.filter((page: { path: string }) => page.path.startsWith('page-'))
    for (const [i, page] of others.entries()) {
      const write = (base: string, by: Person, line: string) =>
        writePage(base, page.id, `${line} of page ${i}\n\n${LINKING}`, by)
      await write(address, people[i]!, 'Own words')
      await write(`/v1/spaces/${spaceId}`, ada, 'Primary words')
    }
    for (const person of people) await writePage(address, pageId, `By ${person.id}\n\n${LINKED}`, person)
    await each((i) => made(`POST ${address}/reviews`, { status: 'approved' }, people[i]))
    await made(`POST ${address}/requested-reviewers`, { users })
    await made(`PATCH ${address}`, { status: 'open' })
    const merged = await ada(`POST ${address}/merge`)
    assert.equal(merged.body.result ?? 'conflicts', 'conflicts', merged.text)
    return id as string
  }

  /** @returns the id of a comment with replies */
  async function fillDiscussion(base: string): Promise<string> {
    const body = { markdown: 'Words' }
    const comments = await each((i) => made(`POST ${base}/comments`, { body }, people[i]))
    await each((i) => made(`POST ${base}/comments/${comments[0].id}/replies`, { body }, people[i]))
    return comments[0].id
  }

  async function fillSpecification(): Promise<string> {
    const worker = processOpenApi(world.app.services, 60_000)
    await each(async (i) => {
      const text = `{"openapi":"3.1.0","info":{"title":"x","version":"${i}"},"paths":{}}`
      await made(`PUT ${org}/openapi/many`, { source: { text } })
      await worker({ organizationId } as never, {} as never)
    })
    return 'many'
  }

  /** A site with a space in each section, and sections in groups. */
  async function fillSites(all: string[]) {
    await each((i) => made(`POST ${org}/sites`, { title: `Site ${i}` }))
    const siteId = (await made(`POST ${org}/sites`, { title: 'Sections', spaces: [all[0]] })).id
    const path = `${org}/sites/${siteId}`
    for (const spaceId of all.slice(1)) await made(`POST ${path}/sections`, { spaceId })
    const { items } = await made(`GET ${path}/sections`)
    for (const { id } of items) await made(`POST ${path}/section-groups`, { title: 'Group', sections: [id] })
    await each((i) =>
      made(`POST ${path}/external-links`, { title: `Link ${i}`, url: 'https://example.com/' }),
    )
    await each((i) => made(`POST ${path}/share-links`, { name: `Link ${i}` }))
    await each((i) =>
      made(`POST ${path}/mcp-servers`, { name: `Server ${i}`, url: 'https://mcp.example.com/', headers: {} }),
    )
    await each((i) =>
      made(`POST ${path}/redirects`, {
        source: `/old-${i}`,
        destination: { kind: 'external', url: 'https://example.com/' },
      }),
    )
    return { siteId: siteId as string }
  }
}

/** Inserts a sync of a space with its repository, as a job stores it. */
async function insertRepositorySync({ app, db }: World, spaceId: string): Promise<void> {
  const { newId, now } = app.services
  const at = now().toISOString()
  const commits = { importedOid: '0'.repeat(40), exportedOid: null }
  const row = {
    id: newId(),
    spaceId,
    outcome: 'synced',
    fault: null,
    changeRequest: null,
    ...commits,
  } as const
  await db.write((tx) =>
    tx
      .insertInto('repositorySync')
      .values({ ...row, startedAt: at, endedAt: at })
      .execute(),
  )
}
