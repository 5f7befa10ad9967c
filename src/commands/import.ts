import { shorten } from '../core/shorten.ts'
import type { SyncResult } from '../model/proposals/space-source.ts'
import { type Call, connect, firstOrganization } from './client.ts'
import { printLinkSummary } from './links.ts'
import { type ImportOrigin, openOrigin, type OriginOptions } from './origin.ts'
import { progressBar } from './progress.ts'
import { uploadFile } from './upload.ts'
import { UsageError } from './usage.ts'

export interface ImportOptions extends OriginOptions {
  space?: string | undefined
  sync?: boolean | undefined
  new?: boolean | undefined
  root?: string | undefined
  title?: string | undefined
  org?: string | undefined
  site?: boolean | undefined
  url?: string | undefined
  token?: string | undefined
}

/**
 * Imports a file, a folder, a repository or a website into a running server, and publishes it as a site. What was imported
 * before is imported into the space that it made then. It uses only the HTTP API.
 */
export async function importCommand([from, ...more]: string[], options: ImportOptions): Promise<void> {
  if (!from || more.length > 0)
    throw new UsageError(
      'Name one file, folder or repository to import: lectern import <file, folder or URL>',
    )
  if (options.new && (options.space || options.sync))
    throw new UsageError('--new makes a space, so it cannot be used with --space or --sync')
  const call = await connect(options)
  await using origin = await openOrigin(from, options)

  const organization = options.org ?? (await firstOrganization(call))
  const space = await targetOf(call, organization, origin, options)
  const { spaceId, isNew } = space
  const url = 'url' in origin.from ? origin.from.url : await uploadFile(call, organization, origin.from)
  const done = progressBar('Importing')
  const result = (await call('POST', `/spaces/${spaceId}/content/import`, {
    url,
    source: origin.source,
    ...(options.root === undefined ? {} : { root: options.root }),
    ...(space.isSync ? { sync: origin.sync } : {}),
  })
    .finally(() => done.end())
    .catch((error: unknown) => explain(error, space))) as unknown as ImportResult
  report(result, origin)

  console.log(`Space  ${space.urls.location}`)
  if (result.sync?.changeRequest)
    console.log(`Change request ${result.sync.changeRequest.number} has the changes`)
  if (options.site !== false) {
    const title = options.title ?? origin.title
    const site =
      space.urls.published ?? (isNew ? await publish(call, organization, title, spaceId) : undefined)
    if (site) console.log(`Site   ${site}`)
  }
  await printLinkSummary(call, spaceId)
}

interface ImportResult {
  importedResources: number
  totalResources: number
  problems: { path: string; message: string }[]
  sync?: SyncResult
}

interface Target {
  spaceId: string
  isNew: boolean
  isSync: boolean
  urls: { location: string; published?: string }
}

/** The space to import into: the one that is named, the one that the same source made before, or a new one. */
async function targetOf(
  call: Call,
  organization: string,
  origin: ImportOrigin,
  { space, sync = false, title = origin.title, new: isForced = false }: ImportOptions,
): Promise<Target> {
  const orgPath = `/orgs/${encodeURIComponent(organization)}/spaces`
  const target = (found: Record<string, unknown>, isNew: boolean, isSync: boolean): Target => ({
    spaceId: found.id as string,
    isNew,
    isSync,
    urls: found.urls as Target['urls'],
  })
  if (space !== undefined)
    return target(await call('GET', `/spaces/${encodeURIComponent(space)}`), false, sync)
  if (!isForced) {
    const { items } = await call('GET', `${orgPath}?limit=1&source=${origin.sync.key}`)
    const [known] = items as Record<string, unknown>[]
    if (known) return target(known, false, true)
    if (sync)
      throw new UsageError(
        'This source has not been imported yet; name the space to keep equal to it with --space',
      )
  }
  return target(await call('POST', orgPath, { title: shorten(title, 50) }), true, true)
}

/** Names the flags of the command line in messages of the server. */
function explain(error: unknown, { isSync }: Target): never {
  if (!(error instanceof UsageError)) throw error
  const named = error.message
    .replace('with its folder as "root"', 'with --root <folder>')
    .replace('with "root": ""', "with --root ''")
  const isLocked = !isSync && /is locked/.test(named)
  throw new UsageError(isLocked ? `${named}. With --sync, a change request gets the changes` : named)
}

async function publish(call: Call, organization: string, title: string, space: string): Promise<string> {
  const name = title.length < 2 ? 'Documentation' : shorten(title, 128)
  const site = await call('POST', `/orgs/${organization}/sites`, { title: name, spaces: [space] })
  const { urls } = await call('POST', `/orgs/${organization}/sites/${String(site.id)}/publish`)
  return (urls as { published: string }).published
}

function report(
  { importedResources, totalResources, problems, sync }: ImportResult,
  origin: ImportOrigin,
): void {
  console.log(`Imported ${importedResources} of ${totalResources} pages and files`)
  if (sync) console.log(`Pages  ${sync.created} created, ${sync.updated} changed, ${sync.deleted} deleted`)
  if (sync && sync.conflicts > 0) console.log(`       ${sync.conflicts} conflicts`)
  const all = [...origin.problems, ...problems]
  for (const { path, message } of all.slice(0, 20)) console.log(`  ${path}: ${message}`)
  if (all.length > 20) console.log(`  and ${all.length - 20} more`)
}
