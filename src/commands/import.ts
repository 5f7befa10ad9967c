import { LANGUAGES } from '../core/language.ts'
import type { Problem } from '../core/repository/model.ts'
import { shorten } from '../core/shorten.ts'
import type { SyncResult } from '../model/proposals/space-source.ts'
import { type Call, connect, firstOrganization } from './client.ts'
import { brokenLinksOf } from './broken-links.ts'
import {
  checkReportFile,
  countOf,
  printedReport,
  type ReportedProblem,
  reportedProblems,
  unprinted,
  writeReport,
} from './import-report.ts'
import { type ImportOrigin, openOrigin, type OriginOptions } from './origin.ts'
import { progressBar } from './progress.ts'
import { withImportProgress } from './import-progress.ts'
import { uploadFile } from './upload.ts'
import { UsageError } from './usage.ts'

export interface ImportOptions extends OriginOptions {
  space?: string | undefined
  sync?: boolean | undefined
  new?: boolean | undefined
  root?: string | undefined
  title?: string | undefined
  language?: string | undefined
  org?: string | undefined
  site?: boolean | undefined
  report?: string | undefined
  quiet?: boolean | undefined
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
  if (options.report !== undefined) checkReportFile(options.report)
  checkLanguage(options.language)
  const call = await connect(options)
  const progress = { isQuiet: options.quiet }
  const opening = progressBar('Opening', progress)
  await using origin = await openOrigin(from, options).finally(() => opening.end())

  const organization = options.org ?? (await firstOrganization(call))
  const space = await targetOf(call, organization, origin, options)
  const { spaceId, isNew } = space
  const url =
    'url' in origin.from ? origin.from.url : await uploadFile(call, organization, origin.from, progress)
  const body = {
    url,
    source: origin.source,
    ...(options.root === undefined ? {} : { root: options.root }),
    ...(space.isSync ? { sync: origin.sync } : {}),
  }
  const work = () => call('POST', `/spaces/${spaceId}/content/import`, body)
  const result = (await withImportProgress(call, spaceId, work, progress).catch((error: unknown) =>
    explain(error, space),
  )) as unknown as ImportResult
  const title = await nameSpace(call, space, result.title, options)
  const { problems, links } = await problemsOf(call, spaceId, result, origin)
  printResult(result, problems, options.report)

  console.log(`Space  ${space.urls.location}`)
  if (result.sync?.changeRequest)
    console.log(`Change request ${result.sync.changeRequest.number} has the changes`)
  if (options.site !== false) {
    const site =
      space.urls.published ??
      (isNew ? await publish(call, organization, title ?? origin.title, spaceId) : undefined)
    if (site) console.log(`Site   ${site}`)
  }
  console.log(`Links  ${links}`)
  if (options.report === undefined) return
  const spaces = [{ id: spaceId, url: space.urls.location, imported: result.importedResources }]
  await writeReport(options.report, { source: origin.sync.name, spaces, problems })
  console.log(`Report ${options.report}`)
}

/** The longest title of a space. */
const LONGEST_TITLE = 50

interface ImportResult {
  title?: string
  importedResources: number
  problems: Problem[]
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
  { space, sync = false, title = origin.title, language, new: isForced = false }: ImportOptions,
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
  const named = { title: shorten(title, LONGEST_TITLE), ...(language === undefined ? {} : { language }) }
  return target(await call('POST', orgPath, named), true, true)
}

/**
 * Gives a new space the title of its content, and any space what the options name. @returns the title of the content or of the
 * options
 */
async function nameSpace(
  call: Call,
  { spaceId, isNew }: Target,
  found: string | undefined,
  { title = isNew ? found : undefined, language }: ImportOptions,
): Promise<string | undefined> {
  const named = {
    ...(title === undefined ? {} : { title: shorten(title, LONGEST_TITLE) }),
    ...(language === undefined || isNew ? {} : { language }),
  }
  if (Object.keys(named).length > 0) await call('PATCH', `/spaces/${spaceId}`, named)
  return title
}

function checkLanguage(language: string | undefined): void {
  if (language === undefined || LANGUAGES.includes(language)) return
  throw new UsageError(`--language must be one of ${LANGUAGES.join(', ')}, but was "${language}"`)
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

/** The problems of an import, and those of its links. What cannot be found out does not make the import fail. */
async function problemsOf(
  call: Call,
  space: string,
  { problems, sync }: ImportResult,
  origin: ImportOrigin,
): Promise<{ problems: ReportedProblem[]; links: string }> {
  const proposal = sync?.changeRequest
  const of = `/spaces/${space}${proposal ? `/change-requests/${proposal.id}` : ''}`
  try {
    const { links, summary, total } = await brokenLinksOf(call, of)
    const more = total > 0 && !proposal ? `; list them with: lectern links ${space}` : ''
    return { problems: reportedProblems(origin.problems, problems, links), links: `${summary}${more}` }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return {
      problems: reportedProblems(origin.problems, problems, []),
      links: `not checked: ${error.message}`,
    }
  }
}

function printResult(
  { importedResources, sync }: ImportResult,
  problems: readonly ReportedProblem[],
  file: string | undefined,
): void {
  console.log(`Imported ${countOf(importedResources)}`)
  if (sync) console.log(`Pages  ${sync.created} created, ${sync.updated} changed, ${sync.deleted} deleted`)
  if (sync && sync.conflicts > 0) console.log(`       ${sync.conflicts} conflicts`)
  for (const line of printedReport(problems)) console.log(line)
  const more = unprinted(problems)
  if (more > 0 && file === undefined) console.log(`  and ${more} more; --report <file> writes all of them`)
}
