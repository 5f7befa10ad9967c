/** The report of an import: problems by kind, a few of each on the terminal, and all of them in a file. */
import { printable } from '../../core/text/printable.ts'
import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import type { Problem, ProblemKind } from '../../core/repository/model.ts'
import type { BrokenLink } from '../broken-links.ts'
import { UsageError } from '../usage.ts'

type ReportKind =
  | ProblemKind
  | BrokenLink['kind']
  | 'skipped-file'
  | 'unread'
  | 'unwritten'
  | 'copied-differently'

/** The effects of problems on readers, in the order of a summary. */
const EFFECTS = ['left out', 'not shown as intended', 'missing or broken', 'to check'] as const

/** The words of a report for a kind of problem. */
interface KindWords {
  effect: (typeof EFFECTS)[number]
  one: string
  several: string
  /** Whether a line needs the message of the problem. */
  isExplained?: boolean
  /** Whether the import has left content out, or readers see its source. */
  isLoss?: boolean
}

/** The kinds in the order of a report. */
const KINDS: Record<ReportKind, KindWords> = {
  condition: {
    effect: 'to check',
    one: 'condition hides more than its author may have meant',
    several: 'conditions hide more than their authors may have meant',
    isExplained: true,
  },
  'missing-page': {
    effect: 'missing or broken',
    one: 'page of the table of contents is missing',
    several: 'pages of the table of contents are missing',
  },
  'missing-file': {
    effect: 'missing or broken',
    one: 'picture or file is missing',
    several: 'pictures and files are missing',
  },
  unreadable: {
    effect: 'not shown as intended',
    one: 'page is shown as its source',
    several: 'pages are shown as their source',
    isExplained: true,
    isLoss: true,
  },
  block: {
    effect: 'not shown as intended',
    one: 'part of a page cannot be shown',
    several: 'parts of pages cannot be shown',
    isExplained: true,
    isLoss: true,
  },
  'broken-link': { effect: 'missing or broken', one: 'link is broken', several: 'links are broken' },
  'broken-anchor': {
    effect: 'missing or broken',
    one: 'link names a part that its page does not have',
    several: 'links name parts that their pages do not have',
  },
  setting: {
    effect: 'to check',
    one: 'setting is not used',
    several: 'settings are not used',
    isExplained: true,
  },
  redirect: {
    effect: 'left out',
    one: 'redirect is not imported',
    several: 'redirects are not imported',
    isExplained: true,
    isLoss: true,
  },
  'unlisted-page': {
    effect: 'left out',
    one: 'page or folder of pages is in no table of contents, and is not imported',
    several: 'pages or folders of pages are in no table of contents, and are not imported',
    isLoss: true,
  },
  mdx: {
    effect: 'left out',
    one: 'MDX file is not imported',
    several: 'MDX files are not imported',
    isLoss: true,
  },
  'skipped-file': {
    effect: 'left out',
    one: 'symbolic link or special file is not imported',
    several: 'symbolic links and special files are not imported',
    isLoss: true,
  },
  'repeated-page': {
    effect: 'to check',
    one: 'page is listed again; the second entry is a link to it',
    several: 'pages are listed again; the other entries are links to them',
  },
  'outside-picture': {
    effect: 'to check',
    one: 'page shows pictures from other servers',
    several: 'pages show pictures from other servers',
  },
  'unused-file': {
    effect: 'to check',
    one: 'file is used by no page, and is kept',
    several: 'files are used by no page, and are kept',
  },
  unread: {
    effect: 'left out',
    one: 'part of the source could not be read',
    several: 'parts of the source could not be read',
    isExplained: true,
    isLoss: true,
  },
  unwritten: {
    effect: 'left out',
    one: 'part could not be written',
    several: 'parts could not be written',
    isExplained: true,
    isLoss: true,
  },
  'copied-differently': {
    effect: 'to check',
    one: 'copy differs',
    several: 'copies differ',
    isExplained: true,
  },
  conversion: {
    effect: 'to check',
    one: 'note on the conversion',
    several: 'notes on the conversion',
    isExplained: true,
    isLoss: true,
  },
}
const ORDER = Object.keys(KINDS) as ReportKind[]

/** The problems of one kind that are printed. */
const EXAMPLES = 3

/** A problem of a report. */
export interface ReportedProblem extends Omit<Problem, 'kind' | 'reason'> {
  kind: ReportKind
  /** Missing for a broken link. */
  reason?: string
}

/** The content of the report of an import. */
export interface ImportReport {
  source: string
  /** The spaces, each with the number of its pages and files. */
  spaces: { id: string; url: string; root?: string; imported: number }[]
  problems: ReportedProblem[]
}

/** The problems of an import with its broken links, each once: a missing picture is not a broken link as well. */
export function reportedProblems(
  problems: readonly Problem[],
  links: readonly BrokenLink[],
): ReportedProblem[] {
  const missing = new Set(
    problems.filter(({ kind }) => kind === 'missing-file').map(({ path, address }) => `${path}\0${address}`),
  )
  const others = links.filter(({ path, address }) => !missing.has(`${path}\0${address}`))
  return [...problems.map((one): ReportedProblem => ({ ...one, kind: one.kind ?? 'conversion' })), ...others]
}

/** Files that are left out before the server sees them. */
export function skippedFiles(problems: readonly Problem[]): ReportedProblem[] {
  return problems.map((one) => ({ ...one, kind: 'skipped-file' }))
}

/** The lines of a report for a terminal: one for each kind, with its number, and three examples below. */
export function printedReport(problems: readonly ReportedProblem[]): string[] {
  return byKind(problems).flatMap(({ kind, title, all }) => [
    `  ${title}`,
    ...all.slice(0, EXAMPLES).map((one) => `      ${exampleOf(one, KINDS[kind].isExplained)}`),
  ])
}

/** The numbers of problems by their effects on readers, in one line; none for a single kind. */
export function summaryOfProblems(problems: readonly ReportedProblem[]): string[] {
  if (new Set(problems.map(({ kind }) => kind)).size < 2) return []
  const groups = Map.groupBy(problems, ({ kind }) => KINDS[kind].effect)
  const named = EFFECTS.flatMap((effect) => {
    const all = groups.get(effect)
    return all ? [`${all.length} ${effect}`] : []
  })
  return [`Problems  ${named.join(', ')}`]
}

/** The number of problems that a terminal does not show. */
export function unprinted(problems: readonly ReportedProblem[]): number {
  return byKind(problems).reduce((sum, { all }) => sum + Math.max(0, all.length - EXAMPLES), 0)
}

/** Whether an import has left content out, or shows its source to readers. */
export function hasLoss(problems: readonly ReportedProblem[]): boolean {
  return problems.some(({ kind }) => KINDS[kind].isLoss)
}

/** @throws UsageError if a report cannot be written to this file */
export function checkReportFile(file: string): void {
  if (!/^\.(?:json|md)$/i.test(extname(file)))
    throw new UsageError(`--report writes a file that ends in .json or .md, but was "${file}"`)
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--report: there is no folder ${dirname(file)}`)
}

/** Writes all of a report, as JSON or Markdown by the extension of the file. */
export async function writeReport(file: string, report: ImportReport): Promise<void> {
  const text = /\.json$/i.test(file) ? toJson(report) : toMarkdown(report)
  await writeFile(file, text).catch((error: Error) => {
    throw new UsageError(`The import is complete, but its report cannot be written: ${error.message}`)
  })
}

function toJson({ source, spaces, problems }: ImportReport): string {
  const groups = byKind(problems)
  const counts = Object.fromEntries(groups.map(({ kind, all }) => [kind, all.length]))
  const listed = groups.flatMap(({ all }) =>
    all.map(({ kind, path, line, address, ...why }) => ({ kind, path, line, address, ...why })),
  )
  return `${JSON.stringify({ version: 1, source, spaces, counts, problems: listed }, null, 2)}\n`
}

function toMarkdown({ source, spaces, problems }: ImportReport): string {
  const groups = byKind(problems).map(({ title, all }) => {
    const items = all.map(
      (one) =>
        `* ${code(problemPlace(one))}${one.address === undefined ? '' : ` ${code(one.address)}`}: ${escaped(one.message)}`,
    )
    return `## ${title}\n\n${items.join('\n')}\n`
  })
  const places = spaces.map(({ url, root, imported }) => {
    const of = root ? ` of ${code(root)}` : ''
    return `* ${countOf(imported)}${of}: <${url}>`
  })
  return [`# Import of ${escaped(source)}\n`, `${places.join('\n')}\n`, ...groups].join('\n')
}

/** The number of pages and files, in words. */
export function countOf(imported: number): string {
  return imported === 1 ? '1 page' : `${imported} pages and files`
}

function byKind(problems: readonly ReportedProblem[]) {
  const groups = Map.groupBy(problems, ({ kind }) => kind)
  return ORDER.flatMap((kind) => {
    const all = groups.get(kind)
    if (!all) return []
    const { one, several } = KINDS[kind]
    const sorted = all.toSorted((a, b) => compare(a.path, b.path) || (a.line ?? 0) - (b.line ?? 0))
    return [{ kind, title: `${all.length} ${all.length === 1 ? one : several}`, all: sorted }]
  })
}

function exampleOf(problem: ReportedProblem, isExplained = false): string {
  const { address, message } = problem
  const rest = isExplained ? `: ${message}` : address === undefined ? '' : `  ${address}`
  return `${problemPlace(problem)}${rest}`
}

const problemPlace = ({ path, line }: ReportedProblem) => (line === undefined ? path : `${path}:${line}`)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function code(text: string): string {
  const line = printable(text)
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``
}

const escaped = (text: string) => printable(text).replace(/[\\`*_<>[\]]/g, '\\$&')
