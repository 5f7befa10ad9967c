/** What attacks have in common: their place, and requests that may be refused. */
import type { Running } from './measure.ts'

/** The place of an attack: a space and a published site of an organization that nobody else is in. */
export interface Attacked {
  organization: string
  space: string
  siteId: string
  /** The address at which the site is published. */
  published: string
  /** The same on the host of the API. */
  site: string
}

/** Runs once; an attack repeats it until its time is over. */
export type Attack = (lectern: Running, attacked: Attacked, round: number) => Promise<unknown>

/** Inserts a page. */
export function insert(lectern: Running, space: string, markdown: string): Promise<void> {
  return send(lectern, `/v1/spaces/${space}/content`, {
    changes: [{ operation: 'insert_page', document: { markdown } }],
  })
}

/** Imports a zip archive. It may be refused. */
export async function importBytes(
  lectern: Running,
  { organization, space }: Attacked,
  bytes: Uint8Array,
): Promise<void> {
  const upload = await lectern
    .call('POST', `/v1/orgs/${organization}/storage/upload`, {
      file: { name: 'a.zip', type: 'application/zip', size: bytes.length },
      kind: 'import_file',
    })
    // The uploads of a day have a limit.
    .catch(() => undefined)
  if (!upload) return
  const { pathname, search } = new URL(upload.url as string)
  await fetch(lectern.url + pathname + search, { method: 'PUT', body: Buffer.from(bytes) })
  await send(lectern, `/v1/spaces/${space}/content/import`, { url: upload.url, source: 'zip' })
}

/** Sends a request of an attack. It may be refused, for example because too many wait. */
export async function send(
  { url, token }: Running,
  path: string,
  body?: unknown,
  method = 'POST',
): Promise<void> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  if (answer.status >= 500 && answer.status !== 503) throw new Error(`${path} answered ${answer.status}`)
}
