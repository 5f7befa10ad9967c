import { type Static, Type } from 'typebox'
import { randomText } from '../../core/data/id.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { conflict, invalidField } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, Uri } from '../common.ts'
import { touchSite } from './site.ts'
import { because } from '../../core/languages/reasons.ts'

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
/** A full host name in lower case. Its last part begins with a letter, so an IP address is none. */
export const CustomHost = Type.String({
  maxLength: 253,
  pattern: `^(${LABEL}\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`,
  'x-pattern': 'be a host name in lower case, such as "docs.example.com"',
})

export const CustomHostname = Type.Object(
  {
    object: oneOf(['custom-hostname']),
    hostname: Type.String(),
    target: Type.Object({ type: oneOf(['site']), site: Type.String() }),
    isActive: Type.Boolean({ description: 'Whether the site is served at the host name' }),
    status: oneOf(['dns_passed', 'dns_no_cname'], {
      description: 'Whether the last check found the DNS record of `verification`',
    }),
    verification: Type.Object(
      { type: oneOf(['TXT']), name: Type.String(), value: Type.String() },
      { description: 'The DNS record that proves whose the host name is' },
    ),
    urls: Type.Object({ location: Uri }),
  },
  { title: 'CustomHostname' },
)

type HostnameRow = Row<'customHostname'>

/** A custom host name of a site as a resource. */
export function toCustomHostname(urls: Urls, row: HostnameRow): Static<typeof CustomHostname> {
  const { hostname, siteId, challenge, isActive } = row
  return {
    object: 'custom-hostname',
    hostname,
    target: { type: 'site', site: siteId ?? '' },
    isActive: isActive === 1,
    status: isActive === 1 ? 'dns_passed' : 'dns_no_cname',
    verification: { type: 'TXT', name: challengeName(hostname), value: challenge },
    urls: { location: urls.api(`/custom-hostnames/${hostname}`) },
  }
}

/** The name of the DNS record with the challenge of a host name. */
export const challengeName = (hostname: string) => `_lectern-challenge.${hostname}`

/**
 * Claims a host name for a site. The site is served there when the DNS proves the claim. Until then, another site can
 * claim it too, so that nobody can keep a name that is not theirs from its owner.
 * @throws 400 for a name of the installation, 409 if the name of another site is proved
 */
export async function claimHostname(
  tx: Tx,
  urls: Urls,
  site: Row<'site'>,
  hostname: string,
  now: Date,
): Promise<void> {
  if (isOwnHost(urls, hostname))
    throw invalidField('body.hostname', because('host-name-of-installation', { name: hostname }))
  const known = await tx
    .selectFrom('customHostname')
    .select(['siteId', 'isActive'])
    .where('hostname', '=', hostname)
    .executeTakeFirst()
  if (known?.siteId === site.id) return
  if (known?.isActive === 1) throw conflict(because('host-name-taken', { name: hostname }))

  await tx.deleteFrom('customHostname').where('hostname', '=', hostname).execute()
  await tx.deleteFrom('customHostname').where('siteId', '=', site.id).where('isActive', '=', 0).execute()
  await tx
    .insertInto('customHostname')
    .values({
      hostname,
      organizationId: site.organizationId,
      siteId: site.id,
      challenge: `lectern-verification=${randomText(32)}`,
      isActive: 0,
      status: 'dns_no_cname',
      checkedAt: null,
      createdAt: now.toISOString(),
    })
    .execute()
}

/** Whether a host name is that of the API or of its sites, or below that of the sites. */
function isOwnHost(urls: Urls, hostname: string): boolean {
  const site = new URL(urls.siteTarget({ hostname: null, basename: 'site' }, 'site')).hostname
  const sitesHost = site.slice('site.'.length)
  return (
    hostname === sitesHost ||
    hostname.endsWith(`.${sitesHost}`) ||
    hostname === new URL(urls.api('')).hostname
  )
}

/** Records whether the DNS proves a claim. If it does, the site is served at the host name and at no other one. */
export async function recordCheck(
  tx: Tx,
  { hostname, siteId, isActive }: HostnameRow,
  isProved: boolean,
  now: Date,
): Promise<void> {
  const flag = isProved ? (1 as const) : (0 as const)
  const status = isProved ? 'dns_passed' : 'dns_no_cname'
  await tx
    .updateTable('customHostname')
    .set({ isActive: flag, status, checkedAt: now.toISOString() })
    .where('hostname', '=', hostname)
    .execute()
  if (siteId === null || flag === isActive) return
  if (isProved)
    await tx
      .deleteFrom('customHostname')
      .where('siteId', '=', siteId)
      .where('hostname', '!=', hostname)
      .execute()
  await serveAt(tx, siteId, isProved ? hostname : null, now)
}

/** Removes the claims of a site, or one of them. The site is then served at the host name of its organization only. */
export async function releaseHostname(tx: Tx, siteId: string, now: Date, hostname?: string): Promise<void> {
  const removed = await tx
    .deleteFrom('customHostname')
    .where('siteId', '=', siteId)
    .$if(hostname !== undefined, (some) => some.where('hostname', '=', hostname ?? ''))
    .returning('isActive')
    .execute()
  if (removed.some(({ isActive }) => isActive === 1)) await serveAt(tx, siteId, null, now)
}

async function serveAt(tx: Tx, id: string, hostname: string | null, now: Date): Promise<void> {
  await tx.updateTable('site').set({ hostname }).where('id', '=', id).execute()
  await touchSite(tx, { id }, now)
}
