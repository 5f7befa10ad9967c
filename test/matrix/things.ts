/** Creates the resources that requests name, in any organization, through the API if that is fast enough. */
import assert from 'node:assert/strict'
import { filled, grantsBy, photoOf } from './made.ts'
import { insertAccountToken } from '../../src/model/people/account.ts'
import { hashPassword } from '../../src/access/credentials/passwords.ts'
import { randomText } from '../../src/core/data/id.ts'
import type { Role } from '../../src/db/schema.ts'
import { insertFailedJob } from './failed-job.ts'
import { insertComment, insertReply } from '../../src/model/discussion/comment.ts'
import { archiveOf, upload } from '../importing.ts'
import { totpCode, totpStep } from '../../src/access/credentials/totp.ts'
import { optionsForNewPasskey, storeChallenge } from '../../src/model/people/passkey.ts'
import { beginSecondFactor, confirmSecondFactor } from '../../src/model/people/second-factor.ts'
import { authenticator } from '../authenticator.ts'
import { notificationsIn } from './notification-calls.ts'
import { specsIn } from './openapi-calls.ts'
import { reviewsIn } from './review-things.ts'
import { suggestionIn } from './suggestion-things.ts'
import { tokensIn } from './token-things.ts'
import { partsOfSitesIn } from './site-things.ts'
import { uploadsIn } from './upload-things.ts'
import { openSessionFor } from '../signed-in.ts'
import type { Person, World } from '../world.ts'

export const PASSWORD = 'correct horse battery'
const hashed = await hashPassword(PASSWORD, { ip: '192.0.2.1' })

/** An organization with its administrator and its own e-mail domain. */
export interface Realm {
  admin: Person
  organizationId: string
  domain: string
}

export type Things = ReturnType<typeof thingsIn>

/** Creates resources in an organization. Each function returns the id of a new one. */
export function thingsIn(world: World, { admin, organizationId, domain }: Realm) {
  const org = `/v1/orgs/${organizationId}`
  const { db } = world
  const at = new Date().toISOString()

  async function made(
    request: string,
    body?: unknown,
    by = admin,
  ): Promise<{ id: string; [field: string]: unknown }> {
    const answer = await by(request, body)
    assert(answer.status === 200 || answer.status === 201, `${request}: ${answer.text}`)
    return answer.body
  }

  /** Creates a user with an account and a password who is in no organization. */
  async function user(): Promise<string> {
    const id = randomText(22)
    const email = `${id}@${domain}`
    await db.write(async (tx) => {
      const dates = { createdAt: at, updatedAt: at }
      await tx
        .insertInto('user')
        .values({ id, displayName: id, email, photoUrl: null, ...dates })
        .execute()
      const account = { userId: id, passwordHash: hashed, emailVerifiedAt: at, updatedAt: at }
      await tx.insertInto('account').values(account).execute()
    })
    return id
  }

  async function newSite(): Promise<string> {
    const body = { title: 'A site', spaces: [await space()] }
    return (await made(`POST ${org}/sites`, body)).id
  }

  async function member(role: Role | null = 'read'): Promise<string> {
    const userId = await user()
    const dates = { joinedAt: at, lastSeenAt: at }
    await db.write((tx) =>
      tx
        .insertInto('member')
        .values({ organizationId, userId, role, disabled: 0, sso: 0, ...dates })
        .execute(),
    )
    return userId
  }

  async function linked(purpose: 'invitation' | 'password-reset'): Promise<string> {
    const userId = await user()
    const link = { userId, purpose, organizationId: null, mailed: true, now: new Date() }
    return db.write((tx) => insertAccountToken(tx, link))
  }

  const space = async (fields: object = {}) => (await made(`POST ${org}/spaces`, fields)).id
  const collection = async (fields: object = {}) => (await made(`POST ${org}/collections`, fields)).id

  async function content() {
    const spaceId = await space({ title: 'Content' })
    const archive = archiveOf({
      'SUMMARY.md': `# Summary\n\n* [Home](README.md)\n* [Page](page-${spaceId}.md)\n`,
      'README.md': `# Home\n\n![](.gitbook/assets/${spaceId}.png)\n\n{% include ".gitbook/includes/part.md" %}\n`,
      [`page-${spaceId}.md`]: `# Page\n\nText of ${spaceId}\n`,
      [`.gitbook/assets/${spaceId}.png`]: new TextEncoder().encode(spaceId),
      '.gitbook/includes/part.md': '---\ntitle: Part\n---\n\nShared\n',
    })
    const url = await upload(admin, organizationId, archive)
    await made(`POST /v1/spaces/${spaceId}/content/import`, { url, source: 'zip' })
    const { body } = await admin(`GET /v1/spaces/${spaceId}/content`)
    const [file] = body.files
    const link = new URL(file.downloadURL)
    const [hash = '', name = ''] = link.pathname.split('/').slice(-2)
    return {
      params: {
        spaceId,
        revisionId: body.id as string,
        pageId: body.pages[1].id as string,
        documentId: body.pages[1].documentId as string,
        pagePath: body.pages[1].path as string,
        fileId: file.id as string,
        reusableContentId: body.reusableContents[0].id as string,
        hash,
        name: decodeURIComponent(name),
      },
      signature: link.searchParams.get('signature') ?? '',
    }
  }

  /** A redirect of a site from `/old`. */
  async function redirectOf(siteId: string): Promise<string> {
    const destination = { kind: 'external', url: 'https://example.com/' }
    return (await made(`POST ${org}/sites/${siteId}/redirects`, { source: '/old', destination })).id
  }

  let pictured: ReturnType<typeof photoOf> | undefined
  let shared: ReturnType<typeof content> | undefined
  /** Apart from the other, because members with grants on it may be shut out of a space. */
  let published: typeof shared

  async function changeRequest() {
    const { params } = await (shared ??= content())
    const { id } = await made(`POST /v1/spaces/${params.spaceId}/change-requests`, { subject: 'A change' })
    return { ...params, changeRequestId: id }
  }

  /** An open conflict over the description of a page. */
  async function conflict() {
    const params = await changeRequest()
    const { spaceId, changeRequestId, pageId } = params
    const about = { object: 'page', id: pageId, title: 'Page', kind: 'field', field: 'description' }
    const data = JSON.stringify({ key: 'x', ...about, base: null, primary: 'Theirs', own: null })
    const resolved = { resolution: null, resolvedAt: null, resolvedBy: null, resolvedOn: null }
    const state = { status: 'open', createdAt: at, ...resolved } as const
    const row = { id: randomText(22), spaceId, changeRequestId, key: 'x', data, ...state }
    await db.write((tx) => tx.insertInto('mergeConflict').values(row).execute())
    return { ...params, conflictId: row.id }
  }

  return {
    organizationId,
    domain,
    admin,
    user,
    member,
    linked,
    space,
    collection,
    /** A space with a page, a file and a reusable content; always the same one. */
    content: () => (shared ??= content()),
    /** A new change request of a space with content, and the ids of its content. */
    changeRequest,
    /** A new change request with changed content, on a new space. */
    async proposed() {
      const spaceId = await space()
      const base = `/v1/spaces/${spaceId}/change-requests`
      const { id: changeRequestId } = await made(`POST ${base}`)
      const url = await upload(admin, organizationId, new TextEncoder().encode('# Hi'), 'a.md')
      await made(`POST ${base}/${changeRequestId}/content/import`, { url, source: 'markdown' })
      return { spaceId, changeRequestId }
    },
    conflict,
    /** A conflict that the administrator has resolved. */
    async resolvedConflict() {
      const params = await conflict()
      const base = `/v1/spaces/${params.spaceId}/change-requests/${params.changeRequestId}`
      await made(`POST ${base}/conflicts/${params.conflictId}/resolve`, { side: 'primary' })
      return params
    },
    /** A new space with content, and its empty first revision, with or without merge rules. */
    async edited(editMode: 'live' | 'locked', rules: object[] = [], more: object = {}) {
      const spaceId = await space({ editMode })
      await made(`PATCH /v1/spaces/${spaceId}`, { mergeRules: { type: 'rules', rules } })
      const { revision } = await made(`GET /v1/spaces/${spaceId}`)
      const url = await upload(admin, organizationId, new TextEncoder().encode('# Hi'), 'a.md')
      await made(`POST /v1/spaces/${spaceId}/content/import`, { url, source: 'markdown', ...more })
      return { spaceId, revisionId: String(revision) }
    },
    /** A new live space with a page, a file and a reusable content. */
    live: async () => filled(admin, await space({ editMode: 'live' })),
    /** The address of the picture of the administrator; always the same one. */
    photo: () => (pictured ??= photoOf(admin, domain)),
    ...reviewsIn(world, admin, made, changeRequest),
    /** A new comment of a user, on a page of the space with content or of a new change request of it. */
    async comment(userId: string, of: 'space' | 'change request') {
      const { params } = await (shared ??= content())
      const spaceId = params.spaceId
      const proposed =
        of === 'space'
          ? undefined
          : await made(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Discussed' })
      const id = randomText(22)
      const fields = { id, body: 'What is this?', userId: userId || admin.id, now: new Date() }
      await db.write(async (tx) => {
        const found = await tx
          .selectFrom('space')
          .selectAll()
          .where('id', '=', spaceId)
          .executeTakeFirstOrThrow()
        const discussed = proposed
          ? await tx
              .selectFrom('changeRequest')
              .selectAll()
              .where('id', '=', proposed.id)
              .executeTakeFirstOrThrow()
          : undefined
        await insertComment(tx, { space: found, changeRequest: discussed }, fields)
      })
      return { ...params, ...(proposed && { changeRequestId: proposed.id }), commentId: id }
    },
    /** A comment that suggests a text for a block of a new live space, or of a change request of it. */
    suggestion: (of: 'space' | 'change request') => suggestionIn({ admin, made, space }, of),
    /** A new reply of a user, to a comment of theirs. */
    async reply(userId: string, of: 'space' | 'change request') {
      const params = await this.comment(userId, of)
      const id = randomText(22)
      const fields = { id, body: 'This.', userId: userId || admin.id, now: new Date() }
      await db.write(async (tx) => {
        const comment = await tx
          .selectFrom('comment')
          .selectAll()
          .where('id', '=', params.commentId)
          .executeTakeFirstOrThrow()
        await insertReply(tx, comment, fields)
      })
      return { ...params, commentReplyId: id }
    },
    emailOf: (userId: string) => `${userId}@${domain}`,

    async trashed() {
      const id = await space()
      await admin(`DELETE /v1/spaces/${id}`)
      return id
    },
    site: newSite,
    ...partsOfSitesIn(admin, org),
    async adaptiveSite(jsonSchema: object) {
      const siteId = await newSite()
      const answer = await admin(`PUT ${org}/sites/${siteId}/adaptive-schema`, { jsonSchema })
      assert.equal(answer.status, 200, answer.text)
      return siteId
    },
    async publishedSite() {
      const body = { title: 'A published site', spaces: [await space()] }
      const { id } = await made(`POST ${org}/sites`, body)
      await admin(`POST ${org}/sites/${id}/publish`)
      return id
    },
    /** A site with a section "first" with two spaces and a section "second" in a group, and a section "other". */
    async siteStructure() {
      const body = { title: 'Sections', spaces: [await space(), await space()] }
      const siteId = (await made(`POST ${org}/sites`, body)).id
      const site = `${org}/sites/${siteId}`
      const second = (await made(`POST ${site}/sections`, { spaceId: await space() })).id
      const other = (await made(`POST ${site}/sections`, { spaceId: await space() })).id
      const sections = await db.read
        .selectFrom('siteSection')
        .select('id')
        .where('siteId', '=', siteId)
        .execute()
      const first = sections.find(({ id }) => id !== second && id !== other)?.id ?? ''
      const spaces = await db.read
        .selectFrom('siteSpace')
        .select('id')
        .where('sectionId', '=', first)
        .orderBy('position')
        .execute()
      const group = { title: 'Group', sections: [first, second] }
      const siteSectionGroupId = (await made(`POST ${site}/section-groups`, group)).id
      const link = { title: 'Status', url: 'https://example.com/' }
      const siteExternalLinkId = (await made(`POST ${site}/external-links`, link)).id
      const [siteSpaceId = '', beside = ''] = spaces.map(({ id }) => id)
      const groups = { siteSectionGroupId, siteExternalLinkId }
      const params = { siteId, siteSectionId: first, siteSpaceId, ...groups }
      return { params, ids: { second, other, beside } }
    },
    /** A site with a redirect from `/old`, whose space has a page. */
    async siteWithRedirect() {
      const { params } = await (published ??= content())
      const siteId = (await made(`POST ${org}/sites`, { title: 'Moved', spaces: [params.spaceId] })).id
      const found = db.read.selectFrom('siteSpace').select('id').where('siteId', '=', siteId)
      const siteSpaceId = (await found.executeTakeFirstOrThrow()).id
      return {
        params: { siteId, siteRedirectId: await redirectOf(siteId) },
        siteSpaceId,
        pageId: params.pageId,
      }
    },
    redirectOf,
    async hostname() {
      return (await admin(`GET ${org}`)).body.hostname as string
    },
    /** A host name that a site claims, and that no DNS record proves. */
    async claimedHostname() {
      const siteId = (await made(`POST ${org}/sites`, { title: 'Claiming' })).id
      const hostname = `x${randomText(12)}.example.org`
      await made(`PATCH ${org}/sites/${siteId}`, { hostname })
      return hostname
    },
    /** The URL of something in the API. */
    locationOf: (path: string) => `${world.url}/v1${path}`,
    /** The URL of a new site that is published. */
    async publishedUrl() {
      const { urls } = await made(`POST ${org}/sites/${await newSite()}/publish`)
      return (urls as { published: string }).published
    },
    async siteSpaceOf(siteId: string) {
      const found = db.read.selectFrom('siteSpace').select('id').where('siteId', '=', siteId)
      return (await found.executeTakeFirstOrThrow()).id
    },
    /** Makes a space of a site override the appearance of the site. */
    async override(siteSpaceId: string) {
      const { siteId } = await db.read
        .selectFrom('siteSpace')
        .select('siteId')
        .where('id', '=', siteSpaceId)
        .executeTakeFirstOrThrow()
      const settings = JSON.stringify({ pdf: { enabled: true } })
      const row = { siteId, siteSpaceId, settings, updatedAt: at }
      await db.write((tx) => tx.insertInto('siteCustomization').values(row).execute())
    },
    async team(members: string[] = []) {
      return (await made(`PUT ${org}/teams`, { title: 'A team', members })).id
    },
    async own(teamId: string, userId: string) {
      const owner = { teamId, userId, role: 'owner' as const, createdAt: at }
      await db.write((tx) => tx.insertInto('teamMember').values(owner).execute())
    },
    /** Says that the address of a user is known to be theirs. */
    async prove(userId: string) {
      if (!userId) return
      const account = { userId, passwordHash: null, emailVerifiedAt: at, updatedAt: at }
      await db.write((tx) =>
        tx
          .insertInto('account')
          .values(account)
          .onConflict((known) => known.column('userId').doUpdateSet({ emailVerifiedAt: at }))
          .execute(),
      )
    },
    async invite(to: object = { role: 'read' }) {
      return (await made(`POST ${org}/link-invites`, to)).id
    },
    async field() {
      const name = randomText(22)
      await made(`POST ${org}/custom-fields`, { name, type: 'text' })
      return name
    },
    provider: async (kind: 'saml' | 'oidc') => (await made(`POST ${org}/${kind}`, { label: 'Provider' })).id,
    translation: async () => (await made(`POST ${org}/translations`, { title: 'Languages' })).id,
    pageTemplate: async () => {
      const fields = { title: 'Interview', description: 'Questions for users', emoji: '1f399' }
      return (await made(`POST ${org}/page-templates`, { ...fields, markdown: '## Questions\n' })).id
    },
    async glossaryEntry() {
      const path = `${org}/translations-glossary` as const
      const operations = [{ type: 'insert', translations: { en: 'change request', de: 'Änderungsantrag' } }]
      assert.equal((await admin(`PUT ${path}`, { operations })).status, 204)
      return (await admin(`GET ${path}?limit=1000`)).body.items.at(-1).id as string
    },
    ...specsIn(world, organizationId, made),
    ...notificationsIn(world, admin, space),
    async auditEvent() {
      return (
        ((await made(`GET ${org}/audit-events?limit=1`)) as unknown as { items: { id: string }[] }).items[0]
          ?.id ?? ''
      )
    },
    ...tokensIn(world, { admin, organizationId }),
    /** Gives a user the password of all users here. Nobody has none. */
    async setPassword(userId: string) {
      if (userId === '') return
      const account = { userId, passwordHash: hashed, emailVerifiedAt: at, updatedAt: at }
      await db.write((tx) => tx.insertInto('account').values(account).execute())
    },
    /** Gives a code of the authenticator app of a user, which was begun or confirmed. Codes expire, so it is called late. */
    async secondFactor(userId: string, state: 'begun' | 'confirmed') {
      if (userId === '') return () => '123456'
      const { sealing } = world.app.services
      const now = new Date()
      return db.write(async (tx) => {
        const { secret } = await beginSecondFactor(tx, sealing, { userId, issuer: 'test', now })
        const earlier = totpCode(secret, totpStep(now) - 1)
        if (state === 'confirmed') await confirmSecondFactor(tx, sealing, { userId, code: earlier, now })
        return () => totpCode(secret, totpStep(new Date()))
      })
    },
    /** A passkey that answers a challenge of a user. */
    async newPasskey(userId: string) {
      const { urls } = world.app.services
      const device = authenticator(new URL(world.url).origin, userId)
      const options = await optionsForNewPasskey(db.read, urls, userId || admin.id)
      if (userId) await db.write((tx) => storeChallenge(tx, options, { userId, now: new Date() }))
      return device.create(options)
    },
    /** A passkey of the administrator, or of somebody else. */
    async passkey(userId = admin.id) {
      const id = randomText(22)
      const row = { userId, label: 'x', credentialId: id, publicKey: '', counter: 0, transports: '[]' }
      const dates = { createdAt: at, lastUsedAt: null }
      await db.write((tx) =>
        tx
          .insertInto('passkey')
          .values({ id, ...row, backedUp: 0, ...dates })
          .execute(),
      )
      return id
    },
    /** A session of the administrator, or of somebody else. */
    session: async (userId = admin.id, limitedTo?: string) =>
      (await openSessionFor(world, userId, { organizationId: limitedTo })).id,
    ...uploadsIn(world, admin, org),
    /** Another organization that `by` administers; whoever has an address of the domain may join. */
    async organization(by = admin) {
      const body = { title: 'Another', emailDomains: [domain] }
      return (await made('POST /v1/orgs', body, by)).id
    },
    failedJob: () => insertFailedJob(world),
    scimToken: async () => (await made(`POST ${org}/scim-tokens`)).id,
    inviteTo: async (organization: string) =>
      (await made(`POST /v1/orgs/${organization}/link-invites`, { role: 'read' })).id,
    grant: grantsBy(admin, organizationId),
  }
}
