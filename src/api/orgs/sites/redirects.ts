import { sql } from 'kysely'
import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import { loopSamples } from '../../../core/web/redirect-table.ts'
import type { Reader, Row, Tx } from '../../../db/schema.ts'
import { faultAt, conflict, type Fault, invalidFields, notFound, PrepareAgain } from '../../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../../http/pagination.ts'
import { ABSENT, route } from '../../../http/route.ts'
import { Id, InSite, nullable, oneOf, pathOfSite } from '../../../model/common.ts'
import { containing } from '../../../model/people/team.ts'
import { loadOwnPaths } from '../../../model/sites/redirects/own-paths.ts'
import { touchSite } from '../../../model/sites/site.ts'
import {
  placeRedirect,
  type RedirectPlace,
  writeRedirect,
} from '../../../model/sites/redirects/place-redirect.ts'
import {
  loadRedirects,
  RedirectDestination,
  redirectOfRow,
  type RedirectRule,
  RedirectSource,
  SiteRedirect,
  sourcePattern,
  toSiteRedirect,
} from '../../../model/sites/redirects/site-redirect.ts'
import { loadStructure } from '../../../model/sites/structure/structure.ts'
import { because } from '../../../core/languages/reasons.ts'

const InRedirect = Type.Object({ ...InSite.properties, siteRedirectId: Id })
/** The description of `draft` in a body. */
const DRAFT = 'A draft redirects nobody until it is set to false'
const BULK_MAX = 500
const BULK_BODY_LIMIT = 1024 * 1024

export const listSiteRedirects = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/redirects',
  summary: 'List the redirects of a site, oldest first',
  access: onSite('read'),
  params: InSite,
  query: Type.Object({
    ...ListQuery.properties,
    search: Type.Optional(
      Type.String({ maxLength: 512, description: 'Return only redirects whose source contains this text' }),
    ),
  }),
  returns: listOf(SiteRedirect),
  async handler({ db, site, query, page }) {
    const { search } = query
    const listed = db
      .selectFrom('siteRedirect')
      .selectAll()
      .where('siteId', '=', site.id)
      .$if(search !== undefined, (some) => some.where(containing(sql<string>`"source"`, search)))
    const list = await listRows(listed, page, { by: ['id'] })
    return { ...list, items: list.items.map((row) => toSiteRedirect(redirectOfRow(row))) }
  },
})

export const getSiteRedirectById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId',
  summary: 'Get a redirect of a site',
  access: onSite('read'),
  params: InRedirect,
  returns: SiteRedirect,
  async handler({ db, site, params }) {
    const redirect = await findRedirect(db, site, params.siteRedirectId)
    if (!redirect) throw notFound('redirect')
    return toSiteRedirect(redirect)
  },
})

export const createSiteRedirect = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/redirects',
  summary: 'Create a redirect of a site',
  description:
    'The request fails with 409 if another redirect has the source, and with 400 if a chain of redirects leads back to it.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({
    source: RedirectSource,
    destination: RedirectDestination,
    draft: Type.Optional(Type.Boolean({ default: false, description: DRAFT })),
    captureWildcard: Type.Optional(Type.Boolean({ default: false })),
    permanent: Type.Optional(Type.Boolean({ default: false })),
  }),
  returns: SiteRedirect,
  status: 201,
  location: ({ id }, urls, params) => urls.api(`${pathOfSite(params)}/redirects/${id}`),
  // To look for loops takes long, so other writers do not wait for it.
  async prepare({ db, site, body, now, newId, ...seen }) {
    const place = await placeOfRedirects(db.read, site, seen)
    const rule = { draft: false, captureWildcard: false, permanent: false, ...body, ...newAt(now, newId) }
    await needPlace(place, rule, undefined)
    return { version: site.version, rule }
  },
  async handler({ tx, site, prepared, now }) {
    return storeRedirect(tx, site, prepared, now)
  },
})

export const updateSiteRedirectById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId',
  summary: 'Update a redirect of a site',
  description: 'Fields that are not sent keep their values.',
  access: onSite('create'),
  params: InRedirect,
  body: Type.Object({
    source: Type.Optional(RedirectSource),
    destination: Type.Optional(RedirectDestination),
    draft: Type.Optional(Type.Boolean({ description: DRAFT })),
    captureWildcard: Type.Optional(Type.Boolean()),
    permanent: Type.Optional(Type.Boolean()),
  }),
  returns: SiteRedirect,
  // As for a new one.
  async prepare({ db, site, params, body, now, ...seen }) {
    const before = await findRedirect(db.read, site, params.siteRedirectId)
    if (!before) throw notFound('redirect')
    const { version } = site
    if (Object.keys(body).length === 0) return { version, before, rule: undefined }
    const rule = { ...before, ...body, updatedAt: now.toISOString() }
    await needPlace(await placeOfRedirects(db.read, site, seen), rule, before)
    return { version, before, rule }
  },
  async handler({ tx, site, prepared, now, audit }) {
    const { version, before, rule } = prepared
    audit({ before })
    return rule ? storeRedirect(tx, site, { version, rule }, now) : toSiteRedirect(before)
  },
})

export const deleteSiteRedirectById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/sites/:siteId/redirects/:siteRedirectId',
  summary: 'Delete a redirect of a site',
  access: onSite('create'),
  params: InRedirect,
  status: 205,
  async handler({ tx, site, params, now, audit }) {
    const before = await findRedirect(tx, site, params.siteRedirectId)
    if (!before) return ABSENT
    audit({ before })
    await tx.deleteFrom('siteRedirect').where('id', '=', before.id).execute()
    await touchSite(tx, site, now)
    return undefined
  },
})

export const updateSiteRedirects = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/sites/:siteId/redirects',
  summary: 'Create, update and delete redirects of a site by their sources',
  description:
    'The redirects are processed in their order. A `destination` of null deletes the redirect with that source. A redirect that cannot be stored has the status "error" in the response, and does not prevent the others. If none can be stored, the request fails with 400. Fields that are not sent keep the values of the redirect that has the source.',
  access: onSite('create'),
  params: InSite,
  bodyLimit: BULK_BODY_LIMIT,
  body: Type.Object({
    redirects: Type.Array(
      Type.Object({
        source: Type.String({ maxLength: sourcePattern.maxLength }),
        intent: Type.Optional(
          oneOf(['live', 'draft'], { description: '`draft` stores a draft; by default, `live`' }),
        ),
        destination: nullable(RedirectDestination),
        captureWildcard: Type.Optional(Type.Boolean()),
        permanent: Type.Optional(Type.Boolean()),
      }),
      { minItems: 1, maxItems: BULK_MAX },
    ),
  }),
  returns: Type.Object({
    results: Type.Array(
      Type.Object({
        status: oneOf(['created', 'updated', 'deleted', 'error']),
        source: Type.String(),
        draft: Type.Boolean(),
        id: Type.Optional(Type.String()),
        error: Type.Optional(Type.String({ description: 'Why the redirect was not stored' })),
      }),
    ),
  }),
  audit: 'site.redirect.update',
  // To look for loops takes long, so other writers do not wait for it.
  async prepare({ db, site, body, now, newId, ...seen }) {
    const place = await placeOfRedirects(db.read, site, seen)
    const changes: RedirectChange[] = []
    const results: (Result | Fault)[] = []
    for (const [i, item] of body.redirects.entries())
      results.push(await applyItem(place, changes, item, { at: `body.redirects.${i}`, now, newId }))
    const faults = results.filter((one): one is Fault => 'path' in one)
    if (faults.length === results.length) throw invalidFields(faults)
    const shown = results.map((one, i) => ('path' in one ? failed(one, body.redirects[i]!.source) : one))
    // The version was read before the redirects, so they are not older.
    return { version: site.version, changes, results: shown }
  },
  async handler({ tx, site, prepared, now, audit }) {
    const { version, changes, results } = prepared
    if (version !== site.version) throw new PrepareAgain()
    for (const change of changes)
      if (change.kind === 'write') await writeRedirect(tx, site.id, change.rule)
      else await tx.deleteFrom('siteRedirect').where('id', '=', change.id).execute()
    await touchSite(tx, site, now)
    const answer = { results }
    audit({ target: { type: 'site', id: site.id, label: site.title }, before: {}, after: answer })
    return answer
  },
})

/** A change of the redirects of a site, in the order of the request. */
type RedirectChange = { kind: 'write'; rule: RedirectRule } | { kind: 'delete'; id: string }

interface Result {
  status: 'created' | 'updated' | 'deleted' | 'error'
  source: string
  draft: boolean
  id?: string
  error?: string
}

interface Item {
  source: string
  destination: RedirectDestination | null
  intent?: 'live' | 'draft'
  captureWildcard?: boolean
  permanent?: boolean
}

async function applyItem(
  place: RedirectPlace,
  changes: RedirectChange[],
  { source, destination, intent = 'live', captureWildcard, permanent }: Item,
  { at, now, newId }: { at: string; now: Date; newId: () => string },
): Promise<Result | Fault> {
  if (!new RegExp(sourcePattern.pattern).test(source))
    return faultAt(`${at}.source`, because('wrong-form', { form: sourcePattern['x-pattern'] }))
  const before = place.table.sameSource(source)
  if (destination === null) {
    if (!before) return faultAt(`${at}.source`, because('redirect-source-unknown'))
    changes.push({ kind: 'delete', id: before.id })
    place.table.drop(before)
    return { status: 'deleted', source, draft: before.draft, id: before.id }
  }
  const rule: RedirectRule = {
    ...newAt(now, newId),
    ...before,
    source,
    destination,
    draft: intent === 'draft',
    captureWildcard: captureWildcard ?? before?.captureWildcard ?? false,
    permanent: permanent ?? before?.permanent ?? false,
    updatedAt: now.toISOString(),
  }
  const fault = await placeRedirect(place, rule, before, at)
  if (fault) return fault
  changes.push({ kind: 'write', rule })
  return { status: before ? 'updated' : 'created', source, draft: rule.draft, id: rule.id }
}

const failed = ({ path, message }: Fault, source: string): Result => ({
  status: 'error',
  source,
  draft: false,
  error: `${path} ${message}`,
})

const newAt = (now: Date, newId: () => string) => ({
  id: newId(),
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
})

async function placeOfRedirects(
  db: Reader,
  site: Row<'site'>,
  seen: Parameters<typeof loadStructure>[2],
): Promise<RedirectPlace> {
  return {
    db,
    structure: await loadStructure(db, site, seen),
    address: seen.urls.site(site, seen.organization.hostname),
    own: await loadOwnPaths(db, seen.urls, site, seen.organization.hostname),
    table: await loadRedirects(db, site.id),
    samples: loopSamples(),
    paths: new WeakMap(),
  }
}

/** Throws unless a redirect has a place among those of its site. @throws 409 if another one has its source, 400 if it is wrong */
async function needPlace(
  place: RedirectPlace,
  rule: RedirectRule,
  before: RedirectRule | undefined,
): Promise<void> {
  const taken = place.table.sameSource(rule.source)
  if (taken && taken.id !== rule.id)
    throw conflict(because('redirect-source-taken', { id: taken.id, source: taken.source }))
  const fault = await placeRedirect(place, rule, before, 'body')
  if (fault) throw invalidFields([fault])
}

/** Stores a redirect that has a place among those of a version of the site. */
async function storeRedirect(
  tx: Tx,
  site: Row<'site'>,
  { version, rule }: { version: number; rule: RedirectRule },
  now: Date,
) {
  if (version !== site.version) throw new PrepareAgain()
  await writeRedirect(tx, site.id, rule)
  await touchSite(tx, site, now)
  return toSiteRedirect(rule)
}

async function findRedirect(db: Reader, site: Row<'site'>, id: string): Promise<RedirectRule | undefined> {
  const row = await db
    .selectFrom('siteRedirect')
    .selectAll()
    .where('siteId', '=', site.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && redirectOfRow(row)
}
