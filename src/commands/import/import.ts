import { canonicalTag } from '../../core/languages/language-tag.ts'
import type { Recognized } from '../../core/sources/tools/recognize.ts'
import { shorten } from '../../core/text/shorten.ts'
import { type Call, connect, firstOrganization } from '../client.ts'
import { downloadOrigin } from '../download.ts'
import { checkAddresses, readOldAddresses } from './check-addresses.ts'
import {
  checkReportFile,
  countOf,
  hasLoss,
  printedReport,
  type ReportedProblem,
  skippedFiles,
  summaryOfProblems,
  unprinted,
  writeReport,
} from './import-report.ts'
import { siteOfTrees, treeSections, type TreeVariant } from './import-site.ts'
import { type ImportedTree, importTree } from './import-tree.ts'
import { type ChosenTrees, chooseTrees, type ImportTree } from './import-trees.ts'
import { type ImportOrigin, openOrigin, type OriginOptions } from '../git/origin.ts'
import { progressBar } from '../progress-bar.ts'
import { uploadFile } from '../upload.ts'
import { UsageError } from '../usage.ts'
import { printLines } from '../print.ts'

/** The exit code of an import that has succeeded, but with losses. */
const LOSS_CODE = 3

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
  'allow-loss'?: boolean | undefined
  'check-addresses'?: string | undefined
  quiet?: boolean | undefined
  url?: string | undefined
  token?: string | undefined
}

/**
 * Imports a file, a folder, a repository or a website into a running server, and publishes it as a site. What was imported
 * before is imported into the space that it made then. It uses only the HTTP API. The exit code is 3 if content was left out
 * or is shown as its source, unless the options allow it.
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
  const sitemap = options['check-addresses']
  const oldAddresses = sitemap === undefined ? undefined : await readOldAddresses(sitemap)
  const call = await connect(options)
  const progress = { isQuiet: options.quiet }
  const opening = progressBar('Opening', progress)
  await using opened = await openOrigin(from, options).finally(() => opening.end())
  const address = 'url' in opened.from && opened.source === 'zip' ? opened.from.url : undefined
  // The server finds the trees of an archive at an address, but does not return them.
  const isWhole = options.site !== true || options.root !== undefined || address === undefined
  await using origin = isWhole ? opened : await downloadOrigin(opened, address, progress)
  const chosen = await chooseTrees(origin, options)

  const organization = options.org ?? (await firstOrganization(call))
  const url =
    'url' in origin.from ? origin.from.url : await uploadFile(call, organization, origin.from, progress)
  const imported = await importTrees({ call, organization, origin, url, progress }, chosen, options)
  const folders = new Set(imported.map(({ tree }) => tree.folder))
  const problems = [
    ...skippedFiles(origin.problems),
    // One of the trees may name another one, which is imported into its own space.
    ...imported
      .flatMap((one) => one.problems)
      .filter(({ kind, path }) => kind !== 'unlisted-page' || !folders.has(path)),
  ]
  const publishing = { call, organization, title: options.title ?? chosen.title }
  if (chosen.others)
    printLines(
      `The project has ${chosen.others.length + 1} languages and versions: import all of them as one site with --site, or another one with --root <folder>`,
    )
  if (imported.length === 1) await printOne(publishing, imported[0]!, problems, options)
  else await printSeveral(publishing, imported, problems, { ...options, origin })
  if (oldAddresses)
    await checkAddresses(
      call,
      imported.map(({ space }) => space.spaceId),
      oldAddresses,
    )
  if (options.report !== undefined) await reportTo(options.report, origin, imported, problems)
  if (options['allow-loss'] || !hasLoss(problems)) return
  printLines('Content was left out or is shown as its source: exit code 3 (0 with --allow-loss)')
  process.exitCode = LOSS_CODE
}

async function reportTo(
  file: string,
  origin: ImportOrigin,
  imported: readonly ImportedTree[],
  problems: ReportedProblem[],
): Promise<void> {
  const spaces = imported.map(({ space, tree, result }) => ({
    id: space.spaceId,
    url: space.urls.location,
    ...(tree.folder ? { root: tree.folder } : {}),
    imported: result.importedResources,
  }))
  await writeReport(file, { source: origin.sync.name, spaces, problems })
  printLines(`Report ${file}`)
}

function checkLanguage(language: string | undefined): void {
  if (language === undefined || canonicalTag(language) !== undefined) return
  throw new UsageError(
    `--language must be a language tag (BCP 47), such as de, pt-br or fa, but was "${language}"`,
  )
}

/** Imports trees one after the other. The title of the options is that of the only space, or else of the site. */
async function importTrees(
  importing: Parameters<typeof importTree>[0],
  { trees }: ChosenTrees,
  { space, sync, new: isForced, title, language }: ImportOptions,
): Promise<ImportedTree[]> {
  const isOne = trees.length === 1
  const sections = treeSections(trees.map((tree) => ({ tree, variant: variantIn(tree) })))
  const variants = new Set(
    sections.flatMap((section) => (section.trees.length > 1 ? section.trees.map(({ tree }) => tree) : [])),
  )
  const imported: ImportedTree[] = []
  for (const tree of trees) {
    const options = {
      space,
      sync,
      new: isForced,
      title: isOne ? title : undefined,
      language: isOne ? (language ?? tree.language) : (tree.language ?? language),
      isVariant: variants.has(tree),
    }
    imported.push(
      await importTree(importing, tree, options).catch((error: unknown) => {
        if (isOne || !(error instanceof UsageError)) throw error
        throw new UsageError(`${tree.folder ?? ''}: ${error.message}${continued(imported)}`)
      }),
    )
  }
  return imported
}

const variantIn = ({ variant, folder = '' }: ImportTree): TreeVariant => variant ?? { documentation: folder }

/** Returns the advice for an import that failed after some of its trees were imported. */
function continued(imported: readonly ImportedTree[]): string {
  if (imported.length === 0) return ''
  const folders = imported.map(({ tree }) => tree.folder).join(', ')
  return `\nAlready imported: ${folders}. Run the command again when this is mended; it uses the same spaces.`
}

interface Publishing {
  call: Call
  organization: string
  title: string | undefined
}

async function printOne(
  { call, organization, title }: Publishing,
  imported: ImportedTree,
  problems: readonly ReportedProblem[],
  options: ImportOptions,
): Promise<void> {
  const { space, links } = imported
  printLines(contentLines(imported), problemLines(problems, options), placeLines(imported))
  if (options.site !== false) {
    const isPublished = space.urls.published !== undefined || !space.isNew
    const site = isPublished
      ? space.urls.published
      : await publish(call, organization, title ?? imported.title, space.spaceId)
    if (site) printLines(`Site   ${site}`)
  }
  printLines(`Links  ${links}`)
}

async function printSeveral(
  { call, organization, title }: Publishing,
  imported: readonly ImportedTree[],
  problems: readonly ReportedProblem[],
  options: ImportOptions & { origin: ImportOrigin },
): Promise<void> {
  for (const one of imported) {
    printLines(one.tree.folder ?? one.tree.variant?.name ?? '')
    const lines = [...contentLines(one), ...placeLines(one), `Links  ${one.links}`]
    printLines(lines.map((line) => `  ${line}`))
  }
  printLines(problemLines(problems, options))
  if (options.site === false) return
  const sections = treeSections(
    imported.map(({ tree, space, title: own }) => ({
      spaceId: space.spaceId,
      title: own,
      variant: variantIn(tree),
    })),
  )
  const common = sections.length === 1 ? sections[0]!.trees[0]!.title : options.origin.title
  const site = await siteOfTrees(call, organization, title ?? common, sections)
  printLines(`Site   ${site ?? 'is not published'}`)
}

async function publish(call: Call, organization: string, title: string, space: string): Promise<string> {
  const name = title.length < 2 ? 'Documentation' : shorten(title, 128)
  const site = await call('POST', `/orgs/${organization}/sites`, { title: name, spaces: [space] })
  const { urls } = await call('POST', `/orgs/${organization}/sites/${String(site.id)}/publish`)
  return (urls as { published: string }).published
}

function contentLines({ result: { recognized, importedResources, sync } }: ImportedTree): string[] {
  const lines = [
    ...(recognized ? [recognizedLine(recognized)] : []),
    `Imported ${countOf(importedResources)}`,
  ]
  if (sync) lines.push(`Pages  ${sync.created} created, ${sync.updated} changed, ${sync.deleted} deleted`)
  if (sync && sync.conflicts > 0) lines.push(`       ${sync.conflicts} conflicts`)
  return lines
}

function recognizedLine({ name, path }: Recognized): string {
  return `Recognized ${name} by ${path}: to import its files as Markdown, use --source markdown`
}

function placeLines({ space, result: { sync } }: ImportedTree): string[] {
  const lines = [`Space  ${space.urls.location}`]
  if (sync?.changeRequest) lines.push(`Change request ${sync.changeRequest.number} has the changes`)
  return lines
}

function problemLines(problems: readonly ReportedProblem[], { report }: ImportOptions): string[] {
  const more = unprinted(problems)
  const rest = more > 0 && report === undefined
  return [
    ...summaryOfProblems(problems),
    ...printedReport(problems),
    ...(rest ? [`  and ${more} more; --report <file> writes all of them`] : []),
  ]
}
