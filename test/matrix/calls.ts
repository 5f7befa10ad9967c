/** A valid request for every operation. Each names resources made for it, so that the order does not matter. */
import { computedSource } from './openapi-calls.ts'
import { randomText } from '../../src/core/data/id.ts'
import { COMMENT_CALLS } from './comment-calls.ts'
import { CONTENT_CALLS } from './content-calls.ts'
import { type Call, type Caller, inOrg, type Make, none, org, space, withBody, withCode } from './makers.ts'
import { INSTALLATION_CALLS } from './installation-calls.ts'
import { INVITE_CALLS } from './invite-calls.ts'
import { LOOK_CALLS } from './look-calls.ts'
import { NOTIFICATION_CALLS } from './notification-calls.ts'
import { permissions } from './permission-calls.ts'
import { PROVIDER_CALLS } from './provider-calls.ts'
import { SCIM_CALLS } from './scim-calls.ts'
import { SITE_CALLS } from './site-calls.ts'
import { TOKEN_CALLS } from './token-calls.ts'
import { PASSWORD, type Things } from './things.ts'

const collection: Make = async (t) => ({ params: { collectionId: await t.collection() } })
const site: Make = async (t) => ({ params: { ...inOrg(t), siteId: await t.site() } })
const SCHEMA = {
  type: 'object',
  properties: { beta: { type: 'boolean', description: 'Uses the beta version' } },
  additionalProperties: false,
}
const adaptiveSite: Make = async (t) => ({ params: { ...inOrg(t), siteId: await t.adaptiveSite(SCHEMA) } })
const shareLink: Make = async (t) => {
  const siteId = await t.site()
  return { params: { ...inOrg(t), siteId, shareLinkId: await t.shareLinkOf(siteId) } }
}
const field: Make = async (t) => ({ params: { ...inOrg(t), fieldName: await t.field() } })

/** Merge rules that name a user and that every change request satisfies. */
async function bypass(t: Things) {
  return { type: 'rules', rules: [{ rule: 'allow_bypass', users: [await t.member()] }] }
}

/** For another user, and for the caller. */
const ofMember = (body?: unknown): Make[] => [
  async (t) => ({ params: { ...inOrg(t), userId: await t.member() }, body }),
  async (t, { another }) => {
    const as = await another()
    return { params: { ...inOrg(t), userId: as.id || 'nobody' }, body, as, self: as.id !== '' }
  },
]

/** For a user who is not in the team, and for one of its owners. */
const ofTeam = (more: (t: Things) => Promise<Call> | Call = none as never): Make[] => [
  async (t) => {
    const call = await more(t)
    return { ...call, params: { ...inOrg(t), teamId: await t.team(), ...call.params } }
  },
  async (t, { person }) => {
    const call = await more(t)
    const teamId = call.params?.teamId ?? (await t.team())
    if (person.id) await t.own(teamId, person.id)
    return { ...call, params: { ...inOrg(t), ...call.params, teamId }, owner: true }
  },
]

const ofInvite = (bodies: { role?: object; level?: object } = {}): Make[] => [
  async (t) => ({ params: { ...inOrg(t), inviteId: await t.invite() }, body: bodies.role }),
  async (t) => {
    const to = { level: 'read', space: await t.space() }
    return { params: { ...inOrg(t), inviteId: await t.invite(to) }, body: bodies.level, leadsTo: 'space' }
  },
  async (t) => {
    const to = { level: 'read', collection: await t.collection() }
    return {
      params: { ...inOrg(t), inviteId: await t.invite(to) },
      body: bodies.level,
      leadsTo: 'collection',
    }
  },
]

/** Moves into a collection: to its end, and to each side of an existing item. */
const moves = (make: (t: Things) => Promise<Record<string, string>>): Make[] => [
  async (t) => ({
    params: await make(t),
    body: { parent: await t.collection() },
    asks: 'collection: create',
  }),
  async (t) => {
    const parent = await t.collection()
    const before = { type: 'space', space: await t.space({ parent }) }
    return { params: await make(t), body: { parent, position: { before } }, asks: 'collection: create' }
  },
  async (t) => {
    const parent = await t.collection()
    const after = { type: 'collection', collection: await t.collection({ parent }) }
    return { params: await make(t), body: { parent, position: { after } }, asks: 'collection: create' }
  },
  async (t) => {
    const parent = await t.collection()
    const after = { type: 'space', space: await t.space({ parent }) }
    const before = { type: 'collection', collection: await t.collection({ parent }) }
    return {
      params: await make(t),
      body: { parent, position: { after, before } },
      asks: 'collection: create',
    }
  },
]

/** Who makes another organization: not somebody whose session is limited to one. */
const ownerOf = ({ writes, limitedTo, person }: Caller) => (writes && !limitedTo ? person : undefined)

const transfer =
  (make: Make): Make =>
  async (t, caller) => ({
    ...(await make(t, caller)),
    body: { organization: await t.organization(ownerOf(caller)) },
  })

/** Bodies that create a resource at the top level and in a collection. */
const places: Make[] = [
  withBody(org, {}),
  async (t) => ({ params: inOrg(t), body: { parent: await t.collection() }, leadsTo: 'collection' }),
]

export const CALLS: Record<string, Make | Make[]> = {
  getApiInformation: none,
  checkCertificateDomain: (t) => ({ query: { domain: new URL(t.locationOf('')).hostname } }),
  createSession: async (t) => ({ body: { email: t.emailOf(await t.user()), password: PASSWORD } }),
  acceptInvitation: async (t) => ({ body: { token: await t.linked('invitation'), password: PASSWORD } }),
  resetPassword: async (t) => ({ body: { token: await t.linked('password-reset'), password: PASSWORD } }),
  requestPasswordReset: async (t) => ({ body: { email: t.emailOf(randomText(8)) } }),
  changePassword: async (_, { another }) => ({ body: { password: PASSWORD }, as: await another() }),

  getAuthenticatedUser: none,
  ...TOKEN_CALLS,
  ...INSTALLATION_CALLS,
  listSessions: none,
  endSessionById: async (t, { person, writes, limitedTo }) => ({
    params: { sessionId: await t.session(writes ? person.id : undefined, limitedTo) },
  }),
  endOtherSessions: async (_, { another }) => ({ as: await another() }),
  getSecondFactor: none,
  beginSecondFactorSetup: async (t, { another }) => {
    const as = await another()
    await t.setPassword(as.id)
    return { body: { password: PASSWORD }, as }
  },
  confirmSecondFactorSetup: withCode('begun'),
  createRecoveryCodes: withCode('confirmed'),
  removeSecondFactor: withCode('confirmed'),
  listPasskeys: none,
  getPasskey: async (t, { person }) => ({ params: { passkeyId: await t.passkey(person.id || undefined) } }),
  beginPasskey: async (t, { another }) => {
    const as = await another()
    await t.setPassword(as.id)
    return { body: { password: PASSWORD }, as }
  },
  createPasskey: async (t, { person }) => ({
    body: { label: 'x', credential: await t.newPasskey(person.id) },
  }),
  deletePasskey: async (t, { person, writes }) => ({
    params: { passkeyId: await t.passkey(writes ? person.id : undefined) },
  }),
  getUserById: [
    async (t) => ({ params: { userId: await t.member() } }),
    (_, { person }) => ({ params: { userId: person.id || 'nobody' }, self: person.id !== '' }),
  ],
  updateUserById: [
    async (t) => ({ params: { userId: await t.member() }, body: { displayName: 'New' } }),
    (_, { person }) => ({
      params: { userId: person.id || 'nobody' },
      body: { displayName: 'New', language: 'de', timeZone: 'Europe/Berlin', firstSteps: 'closed' },
      self: person.id !== '',
    }),
  ],

  downloadUserPhoto: (t) => t.photo(),

  listOrganizationsForAuthenticatedUser: none,
  createOrganization: withBody(none, { title: 'Acme' }),
  getOrganizationById: org,
  updateOrganizationById: [
    async (t) => ({
      params: inOrg(t),
      body: { defaultContent: { type: 'site', site: await t.site() } },
    }),
    async (t) => ({ params: inOrg(t), body: { mergeRules: await bypass(t) } }),
  ],
  updateOrganizationMemberLastSeenAt: org,
  getOrganizationsForEmailDomain: (t) => ({ params: { emailDomain: t.domain } }),
  joinOrganization: async (t, { another }) => {
    const as = await another()
    await t.prove(as.id)
    return { params: { organizationId: await t.organization() }, as }
  },
  joinOrganizationWithInvite: async (t, { another }) => {
    const organizationId = await t.organization()
    return { params: { organizationId, inviteId: await t.inviteTo(organizationId) }, as: await another() }
  },

  ...INVITE_CALLS,
  getOrganizationInviteLink: ofInvite(),
  updateOrganizationInviteById: ofInvite({ role: { role: 'edit' }, level: { level: 'edit' } }),
  deleteOrganizationInviteById: ofInvite(),

  listMembersInOrganizationById: org,
  getMemberInOrganizationById: ofMember(),
  updateMemberInOrganizationById: async (t) => ({
    params: { ...inOrg(t), userId: await t.member() },
    body: { role: 'edit' },
  }),
  removeMemberFromOrganizationById: ofMember(),
  setUserAsSSOMemberForOrganization: async (t) => ({ params: { ...inOrg(t), userId: await t.member() } }),
  listSpacesForOrganizationMember: ofMember(),
  listTeamsForOrganizationMember: ofMember(),

  createOrganizationTeam: async (t) => ({
    params: inOrg(t),
    body: { title: 'A team', members: [await t.member()] },
  }),
  listTeamsInOrganizationById: [org, async (t) => ({ params: inOrg(t), query: { owner: await t.member() } })],
  getTeamInOrganizationById: ofTeam(),
  updateTeamInOrganizationById: ofTeam(() => ({ body: { title: 'Renamed' } })),
  removeTeamFromOrganizationById: async (t) => ({ params: { ...inOrg(t), teamId: await t.team() } }),
  listTeamMembersInOrganizationById: ofTeam(),
  updateMembersInOrganizationTeam: [
    ...ofTeam(async (t) => ({
      body: {
        add: [await t.member(), t.emailOf(await t.member())],
        remove: [await t.member(), t.emailOf(await t.member())],
        memberships: { [await t.member()]: { role: 'owner' } },
      },
      asks: 'people: named',
    })),
    ...ofTeam(async (t) => {
      const [first, second] = [await t.member(), await t.member()]
      return { params: { teamId: await t.team([first, second]) }, body: { add: [first], remove: [second] } }
    }),
  ],
  addMemberToOrganizationTeamById: [
    ...ofTeam(async (t) => ({ params: { userId: await t.member() }, body: {}, asks: 'people: unseen' })),
    ...ofTeam(async (t) => {
      const userId = await t.member()
      return { params: { userId, teamId: await t.team([userId]) }, body: {} }
    }),
  ],
  deleteMemberFromOrganizationTeamById: async (t) => {
    const userId = await t.member()
    return { params: { ...inOrg(t), teamId: await t.team([userId]), userId } }
  },

  listFavourites: org,
  addFavourite: async (t) => ({ params: { ...inOrg(t), placeId: await t.site() }, asks: 'site: read' }),
  removeFavourite: async (t) => ({ params: { ...inOrg(t), placeId: await t.site() } }),
  listCollectionsInOrganizationById: org,
  createCollection: places,
  getCollectionById: collection,
  updateCollectionById: withBody(collection, { title: 'Renamed' }),
  deleteCollectionById: collection,
  listSpacesInCollectionById: collection,
  moveCollection: moves(async (t) => ({ collectionId: await t.collection() })),
  transferCollection: transfer(collection),
  ...permissions('collections', 'Collection', async (t) => ({ collectionId: await t.collection() })),

  searchOrganizationContent: (t) => ({ params: inOrg(t), query: { query: 'word' } }),
  listSpacesInOrganizationById: [
    org,
    (t) => ({ params: inOrg(t), query: { deleted: 'true' } }),
    (t) => ({ params: inOrg(t), query: { synced: 'true' } }),
  ],
  listSpaceTemplates: org,
  createSpace: [
    ...places,
    withBody(org, { template: 'handbook' }),
    withBody(org, { openapiUrl: 'https://example.com/openapi.json' }),
    async (t) => ({ params: inOrg(t), body: { computedSource: computedSource(await t.spec()) } }),
  ],
  getSpaceById: space,
  updateSpaceById: [
    withBody(space, { title: 'Renamed' }),
    async (t) => ({
      params: { spaceId: await t.space() },
      body: { mergeRules: await bypass(t) },
      asks: 'space: admin',
    }),
  ],
  duplicateSpace: async (t) => ({ params: { spaceId: await t.space() }, asks: 'organization: create' }),
  moveSpace: moves(async (t) => ({ spaceId: await t.space() })),
  transferSpace: transfer(space),
  deleteSpaceById: space,
  restoreSpace: async (t) => ({ params: { spaceId: await t.trashed() } }),
  ...permissions('spaces', 'Space', async (t) => ({ spaceId: await t.space() })),
  explainPermissionInSpace: [
    space,
    async (t) => ({
      params: { spaceId: await t.space() },
      query: { user: await t.member() },
      asks: ['organization: read', 'space: create'],
    }),
  ],

  ...CONTENT_CALLS,
  ...COMMENT_CALLS,
  ...NOTIFICATION_CALLS,

  listSites: [org, async (t) => ({ params: inOrg(t), query: { space: (await t.content()).params.spaceId } })],
  ...LOOK_CALLS,
  ...SCIM_CALLS,
  ...SITE_CALLS,

  listSiteShareLinks: site,
  getSiteShareLinkById: shareLink,
  createSiteShareLink: withBody(site, { name: 'For partners' }),
  updateSiteShareLinkById: withBody(shareLink, { name: 'Renamed' }),
  regenerateSiteShareLinkById: shareLink,
  deleteSiteShareLinkById: shareLink,
  getSitePublishingAuthById: site,
  updateSitePublishingAuthById: withBody(site, {
    backend: 'custom',
    fallbackURL: 'https://app.example.com/login',
  }),
  regenerateSitePublishingAuthById: site,
  getSitePublishingPreviewById: async (t) => {
    const siteId = await t.site()
    return { params: { ...inOrg(t), siteId }, query: { siteSpace: await t.siteSpaceOf(siteId) } }
  },
  getSiteAdaptiveSchema: adaptiveSite,
  updateSiteAdaptiveSchema: withBody(site, { jsonSchema: SCHEMA }),
  listSiteAdaptiveTemplateConditions: adaptiveSite,

  generateStorageUploadURL: withBody(org, {
    file: { name: 'a.md', type: 'text/markdown', size: 4 },
    kind: 'import_file',
  }),
  putUpload: async (t) => {
    const { uploadId, secret } = await t.upload()
    return { params: { uploadId }, query: { secret }, body: new TextEncoder().encode('# Hi') }
  },
  deleteUpload: async (t) => {
    const { uploadId, secret } = await t.upload(true)
    return { params: { uploadId }, query: { secret } }
  },
  getUpload: async (t) => {
    const { uploadId, secret } = await t.upload(true)
    return { params: { uploadId }, query: { secret } }
  },

  listOrganizationCustomFields: org,
  createOrganizationCustomField: (t) => ({
    params: inOrg(t),
    body: { name: `f-${randomText(8)}`, type: 'text' },
  }),
  getOrganizationCustomFieldByName: field,
  updateOrganizationCustomField: withBody(field, { title: 'Renamed' }),
  deleteOrganizationCustomField: field,
  getSpaceCustomFields: space,
  updateSpaceCustomFields: async (t) => ({
    params: { spaceId: await t.space() },
    body: { values: { [await t.field()]: { value: 'x' } } },
  }),

  ...PROVIDER_CALLS,

  listAuditEvents: [
    org,
    async (t) => ({ params: inOrg(t), query: { actor: await t.member(), target: await t.space() } }),
  ],
  getAuditEventById: async (t) => ({ params: { ...inOrg(t), auditEventId: await t.auditEvent() } }),
  listAuditEventActions: org,

  resolvePublishedContentByUrl: async (t) => ({ body: { url: await t.publishedUrl() } }),
  getPublishedContentByUrl: async (t) => ({ query: { url: await t.publishedUrl() } }),
  getContentByUrl: async (t) => {
    const spaceId = await t.space()
    return { params: { spaceId }, query: { url: t.locationOf(`/spaces/${spaceId}`) } }
  },
}
