/** Copies sites: their settings, structure, appearance, redirects, MCP servers and share links. */
import { shorten } from '../../core/text/shorten.ts'
import { RefusedCall } from '../client.ts'
import {
  type Copying,
  doneOnce,
  madeOnce,
  noteEarlier,
  reportLabel,
  reading,
  reportOn,
  writeSettings,
  writing,
} from './copying.ts'
import { copyGrants, copyLevel, hasLevel } from './grants.ts'
import { fieldsIn, type JsonRecord, jsonRecord, jsonRecords, segment, someText, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'
import { copyLook } from './site-look.ts'
import { changed, type CopiedSite, copySiteStructure, keepsConditions } from './site-structure.ts'
import { contentKey } from './translate.ts'

const LONGEST_TITLE = 128
const NO_SCHEMA: JsonRecord = {}
const REDIRECTS_AT_ONCE = 200

/** Copies all sites. Spaces must have copies. */
export async function copySites(copying: Copying): Promise<void> {
  const { source, from } = copying
  const path = `/orgs/${segment(from)}/sites`
  const sites = (await reading(copying, 'Sites', () => listed(source, path))) ?? []
  await noteEarlier(copying, 'site', `/orgs/${segment(copying.to)}/sites`)
  for (const [nth, fields] of sites.entries()) {
    copying.bar.show({ label: 'Sites', done: nth, total: sites.length })
    const site = await makeSite(copying, path, fields)
    if (!site || !(await copyAccess(copying, site))) continue
    await copySchema(copying, site)
    await copySiteStructure(copying, site)
    await doneOnce(copying, `settings of ${site.from}`, () => copySettings(copying, site))
    await copyLook(copying, site)
    await copyRedirects(copying, site)
    await copyMcpServers(copying, site)
    await copyShareLinks(copying, site)
    await doneOnce(copying, `sign-in of ${site.from}`, () => copySignIn(copying, site))
    if (fields.published === true)
      await doneOnce(copying, `publication of ${site.from}`, () => copyPublication(copying, site))
  }
}

/**
 * Copies who may manage a site, before it has anything to manage.
 * @returns whether its default level could be copied; without it, members could see more than in the source
 */
async function copyAccess(copying: Copying, site: CopiedSite): Promise<boolean> {
  const place = { ...site, kind: 'sites' as const, id: jsonText(site.fields.id) }
  await copyLevel(copying, place)
  if (!hasLevel(copying, place)) {
    reportOn(copying, 'unwritten', site.what, 'is empty, because its default level could not be copied')
    return false
  }
  await copyGrants(copying, place)
  return true
}

/** Publishes a copy, unless it would show more to somebody than the site of the source does. */
async function copyPublication(copying: Copying, site: CopiedSite): Promise<void> {
  const { target } = copying
  const what = `${site.what}, publication`
  const { visibility } = await target('GET', site.to)
  const isClosed = someText(site.fields.visibility) === visibility && (await keepsConditions(copying, site))
  if (isClosed) await writing(copying, what, () => target('POST', `${site.to}/publish`))
  else
    reportOn(
      copying,
      'unwritten',
      what,
      'is not published, because its visibility or a condition of its spaces and sections could not be copied',
    )
}

async function makeSite(copying: Copying, path: string, fields: JsonRecord): Promise<CopiedSite | undefined> {
  const { target, to, journal } = copying
  const id = jsonText(fields.id)
  const given = jsonText(fields.title)
  const title = given.length < 2 ? 'Documentation' : shorten(given, LONGEST_TITLE)
  const what = reportLabel('Site', title)
  const into = `/orgs/${segment(to)}/sites`
  const made = await madeOnce(
    copying,
    { kind: 'site', id, what },
    async () => {
      const body = { title, ...fieldsIn(fields, ['visibility', 'type']) }
      const site = await target('POST', into, body).catch((error: unknown) => {
        if (error instanceof RefusedCall && error.status === 400) return target('POST', into, { title })
        throw error
      })
      return jsonText(site.id)
    },
    async () => {
      const like = (await listed(target, into)).filter(
        (one) => one.title === title && !journal.isTaken('site', jsonText(one.id)),
      )
      return someText(like.at(-1)?.id)
    },
  )
  if (made === undefined) return undefined
  return { from: `${path}/${segment(id)}`, to: `${into}/${segment(made)}`, what, fields }
}

/** Copies the claims of visitors, which conditions read. */
async function copySchema(copying: Copying, { from, to, what }: CopiedSite): Promise<void> {
  const { source, target } = copying
  await doneOnce(copying, `claims of ${from}`, async () => {
    const found = await reading(copying, `${what}, claims`, () =>
      source('GET', `${from}/adaptive-schema`).catch((error: unknown) => {
        // A site without a schema, as most are.
        if (error instanceof RefusedCall && error.status === 404) return NO_SCHEMA
        throw error
      }),
    )
    const jsonSchema = found?.jsonSchema
    if (jsonSchema === undefined || Object.keys(jsonRecord(jsonRecord(jsonSchema).properties)).length === 0)
      return
    await writing(copying, `${what}, claims`, () => target('PUT', `${to}/adaptive-schema`, { jsonSchema }))
  })
}

async function copySettings(copying: Copying, { to, what, fields }: CopiedSite): Promise<void> {
  const copy = await copying.target('GET', to)
  const origin = someText(jsonRecord(fields.proxy).origin)
  const enabled = jsonRecord(fields.adaptiveContent).enabled
  await writeSettings(
    copying,
    what,
    { path: to },
    {
      ...changed(fields, copy, ['title', 'visibility', 'basename', 'hostname']),
      ...(origin === undefined ? {} : { proxy: origin.replace(/^https?:\/\//, '') }),
      ...(enabled === true ? { adaptiveContent: { enabled } } : {}),
    },
  )
}

/** Copies the redirects. The target replaces a redirect that has the source. */
async function copyRedirects(copying: Copying, { from, to, what }: CopiedSite): Promise<void> {
  const { source, target } = copying
  await doneOnce(copying, `redirects of ${from}`, async () => {
    const label = `${what}, redirects`
    const all = (await reading(copying, label, () => listed(source, `${from}/redirects`))) ?? []
    const ready = all.flatMap((redirect) => {
      const destination = copiedDestination(copying, jsonRecord(redirect.destination))
      if (destination)
        return [
          {
            ...fieldsIn(redirect, ['source', 'captureWildcard', 'permanent']),
            ...(redirect.draft === true && { intent: 'draft' }),
            destination,
          },
        ]
      reportOn(copying, 'unwritten', `${label}, ${jsonText(redirect.source)}`, 'its destination has no copy')
      return []
    })
    for (let start = 0; start < ready.length; start += REDIRECTS_AT_ONCE) {
      const redirects = ready.slice(start, start + REDIRECTS_AT_ONCE)
      const answer = await writing(copying, label, () => target('PUT', `${to}/redirects`, { redirects }))
      for (const { status, source: path, error } of jsonRecords(answer?.results))
        if (status === 'error') reportOn(copying, 'unwritten', `${label}, ${jsonText(path)}`, jsonText(error))
    }
  })
}

/** A destination with the ids of the target; undefined if one of them has no copy. */
function copiedDestination({ journal }: Copying, destination: JsonRecord): JsonRecord | undefined {
  const { kind } = destination
  if (kind === 'external') return destination
  if (kind === 'site-section') {
    const section = journal.target('section', jsonText(destination.siteSectionId))
    return section === undefined ? undefined : { kind, siteSectionId: section }
  }
  const from = jsonText(destination.siteSpaceId)
  const siteSpace = journal.target('site-space', from)
  if (siteSpace === undefined) return undefined
  if (kind === 'site-space') return { kind, siteSpaceId: siteSpace }
  if (kind !== 'site-page') return undefined
  const space = journal.target('space of site space', from) ?? ''
  const page = journal.target('page', contentKey(space, jsonText(destination.pageId)))
  return page === undefined ? undefined : { kind, siteSpaceId: siteSpace, pageId: page }
}

/** Copies the MCP servers of others that the site names, with their headers. A source without such servers has no list. */
async function copyMcpServers(copying: Copying, { from, to, what }: CopiedSite): Promise<void> {
  const { source, target, journal } = copying
  const label = `${what}, MCP servers`
  const path = `${to}/mcp-servers`
  const servers = await reading(copying, label, () =>
    listed(source, `${from}/mcp-servers`).catch((error: unknown) => {
      if (error instanceof RefusedCall && error.status === 404) return []
      throw error
    }),
  )
  for (const server of servers ?? []) {
    const { id, name, url } = server
    await madeOnce(
      copying,
      { kind: 'mcp-server', id: jsonText(id), what: `${what}, ${reportLabel('MCP server', jsonText(name))}` },
      async () => {
        const fields = fieldsIn(server, ['name', 'url', 'transport', 'headers', 'condition'])
        return jsonText((await target('POST', path, fields)).id)
      },
      async () =>
        someText(
          (await listed(target, path)).find(
            (one) => one.name === name && one.url === url && !journal.isTaken('mcp-server', jsonText(one.id)),
          )?.id,
        ),
    )
  }
}

/** Creates share links of the same names. Their keys are secrets that no server returns, so the addresses are new. */
async function copyShareLinks(copying: Copying, { from, to, what, fields }: CopiedSite): Promise<void> {
  const { source, target, journal } = copying
  if (fields.visibility !== 'share-link') return
  const path = `${to}/share-links`
  const links =
    (await reading(copying, `${what}, share links`, () => listed(source, `${from}/share-links`))) ?? []
  for (const { id, name, active } of links) {
    const label = `${what}, ${reportLabel('share link', jsonText(name))}`
    const made = await madeOnce(
      copying,
      { kind: 'share-link', id: jsonText(id), what: label },
      async () => {
        const link = jsonText((await target('POST', path, { name: someText(name) ?? 'Link' })).id)
        reportOn(copying, 'copied-differently', label, 'has another address')
        return link
      },
      async () =>
        someText(
          (await listed(target, path)).find(
            (one) => one.name === name && !journal.isTaken('share-link', jsonText(one.id)),
          )?.id,
        ),
    )
    if (made !== undefined && active === false)
      await doneOnce(copying, `share link ${jsonText(id)}`, () =>
        writeSettings(copying, label, { path: `${path}/${segment(made)}` }, { active: false }),
      )
  }
}

/** Copies where visitors sign in. The key that signs their tokens stays a secret of each server. */
async function copySignIn(copying: Copying, { from, to, what, fields }: CopiedSite): Promise<void> {
  if (fields.visibility !== 'visitor-auth') return
  const label = `${what}, sign-in of visitors`
  const auth = await reading(copying, label, () => copying.source('GET', `${from}/publishing/auth`))
  if (!auth) return
  reportOn(
    copying,
    'copied-differently',
    label,
    'the copy has another private key: sign the tokens of visitors with it',
  )
  const fallbackURL = someText(auth.fallbackURL)
  if (fallbackURL === undefined) return
  await writing(copying, label, () =>
    copying.target('PATCH', `${to}/publishing/auth`, { backend: 'custom', fallbackURL }),
  )
}
