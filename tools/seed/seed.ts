/** Fills a new installation through its API, so that every screen has something to show. */
import { type Body, type Client, clientOf } from './client.ts'
import { archiveOf, GUIDE, HANDBOOK, manual, SPECIFICATION } from './content.ts'
import { invited, PASSWORD, type Person, type Post, withPassword } from './people.ts'
import { seedSites } from './sites.ts'

/** Who can sign in to what was filled. */
export interface Seeded {
  people: string[]
  password: string
}

/**
 * @param token the API token of the administrator, Ada
 * @param reference the files of a third space; by default, the manual of Lectern
 */
export async function seed({
  token,
  reference: files = manual(),
  ...post
}: Post & { token: string; reference?: Record<string, string | Uint8Array> }): Promise<Seeded> {
  const call = clientOf(post.url, token)
  const [{ id: organizationId }] = (await call('GET /v1/orgs')).items
  const org = `/v1/orgs/${organizationId}`
  await call(`PATCH ${org}`, { title: 'Tidewater' })
  const { email: ownEmail } = await call('GET /v1/user')
  const ada = await withPassword(post, ownEmail)
  const join = (displayName: string, role: string | null) => invited(post, call, { displayName, role }, org)
  const writer = await join('Wil Writer', 'edit')
  const reviewer = await join('Rea Reviewer', 'review')
  const commenter = await join('Cora Commenter', 'comment')
  const guest = await join('Gus Guest', null)
  await call(`POST ${org}/invites`, { emails: ['nobody-yet@example.com'], role: 'read' })
  const { id: teamId } = await call(`PUT ${org}/teams`, { title: 'Documentation' })
  await call(`PUT ${org}/teams/${teamId}/members`, { add: [writer.id, reviewer.id] })
  await call(`POST ${org}/custom-fields`, { name: 'owner', title: 'Owner', type: 'text' })

  const { id: collection } = await call(`POST ${org}/collections`, { title: 'Product' })
  const guide = await filledSpace(
    call,
    org,
    { title: 'Guide', emoji: '26f5', parent: collection },
    archiveOf(GUIDE),
  )
  const handbook = await filledSpace(call, org, { title: 'Handbook', emoji: '1f4d8' }, archiveOf(HANDBOOK))
  const reference = await filledSpace(
    call,
    org,
    { title: 'Lectern manual', parent: collection },
    archiveOf(files),
  )
  await call(`POST ${org}/spaces`, { title: 'Nothing yet' })
  const { id: gone } = await call(`POST ${org}/spaces`, { title: 'An idea that was none' })
  await call(`DELETE /v1/spaces/${gone}`)
  await call(`POST /v1/spaces/${guide}/permissions`, { users: [guest.id], role: 'comment' })

  await seedChangeRequests(handbook, { ada, writer, reviewer, commenter })
  await seedDiscussion(guide, { writer, reviewer })
  await call(`POST ${org}/openapi`, { slug: 'tidewater', source: { text: JSON.stringify(SPECIFICATION) } })
  await seedSites(call, org, { guide, reference, handbook })
  return { people: [ada, writer, reviewer, commenter, guest].map(({ email }) => email), password: PASSWORD }
}

async function filledSpace(call: Client, org: string, fields: object, archive: Uint8Array): Promise<string> {
  const { id } = await call(`POST ${org}/spaces`, fields)
  const file = { name: 'docs.zip', type: 'application/zip', size: archive.length }
  const { url } = await call(`POST ${org}/storage/upload`, { file, kind: 'import_file' })
  await call(`PUT ${url}`, archive)
  await call(`POST /v1/spaces/${id}/content/import`, { url, source: 'zip' })
  return id
}

/** Change requests in every state: a draft, open, approved, with changes asked for, in conflict, merged and archived. */
async function seedChangeRequests(
  spaceId: string,
  { ada, writer, reviewer, commenter }: Record<'ada' | 'writer' | 'reviewer' | 'commenter', Person>,
): Promise<void> {
  const list = `/v1/spaces/${spaceId}/change-requests`
  const { pages } = await ada.call(`GET /v1/spaces/${spaceId}/content/pages`)
  const pageOf = (title: string): string => pages.find((page: Body) => page.title === title).id
  const write = (by: Person, at: string, title: string, markdown: string) =>
    by.call(`POST ${at}/content`, {
      changes: [{ operation: 'update_page', page: pageOf(title), document: { markdown } }],
    })
  const proposed = async (by: Person, subject: string, title: string, markdown: string) => {
    const { id } = await by.call(`POST ${list}`, { subject })
    await write(by, `${list}/${id}`, title, markdown)
    return `${list}/${id}`
  }
  const open = async (by: Person, subject: string, title: string, markdown: string) => {
    const at = await proposed(by, subject, title, markdown)
    await by.call(`PATCH ${at}`, { status: 'open' })
    return at
  }

  await proposed(writer, 'A thought about Fridays', 'Releases', '# Releases\n\nNever on Fridays.\n')
  const waiting = await open(
    writer,
    'Shorter sentences',
    'Writing',
    '# Writing\n\nBe short.\n\nOne idea a sentence.\n',
  )
  await writer.call(`POST ${waiting}/requested-reviewers`, { users: [reviewer.id, ada.id] })
  const approved = await open(
    writer,
    'Say who releases',
    'Releases',
    '# Releases\n\nWe release on Tuesdays. Ada presses the button.\n',
  )
  await reviewer.call(`POST ${approved}/reviews`, { status: 'approved', comment: { markdown: 'At last.' } })
  const refused = await open(
    writer,
    'Write in capitals',
    'Writing',
    '# WRITING\n\nWRITE FOR SOMEBODY WHO IS DEAF.\n',
  )
  await reviewer.call(`POST ${refused}/reviews`, {
    status: 'changes-requested',
    comment: { markdown: 'Please do not shout.' },
  })
  await commenter.call(`POST ${refused}/comments`, { body: { markdown: 'I liked it as it was.' } })

  const archivedOne = await open(writer, 'Rhymes', 'Writing', '# Writing\n\nIn time, all rhyme.\n')
  await writer.call(`PATCH ${archivedOne}`, { status: 'archived' })

  const conflicting = await open(
    writer,
    'Everybody proposes',
    'Home',
    '# Home\n\nHow we work. Everybody proposes changes, and two read them.\n',
  )
  const merged = await open(
    ada,
    'One place for questions',
    'Home',
    '# Home\n\nHow we work. Ask in the channel; everybody may propose a change.\n',
  )
  await ada.call(`POST ${merged}/merge`)
  await writer.call(`POST ${conflicting}/update`)
}

async function seedDiscussion(
  spaceId: string,
  { writer, reviewer }: Record<'writer' | 'reviewer', Person>,
): Promise<void> {
  const base = `/v1/spaces/${spaceId}`
  const { pages } = await writer.call(`GET ${base}/content/pages`)
  const page = pages.find(({ path }: Body) => path === 'quickstart').id
  const { nodes } = await writer.call(`GET ${base}/content/page/${page}/document`)
  const { id } = await writer.call(`POST ${base}/comments`, {
    body: { markdown: 'Is the button called *New key* or *Create key*?' },
    page,
    node: nodes[0].key,
  })
  await reviewer.call(`POST ${base}/comments/${id}/replies`, {
    body: { markdown: '*New key*, since March.' },
  })
}
