import type { Reader } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { siteAtHost } from './published/open-site.ts'

/**
 * Whether this installation serves something at a host name: the API, the sites of an organization, or a published site
 * whose claim of the name is proved.
 * @param host in lower case, without a port
 */
export async function servesHost(db: Reader, urls: Urls, host: string): Promise<boolean> {
  if (host === new URL(urls.api('')).hostname) return true
  return (await isOrganizationHost(db, urls, host)) || (await siteAtHost(db, host))?.published === 1
}

async function isOrganizationHost(db: Reader, urls: Urls, host: string): Promise<boolean> {
  const url = URL.parse(`https://${host}/`)
  // The parser also accepts other spellings, and credentials or paths. A certificate is for the name alone.
  if (url?.hostname !== host) return false
  const place = urls.sitesAt(url)
  if (!place) return false
  const found = await db
    .selectFrom('organization')
    .select('id')
    .where('hostname', '=', place.organizationHostname)
    .executeTakeFirst()
  return found !== undefined
}
