import { type Call, connect } from '../client.ts'
import { exportedArchive, printMissing, saveDownload } from './exported-archive.ts'
import { exportToGit } from './export-git.ts'
import { progressBar } from '../progress-bar.ts'
import { UsageError } from '../usage.ts'
import { printLines, printError } from '../print.ts'

export interface ExportOptions {
  pdf?: string | undefined
  epub?: string | undefined
  page?: string | undefined
  only?: boolean | undefined
  archive?: string | undefined
  git?: string | undefined
  branch?: string | undefined
  path?: string | undefined
  root?: string | undefined
  source?: string | undefined
  message?: string | undefined
  force?: boolean | undefined
  url?: string | undefined
  token?: string | undefined
}

/** Saves a space of a running server as a file. It uses only the HTTP API. */
export async function exportCommand([space, ...more]: string[], options: ExportOptions): Promise<void> {
  if (!space || more.length > 0)
    throw new UsageError('Name one space to export: lectern export <space> --pdf <file>')
  const { pdf, epub, archive, git } = options
  if ([pdf, epub, archive, git].filter((one) => one !== undefined && one !== '').length !== 1)
    throw new UsageError(
      'Name one file to write, with --pdf <file>, --epub <file> or --archive <file.zip>, or a repository with --git <url>',
    )
  checkOptions(options)
  if (git) return exportToGit(await connect(options), space, { ...options, git })
  if (archive) return exportArchive(await connect(options), space, archive, options)
  const file = pdf ?? epub ?? ''
  if (options.only && options.page === undefined) throw new UsageError('--only needs a page: --page <id>')

  const call = await connect(options)
  const query = new URLSearchParams({ format: options.pdf ? 'pdf' : 'epub' })
  if (options.page !== undefined) query.set('page', options.page)
  if (options.only) query.set('only', 'true')
  const done = progressBar('Making')
  const made = (await call('GET', `/spaces/${encodeURIComponent(space)}/pdf?${query.toString()}`).finally(
    () => done.end(),
  )) as unknown as { url: string; problems: { title: string; message: string }[] }
  await saveDownload(await call.reachable(made.url), file)
  for (const { title, message } of made.problems) printError(`${title}: ${message}`)
  printLines(file)
}

/** @throws UsageError if an option is for another kind of export */
function checkOptions(options: ExportOptions): void {
  const kind = options.git !== undefined ? 'git' : options.archive !== undefined ? 'archive' : 'book'
  for (const [name, kinds] of Object.entries(KINDS_OF_OPTIONS) as [keyof ExportOptions, string[]][])
    if (options[name] !== undefined && !kinds.includes(kind))
      throw new UsageError(`--${name} is for ${kinds.includes('git') ? '--git' : '--pdf and --epub'}`)
}

const KINDS_OF_OPTIONS = {
  page: ['book'],
  only: ['book'],
  branch: ['git'],
  path: ['git'],
  message: ['git'],
  force: ['git'],
  source: ['git'],
  root: ['git', 'archive'],
}

async function exportArchive(
  call: Call,
  space: string,
  file: string,
  { root }: ExportOptions,
): Promise<void> {
  const done = progressBar('Exporting')
  const { url, missingFiles } = await exportedArchive(
    call,
    space,
    root === undefined ? {} : { folder: root },
  ).finally(() => done.end())
  await saveDownload(await call.reachable(url), file)
  printMissing(missingFiles)
  printLines(file)
}
