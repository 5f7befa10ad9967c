import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { readConfig } from '../config.ts'
import { shorten } from '../core/shorten.ts'
import { readLocal } from '../setup.ts'
import { progressBar } from './progress.ts'
import { UsageError } from './usage.ts'

const CHUNK = 256 * 1024

export interface ImportOptions {
  space?: string | undefined
  title?: string | undefined
  org?: string | undefined
  site?: boolean | undefined
  url?: string | undefined
  token?: string | undefined
}

/** Imports a file into a running server and publishes it as a site. It uses only the HTTP API. */
export async function importCommand([file, ...more]: string[], options: ImportOptions): Promise<void> {
  if (!file || more.length > 0) throw new UsageError('Name one file to import: lectern import <file>')
  const size = sizeOf(file)
  const source = sourceOf(file)
  const call = await connect(options)

  const organization = options.org ?? (await firstOrganization(call))
  const target = await call('POST', `/orgs/${organization}/storage/upload`, {
    file: { name: basename(file), type: source === 'zip' ? 'application/zip' : 'text/markdown', size },
    kind: 'import_file',
  })
  await upload(file, size, target.url as string)

  const title = options.title ?? titleOf(file)
  const space = options.space
    ? await call('GET', `/spaces/${options.space}`)
    : await call('POST', `/orgs/${organization}/spaces`, { title: shorten(title, 50) })
  const spaceId = space.id as string
  const done = progressBar('Importing')
  const result = await call('POST', `/spaces/${spaceId}/content/import`, { url: target.url, source }).finally(
    () => done.end(),
  )
  report(result as unknown as ImportResult)

  const urls = space.urls as { location: string; published?: string }
  console.log(`Space  ${urls.location}`)
  if (options.site === false) return
  const site =
    urls.published ?? (options.space ? undefined : await publish(call, organization, title, spaceId))
  if (site) console.log(`Site   ${site}`)
}

type Json = Record<string, unknown>
type Call = (method: string, path: string, body?: Json) => Promise<Json>

interface ImportResult {
  importedResources: number
  totalResources: number
  problems: { path: string; message: string }[]
}

async function connect({ url, token }: ImportOptions): Promise<Call> {
  const { data } = readConfig(process.env)
  const local = url && token ? { url, token } : readLocal(data)
  const server = { url: url ?? local?.url, token: token ?? local?.token }
  if (!server.url || !server.token) {
    throw new UsageError(
      `No server has been started with the data folder ${data}. Start one with "npm start", or name one with --url and --token.`,
    )
  }

  return async (method, path, body) => {
    const response = await fetch(`${server.url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${server.token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => {
      throw new UsageError(
        `The server at ${server.url} cannot be reached. Start it with "npm start", or name another with --url.`,
      )
    })
    const answer = (await response.json().catch(() => ({}))) as Json & { error?: { message: string } }
    if (!response.ok)
      throw new UsageError(answer.error?.message ?? `${server.url} returned ${response.status}`)
    return answer
  }
}

async function firstOrganization(call: Call): Promise<string> {
  const { items } = (await call('GET', '/orgs?limit=1')) as unknown as { items: { id: string }[] }
  const [first] = items
  if (!first) throw new UsageError('The user of the token is in no organization; name one with --org')
  return first.id
}

async function upload(file: string, size: number, url: string): Promise<void> {
  const bar = progressBar('Uploading', size)
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
    body: ReadableStream.from(pieces(file, bar.add)),
    duplex: 'half',
  }).finally(() => bar.end())
  if (response.ok) return
  const answer = (await response.json().catch(() => ({}))) as { error?: { message: string } }
  throw new UsageError(answer.error?.message ?? `The upload failed with ${response.status}`)
}

async function* pieces(file: string, sent: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  await using handle = await open(file)
  const stream: AsyncIterable<Buffer> = handle.createReadStream({ highWaterMark: CHUNK, autoClose: false })
  for await (const piece of stream) {
    yield piece
    sent(piece.length)
  }
}

async function publish(call: Call, organization: string, title: string, space: string): Promise<string> {
  const name = title.length < 2 ? 'Documentation' : shorten(title, 128)
  const site = await call('POST', `/orgs/${organization}/sites`, { title: name, spaces: [space] })
  const { urls } = await call('POST', `/orgs/${organization}/sites/${String(site.id)}/publish`)
  return (urls as { published: string }).published
}

function report({ importedResources, totalResources, problems }: ImportResult): void {
  console.log(`Imported ${importedResources} of ${totalResources} pages and files`)
  for (const { path, message } of problems.slice(0, 20)) console.log(`  ${path}: ${message}`)
  if (problems.length > 20) console.log(`  and ${problems.length - 20} more`)
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new UsageError(`${file} is not a file`)
  return found.size
}

function sourceOf(file: string): 'zip' | 'markdown' {
  const extension = extname(file).toLowerCase()
  if (extension === '.zip') return 'zip'
  if (extension === '.md' || extension === '.markdown') return 'markdown'
  throw new UsageError(`${file} is neither a .zip archive nor a .md file`)
}

/** `elsa-docs.zip` → "Elsa docs". */
function titleOf(file: string): string {
  const words = basename(file, extname(file)).replace(/[-_]+/g, ' ').trim()
  return words ? words[0]?.toUpperCase() + words.slice(1) : 'Documentation'
}
