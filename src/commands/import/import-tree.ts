/** Imports one documentation tree into a space: the one that is named, the one that it made before, or a new one. */
import type { Problem } from '../../core/repository/model.ts'
import { LANGUAGES } from '../../core/languages/content-languages.ts'
import { shorten } from '../../core/text/shorten.ts'
import type { SyncResult } from '../../model/proposals/space-source.ts'
import type { Recognized } from '../../core/sources/tools/recognize.ts'
import { brokenLinksOf } from '../broken-links.ts'
import { type Call, RefusedCall } from '../client.ts'
import { withImportProgress } from './import-progress.ts'
import { type ReportedProblem, reportedProblems } from './import-report.ts'
import { variantTitle } from './import-site.ts'
import type { ImportTree } from './import-trees.ts'
import type { ImportOrigin } from '../git/origin.ts'
import type { ProgressOptions } from '../progress-bar.ts'
import { UsageError } from '../usage.ts'

/** The longest title of a space. */
const LONGEST_TITLE = 50

/** The parameters that the trees of an import share. */
export interface Importing {
  call: Call
  organization: string
  origin: ImportOrigin
  /** Where the server finds the source. */
  url: string
  progress: ProgressOptions
}

/** How a tree is imported. */
export interface TreeOptions {
  space?: string | undefined
  sync?: boolean | undefined
  new?: boolean | undefined
  title?: string | undefined
  language?: string | undefined
  /** The space is one of several variants of a documentation. */
  isVariant?: boolean
}

/** A tree that was imported. */
export interface ImportedTree {
  tree: ImportTree
  space: ImportTarget
  /** The title that the options or the content give it. */
  title: string
  result: ImportResult
  problems: ReportedProblem[]
  links: string
}

interface ImportTarget {
  spaceId: string
  isNew: boolean
  isSync: boolean
  urls: { location: string; published?: string }
}

interface ImportResult {
  title?: string
  recognized?: Recognized
  importedResources: number
  problems: Problem[]
  sync?: SyncResult
}

/** Imports a tree. @throws UsageError with the flag that mends the fault */
export async function importTree(
  importing: Importing,
  tree: ImportTree,
  options: TreeOptions,
): Promise<ImportedTree> {
  const { call, origin, url, progress } = importing
  const space = await importTarget(importing, tree, options)
  const body = {
    url,
    source: origin.source,
    ...(tree.folder === undefined ? {} : { root: tree.folder }),
    ...(space.isSync ? { sync: tree.sync } : {}),
  }
  const work = () => call('POST', `/spaces/${space.spaceId}/content/import`, body)
  const result = (await withImportProgress(call, space.spaceId, work, progress).catch(
    async (error: unknown) => {
      await removeRefused(call, space, error)
      return explain(error, space)
    },
  )) as unknown as ImportResult
  await nameSpace(call, space, titleFor(tree, options, result.title), options)
  const title = options.title ?? result.title ?? tree.title
  return { tree, space, title, result, ...(await problemsOf(call, space.spaceId, result)) }
}

async function importTarget(
  { call, organization }: Importing,
  tree: ImportTree,
  { space, sync = false, language, new: isForced = false, ...options }: TreeOptions,
): Promise<ImportTarget> {
  const orgPath = `/orgs/${encodeURIComponent(organization)}/spaces`
  const target = (found: Record<string, unknown>, isNew: boolean, isSync: boolean): ImportTarget => ({
    spaceId: found.id as string,
    isNew,
    isSync,
    urls: found.urls as ImportTarget['urls'],
  })
  if (space !== undefined)
    return target(await call('GET', `/spaces/${encodeURIComponent(space)}`), false, sync)
  if (!isForced) {
    const { items } = await call('GET', `${orgPath}?limit=1&source=${tree.sync.key}`)
    const [known] = items as Record<string, unknown>[]
    if (known) return target(known, false, true)
    if (sync)
      throw new UsageError(
        'This source has not been imported yet; name the space to keep equal to it with --space',
      )
  }
  const title = titleFor(tree, options, tree.title)
  const named = { title, ...languageFields(language) }
  return target(await call('POST', orgPath, named), true, true)
}

/** The title of a space: that of the options, or else the one that is found. */
function titleFor(tree: ImportTree, { title, isVariant }: TreeOptions, found: string): string
function titleFor(tree: ImportTree, options: TreeOptions, found: string | undefined): string | undefined
function titleFor({ variant }: ImportTree, { title, isVariant = false }: TreeOptions, found?: string) {
  const named = title ?? found
  if (named === undefined) return undefined
  return isVariant && variant ? variantTitle(named, variant, LONGEST_TITLE) : shorten(named, LONGEST_TITLE)
}

/** The fields of a space for a language: its code, or a tag of a language without one. */
function languageFields(language: string | undefined): { language?: string; languageTag?: string } {
  if (language === undefined) return {}
  return LANGUAGES.includes(language) ? { language } : { languageTag: language }
}

/** Gives a new space the title of its content, and any space what the options name. */
async function nameSpace(
  call: Call,
  { spaceId, isNew }: ImportTarget,
  title: string | undefined,
  options: TreeOptions,
): Promise<void> {
  const isNamed = title !== undefined && (isNew || options.title !== undefined)
  const named = {
    ...(isNamed ? { title } : {}),
    ...(isNew ? {} : languageFields(options.language)),
  }
  if (Object.keys(named).length > 0) await call('PATCH', `/spaces/${spaceId}`, named)
}

/** Deletes a space that was made for an import that the server refused. Otherwise each attempt would leave one. */
async function removeRefused(call: Call, { spaceId, isNew }: ImportTarget, error: unknown): Promise<void> {
  if (!isNew || !(error instanceof RefusedCall) || error.status >= 500) return
  // The reason why the import was refused is worth more than that of this call.
  await call('DELETE', `/spaces/${spaceId}`).catch(() => undefined)
}

/** Names the flags of the command line in messages of the server. */
function explain(error: unknown, { isSync }: ImportTarget): never {
  if (!(error instanceof UsageError)) throw error
  const named = error.message
    .replace('with its folder as "root"', 'with --root <folder>')
    .replace('with "root": ""', "with --root ''")
  const isLocked = !isSync && /is locked/.test(named)
  throw new UsageError(isLocked ? `${named}. With --sync, a change request gets the changes` : named)
}

/** The problems of an import, and those of its links. What cannot be found out does not make the import fail. */
async function problemsOf(
  call: Call,
  space: string,
  { problems, sync }: ImportResult,
): Promise<{ problems: ReportedProblem[]; links: string }> {
  const proposal = sync?.changeRequest
  const of = `/spaces/${space}${proposal ? `/change-requests/${proposal.id}` : ''}`
  try {
    const { links, summary, total } = await brokenLinksOf(call, of)
    const more = total > 0 && !proposal ? `; list them with: lectern links ${space}` : ''
    return { problems: reportedProblems(problems, links), links: `${summary}${more}` }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { problems: reportedProblems(problems, []), links: `not checked: ${error.message}` }
  }
}
