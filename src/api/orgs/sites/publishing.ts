import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import { PREVIEW_PARAMETER, previewToken } from '../../../access/visitors/preview.ts'
import { readRison } from '../../../core/web/rison.ts'
import { isRecord } from '../../../core/data/is-record.ts'
import type { Row, Tx } from '../../../db/schema.ts'
import { invalidField, invalidFields, notFound } from '../../../http/errors.ts'
import { route, type Sealing } from '../../../http/route.ts'
import { compileCheck } from '../../../http/validation/validate.ts'
import { idPattern, InSite, nullable, oneOf, Uri, WebUri } from '../../../model/common.ts'
import { loadCustomizations } from '../../../model/sites/customization/customization.ts'
import { checkCustomization, namedIn } from '../../../model/sites/customization/check-customization.ts'
import { CustomizationChanges } from '../../../model/sites/customization/customization-settings.ts'
import {
  findPublishingAuth,
  PublishingAuth,
  sealVisitorKey,
  toPublishingAuth,
  signingKeyOf,
} from '../../../model/sites/publishing-auth.ts'
import { touchSite } from '../../../model/sites/site.ts'
import { loadStructure } from '../../../model/sites/structure/structure.ts'
import { because } from '../../../core/languages/reasons.ts'
import { faultParameters } from '../../../core/languages/reasoned.ts'

const KEY_BYTES = 32
/** The longest `claims` of a preview, in characters: the address holds them. */
const LONGEST_CLAIMS = 2000
/** The longest `look` of a preview, in characters. */
const LONGEST_LOOK = 2000
/** The longest token of a preview, in characters: browsers keep cookies of at most 4,096 bytes. */
const LONGEST_TOKEN = 3800

export const getSitePublishingAuthById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/publishing/auth',
  summary: 'Get how visitors sign in to a site',
  access: onSite('create'),
  params: InSite,
  returns: PublishingAuth,
  async handler({ db, site, sealing }) {
    return toPublishingAuth(sealing, site.id, await findPublishingAuth(db, site.id))
  },
})

export const updateSitePublishingAuthById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId/publishing/auth',
  summary: 'Change how visitors sign in to a site',
  description:
    'Lectern sends a visitor without a valid token to `fallbackURL`, and adds the query parameter `location`. Null removes `fallbackURL`; without the field, it keeps its value.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({
    backend: oneOf(['custom', 'integration']),
    integration: Type.Optional(Type.String({ maxLength: 100 })),
    fallbackURL: Type.Optional(nullable(WebUri)),
  }),
  returns: PublishingAuth,
  async handler({ tx, site, sealing, body: { backend, fallbackURL }, now }) {
    if (backend === 'integration') throw invalidField('body.backend', because('backend-not-custom'))
    if (fallbackURL && new URL(fallbackURL).searchParams.has('location'))
      throw invalidField('body.fallbackURL', because('fallback-with-location'))

    const before = await findPublishingAuth(tx, site.id)
    const fallbackUrl = fallbackURL === undefined ? (before?.fallbackUrl ?? null) : fallbackURL
    const key = signingKeyOf(sealing, site.id, before)
    return store({ tx, site, sealing, now }, { fallbackUrl, key })
  },
})

export const regenerateSitePublishingAuthById = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/publishing/auth/regenerate',
  summary: 'Replace the private key of a site',
  description: 'Tokens that were signed with the present key are invalid from the next request on.',
  access: onSite('create'),
  params: InSite,
  returns: PublishingAuth,
  async handler({ tx, site, sealing, now }) {
    const before = await findPublishingAuth(tx, site.id)
    const key = randomBytes(KEY_BYTES).toString('base64url')
    return store({ tx, site, sealing, now }, { fallbackUrl: before?.fallbackUrl ?? null, key })
  },
})

export const getSitePublishingPreviewById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/publishing/preview',
  summary: 'Get an address that previews a site',
  description:
    'For one hour, the address shows the site as a visitor with these claims sees it, whether it is published or not. It shows only spaces that the caller can read. Anyone with the address can use it.',
  access: onSite('create'),
  params: InSite,
  query: Type.Object({
    siteSpace: Type.Optional(
      Type.String({ ...idPattern, description: 'The site space to open; by default, the default one' }),
    ),
    claims: Type.Optional(
      Type.String({
        maxLength: LONGEST_CLAIMS,
        description: 'The claims of the visitor in Rison, such as `(plan:pro,unsigned:(beta:!t))`',
      }),
    ),
    look: Type.Optional(
      Type.String({
        maxLength: LONGEST_LOOK,
        description:
          'Changes to the appearance that nobody has saved, as JSON, such as `{"styling":{"theme":"bold"}}`; null removes a setting. They change the site, or with `siteSpace` the space',
      }),
    ),
  }),
  returns: Type.Object({ url: Uri }),
  async handler({ db, me, urls, organization, organizationRole, role, site, sealing, query, now }) {
    const seen = { me, urls, sealing, organization, organizationRole, role }
    const { siteSpaces, pathOf } = await loadStructure(db, site, seen)
    const chosen = siteSpaces.find(({ id, isDefault }) =>
      query.siteSpace === undefined ? isDefault === 1 : id === query.siteSpace,
    )
    if (query.siteSpace && !chosen) throw notFound('site space')

    const siteSpaceId = query.siteSpace ?? ''
    const changes = lookOf(query.look)
    if (changes) {
      const before = (await loadCustomizations(db, site.id)).ofSpace(siteSpaceId)
      await checkCustomization(changes, before, {
        urls,
        ...namedIn(db, me, organization.id),
        at: 'query.look',
      })
    }
    const token = previewToken(sealing, {
      siteId: site.id,
      userId: me.userId,
      claims: claimsOf(query.claims),
      look: changes && { siteSpaceId, changes },
      now,
    })
    if (token.length > LONGEST_TOKEN) throw invalidField('query.look', because('look-too-long'))
    // A preview has the address that the site would have if it were published for everyone.
    const url = new URL(urls.site(site, organization.hostname) + (chosen ? pathOf(chosen) : ''))
    url.searchParams.set(PREVIEW_PARAMETER, token)
    return { url: url.href }
  },
})

function claimsOf(rison: string | undefined): Record<string, unknown> {
  if (rison === undefined) return {}
  const read = readRison(rison)
  if (!read.ok) throw invalidField('query.claims', because('claims-not-rison', faultParameters(read.error)))
  if (!isRecord(read.value)) throw invalidField('query.claims', because('claims-not-object'))
  return read.value
}

let checkLook: ReturnType<typeof compileCheck> | undefined

/** The value is checked as a body, because values of a query are text, and null would be an empty one. */
function lookOf(json: string | undefined): CustomizationChanges | undefined {
  if (json === undefined) return undefined
  let changes: unknown
  try {
    changes = JSON.parse(json)
  } catch {
    throw invalidField('query.look', because('look-not-json'))
  }
  // To compile the check takes milliseconds of the start.
  checkLook ??= compileCheck(CustomizationChanges, 'body')
  const faults = checkLook(changes)
  if (faults.length > 0)
    throw invalidFields(
      faults.map((fault) => ({ ...fault, path: fault.path.replace(/^body/, 'query.look') })),
    )
  return changes as CustomizationChanges
}

async function store(
  { tx, site, sealing, now }: { tx: Tx; site: Row<'site'>; sealing: Sealing; now: Date },
  { fallbackUrl, key }: { fallbackUrl: string | null; key: string },
): Promise<PublishingAuth> {
  const sealedKey = sealVisitorKey(sealing, site.id, key)
  const row = {
    siteId: site.id,
    backend: 'custom' as const,
    integration: null,
    sealedKey,
    fallbackUrl,
    updatedAt: now.toISOString(),
  }
  const { siteId: _, ...changes } = row
  await tx
    .insertInto('sitePublishingAuth')
    .values(row)
    .onConflict((known) => known.column('siteId').doUpdateSet(changes))
    .execute()
  await touchSite(tx, site, now)
  return toPublishingAuth(sealing, site.id, row)
}
