/** The ordinary work of an organization: readers, writers, merges, imports and new pages, at once. */
import { setTimeout as wait } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { onApiHost, type Running } from './measure.ts'

/** The pause of each party after each of its pieces of work. */
const PAUSE_MS = 50
/** After so many pages, a writer goes on in a new space. */
const PAGES_OF_SPACE = 200
const PAGES_OF_IMPORT = 30
/** Imports are rarer than the rest. */
const IMPORT_PAUSE_MS = 5_000

/** What the server has acknowledged, and how often it refused because it had too much to do. */
export interface Outcome {
  /** The titles of pages, by space. */
  written: Map<string, Set<string>>
  requests: number
  refused: number
}

/** A kind of work. @returns the pages that the server acknowledged, by title */
type Work = (place: Place, round: number) => Promise<string[]>

interface Place {
  lectern: Running
  space: string
  /** The address of the site that publishes the space. */
  site: string
  send: Send
}

/** Calls the API. Throws `Refused` if the server has too much to do, and fails on any other error. */
type Send = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>

class Refused extends Error {}

const markdown = (title: string) =>
  `---\ntitle: ${title}\n---\n\n${`Some words of *${title}*.\n\n`.repeat(30)}`
const inserting = (title: string) => ({
  changes: [{ operation: 'insert_page', document: { markdown: markdown(title) } }],
})

const WORK: Record<string, Work> = {
  async read({ lectern, space, site, send }) {
    await send('GET', `/v1/spaces/${space}/content/pages`)
    await send('GET', `/v1/spaces/${space}/content`)
    await (await fetch(site)).arrayBuffer()
    await (await fetch(`${lectern.url}/v1/spaces/${space}`)).arrayBuffer()
    return []
  },
  async write({ space, send }, round) {
    await send('POST', `/v1/spaces/${space}/content`, inserting(`Written ${round}`))
    return [`Written ${round}`]
  },
  async merge({ space, send }, round) {
    const title = `Merged ${round}`
    const { id } = await send('POST', `/v1/spaces/${space}/change-requests`, { subject: title })
    const base = `/v1/spaces/${space}/change-requests/${String(id)}`
    await send('POST', `${base}/content`, inserting(title))
    await send('POST', `${base}/merge`)
    return [title]
  },
  async render({ space, site, send }, round) {
    const title = `Rendered ${round}`
    await send('POST', `/v1/spaces/${space}/content`, inserting(title))
    for (const end of ['', '.md']) await (await fetch(`${site}rendered-${round}${end}`)).arrayBuffer()
    return [title]
  },
  async import({ lectern, space, send }, round) {
    await wait(IMPORT_PAUSE_MS)
    const titles = Array.from({ length: PAGES_OF_IMPORT }, (_, index) => `Imported ${round} ${index}`)
    const files = titles.map(
      (title, index) => [`p${round}-${index}.md`, Buffer.from(markdown(title))] as const,
    )
    const archive = zipSync(Object.fromEntries(files))
    const { organization } = await send('GET', `/v1/spaces/${space}`)
    const upload = await send('POST', `/v1/orgs/${String(organization)}/storage/upload`, {
      file: { name: 'pages.zip', type: 'application/zip', size: archive.length },
      kind: 'import_file',
    })
    const { pathname, search } = new URL(upload.url as string)
    await fetch(lectern.url + pathname + search, { method: 'PUT', body: Buffer.from(archive) })
    await send('POST', `/v1/spaces/${space}/content/import`, { url: upload.url, source: 'zip' })
    return titles
  },
}

/** Works in an organization, each kind on its own in a loop, until the signal. */
export async function work(
  lectern: Running,
  organization: string,
  outcome: Outcome,
  until: AbortSignal,
): Promise<void> {
  const send = sender(lectern, outcome)
  await Promise.all(
    Object.values(WORK).map(async (kind) => {
      let place = await newPlace(lectern, organization)
      for (let round = 0; !until.aborted; round++) {
        const written = outcome.written.get(place.space) ?? new Set()
        outcome.written.set(place.space, written)
        for (const title of await kind({ ...place, lectern, send }, round).catch(refused)) written.add(title)
        if (written.size >= PAGES_OF_SPACE) place = await newPlace(lectern, organization)
        await wait(PAUSE_MS)
      }
    }),
  )
}

function refused(error: unknown): string[] {
  if (error instanceof Refused) return []
  throw error
}

/** The acknowledged pages that the server does not have. */
export async function lost(lectern: Running, { written }: Outcome): Promise<string[]> {
  const missing: string[] = []
  for (const [space, titles] of written) {
    const { pages } = await lectern.call('GET', `/v1/spaces/${space}/content/pages`)
    const found = new Set((pages as { title: string }[]).map(({ title }) => title))
    for (const title of titles) if (!found.has(title)) missing.push(`${title} of ${space}`)
  }
  return missing
}

async function newPlace(lectern: Running, organization: string): Promise<{ space: string; site: string }> {
  const base = `/v1/orgs/${organization}`
  const { id } = await lectern.call('POST', `${base}/spaces`, { title: 'Worked in', editMode: 'live' })
  const site = await lectern.call('POST', `${base}/sites`, { title: 'Worked in', spaces: [id] })
  const { urls } = await lectern.call('POST', `${base}/sites/${String(site.id)}/publish`)
  return { space: String(id), site: onApiHost(lectern, (urls as { published: string }).published) }
}

function sender({ url, token }: Running, outcome: Outcome): Send {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    outcome.requests += 1
    if (response.ok) return JSON.parse(text) as Record<string, unknown>
    if (response.status !== 503 && response.status !== 429)
      throw new Error(`${method} ${path}: ${response.status} ${text}`)
    outcome.refused += 1
    throw new Refused(text)
  }
}
