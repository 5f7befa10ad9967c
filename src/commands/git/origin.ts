/** The source that `lectern import` imports: an archive, a page, a folder, a git repository or an address. */
import { realpathSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { Problem } from '../../core/repository/model.ts'
import { isCommonTitle } from '../../core/repository/content-title.ts'
import { IMPORT_SOURCES, type ImportSource } from '../../core/sources/convert.ts'
import type { SyncBody } from '../../model/proposals/space-source.ts'
import { packCommit } from '../../sync/pack.ts'
import {
  digestKey,
  gitSource,
  originPath,
  pathInRepository,
  repositoryName,
  shortName,
} from '../../sync/source-address.ts'
import { withFlags } from './flags.ts'
import { packFolder } from './pack.ts'
import { cloneRepository, isGitAddress } from './repository.ts'
import { UsageError } from '../usage.ts'

export interface OriginOptions {
  source?: string | undefined
  branch?: string | undefined
  path?: string | undefined
  dates?: boolean | undefined
}

/** The source of an import. Disposing it removes temporary files. */
export interface ImportOrigin extends AsyncDisposable {
  /** A file to upload, or an address that the server fetches. */
  from: { file: string; name: string } | { url: string }
  source: ImportSource
  title: string
  /** How the server recognizes it again. */
  sync: SyncBody
  /** The files that are left out before the server sees the source. */
  problems: Problem[]
}

/** Finds and packs what an argument names. @throws UsageError with the flag that mends it */
export async function openOrigin(argument: string, options: OriginOptions): Promise<ImportOrigin> {
  const source = knownSource(options.source)
  if (source === 'website') return addressOrigin(websiteAt(argument), 'website')
  const fetched = fetchedSource(argument, source)
  if (fetched) return withoutGitOptions(options, () => addressOrigin(argument, fetched))
  if (isGitAddress(argument)) return gitOrigin(argument, options)

  const found = statSync(argument, { throwIfNoEntry: false })
  if (found?.isDirectory()) return folderOrigin(argument, options, source)
  if (!found?.isFile()) throw new UsageError(`${argument} is not a file or a folder. ${WHAT}`)
  return withoutGitOptions(options, () => fileOrigin(argument, source ?? originSource(argument)))
}

/** True if an argument names a git repository, and not an archive, a page or a website that the server fetches. */
export function isRepository(argument: string, source: string | undefined): boolean {
  const known = knownSource(source)
  return known !== 'website' && isGitAddress(argument) && fetchedSource(argument, known) === undefined
}

/** The source of an address that the server fetches; undefined for repositories and for what is on this machine. */
function fetchedSource(argument: string, source: ImportSource | undefined): ImportSource | undefined {
  if (!/^https?:/i.test(argument) || !isGitAddress(argument)) return undefined
  const extension = extname(originPath(argument))
  return extension === '.git' ? undefined : (source ?? BY_EXTENSION[extension.toLowerCase()])
}

const WHAT =
  'Name an archive, a page, a folder, or a git repository by its URL, such as https://git.example.com/docs.git'

function fileOrigin(file: string, source: ImportSource): ImportOrigin {
  const place = realpathSync(file)
  const name = basename(file)
  return {
    from: { file, name },
    source,
    title: archiveTitle(name),
    sync: { kind: 'archive', key: digestKey('archive', hostname(), place), name: shortName(name) },
    problems: [],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

function addressOrigin(url: string, source: ImportSource): ImportOrigin {
  const { hostname: host } = new URL(url)
  const name = source === 'website' ? host : basename(originPath(url))
  return {
    from: { url },
    source,
    title: source === 'website' ? host : archiveTitle(name),
    sync: { kind: 'archive', key: digestKey('address', url), name: shortName(name) },
    problems: [],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

async function folderOrigin(
  folder: string,
  { path = '', branch, dates = true }: OriginOptions,
  source: ImportSource = 'zip',
): Promise<ImportOrigin> {
  if (branch !== undefined)
    throw new UsageError(
      `--branch is for git URLs. To import a branch of the repository in ${folder}, use file://${resolve(folder)}`,
    )
  const place = resolve(folder, path)
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${place} is not a folder; name another one with --path`)
  const real = realpathSync(place)
  const name = basename(real)
  // The folder of a documentation is often called "docs", and the one above it says whose it is.
  const above = basename(dirname(real))
  const named = isCommonTitle(name) && above !== '' ? above : name
  return packed(async (file) => ({
    source,
    title: archiveTitle(named),
    sync: {
      kind: 'folder',
      key: digestKey('folder', hostname(), real),
      name: shortName(name),
    },
    problems: await withFlags(() => packFolder(place, file, dates)),
  }))
}

async function gitOrigin(
  address: string,
  { path: named = '', branch, source, dates = true }: OriginOptions,
): Promise<ImportOrigin> {
  const path = pathInRepository(named)
  const known = knownSource(source) ?? 'zip'
  await using repository = await cloneRepository(address, branch, dates)
  const pack = async (file: string) => ({
    source: known,
    title: archiveTitle(repositoryName(address)),
    sync: gitSource(address, repository.branch, path, repository.oid),
    problems: await packCommit(repository, repository.oid, path, file, { isDated: dates }),
  })
  return await packed((file) => withFlags(() => pack(file)))
}

async function packed(
  pack: (file: string) => Promise<Omit<ImportOrigin, 'from' | typeof Symbol.asyncDispose>>,
): Promise<ImportOrigin> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-pack-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const file = join(folder, 'source.zip')
    const { source, title, sync, problems } = await pack(file)
    const name = `${sync.name.replace(/[/\\]/g, '-')}.zip`
    return { from: { file, name }, source, title, sync, problems, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

function withoutGitOptions<T>({ branch, path }: OriginOptions, make: () => T): T {
  if (branch === undefined && path === undefined) return make()
  throw new UsageError(
    `--${branch === undefined ? 'path' : 'branch'} is for git repositories${branch === undefined ? ' and folders' : ''}. Name the repository by a URL that ends in .git, or the folder of an archive with --root`,
  )
}

function websiteAt(address: string): string {
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address
  throw new UsageError(
    `"${address}" is not the address of a website, such as https://example.com/docs/; to import its files, use --source html`,
  )
}

/** The source by the extension of a file, for those whose files cannot be anything else. */
const BY_EXTENSION: Record<string, ImportSource> = {
  '.zip': 'zip',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.docx': 'docx',
  '.odt': 'odt',
}

function knownSource(chosen: string | undefined): ImportSource | undefined {
  if (chosen === undefined) return undefined
  const known = IMPORT_SOURCES.find((source) => source === chosen)
  if (known) return known
  throw new UsageError(`--source must be one of ${IMPORT_SOURCES.join(', ')}, but was "${chosen}"`)
}

function originSource(file: string): ImportSource {
  const source = BY_EXTENSION[extname(file).toLowerCase()]
  if (source !== undefined) return source
  throw new UsageError(
    `${file} has none of the extensions ${Object.keys(BY_EXTENSION).join(', ')}; name its source with --source`,
  )
}

/** `elsa-docs-main.zip` → "Elsa docs": the name of a branch says nothing about the content. */
function archiveTitle(file: string): string {
  const words = basename(file, extname(file))
    .replace(/(?<=.)[-_](?:main|master|trunk|[0-9a-f]{40})$/i, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  return words ? words[0]?.toUpperCase() + words.slice(1) : 'Documentation'
}
