/** Pushes a space to a branch of a git repository: one commit, whose documentation is that of the space. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfiguration } from '../../core/repository/configuration.ts'
import { pathsToRecognize, recognizeTool } from '../../core/sources/tools/recognize.ts'
import type { ExportedFrom } from '../../core/repository/manifest.ts'
import { keepSettings } from '../../core/repository/print/keep-settings.ts'
import type { RepositoryLayout } from '../../core/repository/print/model.ts'
import { isMarkdown, joinPath } from '../../core/text/file-paths.ts'
import { decodeText } from '../../core/repository/decode-text.ts'
import { treesOf } from '../../core/repository/trees.ts'
import {
  commitTree,
  type Committer,
  filesBelow,
  headsOf,
  type OpenBranch,
  openBranch,
  pushCommit,
  storeGitBlobs,
  treeAt,
  writeTree,
} from '../git/branch.ts'
import type { Call } from '../client.ts'
import { withoutPasswords } from '../git/git.ts'
import { readExported } from './exported-archive.ts'
import { gitSync, pathInRepository } from '../git/origin.ts'
import { packCommit } from '../git/pack.ts'
import { progressBar } from '../progress-bar.ts'
import { type GitFile, isGitAddress, readBlobs } from '../git/repository.ts'
import { uploadFile } from '../upload.ts'
import { UsageError } from '../usage.ts'
import { printLines } from '../print.ts'

export interface GitExportOptions {
  git: string
  branch?: string | undefined
  path?: string | undefined
  root?: string | undefined
  /** `markdown` if the space was imported as the Markdown that the repository has. */
  source?: string | undefined
  message?: string | undefined
  force?: boolean | undefined
}

/** How often an export begins again because somebody else pushed to the branch. */
const ATTEMPTS = 3

/** Exports a space to a branch, and records the commit as the source of the space. */
export async function exportToGit(call: Call, spaceId: string, options: GitExportOptions): Promise<void> {
  const { git: address } = options
  if (!isGitAddress(address))
    throw new UsageError(
      `--git must be the address of a repository, such as https://git.example.com/team/docs.git, but was "${address}"`,
    )
  const at = `/spaces/${encodeURIComponent(spaceId)}`
  const space = await call('GET', at)
  const path = pathInRepository(options.path ?? '')
  const user = await call('GET', '/user')
  const committer = {
    name: textOr(user.displayName, 'Lectern'),
    email: textOr(user.email, 'lectern@localhost'),
  }

  for (let attempt = 1; ; attempt++) {
    await using repository = await openBranch(address, options.branch)
    const done = progressBar('Exporting')
    const made = await commitExport(call, spaceId, repository, { ...options, path, committer }).finally(() =>
      done.end(),
    )
    if (made.isNew) {
      try {
        await pushCommit(repository.folder, address, made.oid, repository.branch)
      } catch (error) {
        const { heads } = await headsOf(address)
        if (heads.get(repository.branch) === repository.oid) throw error
        if (attempt < ATTEMPTS) continue
        throw new UsageError(
          `Others pushed to the branch ${repository.branch} ${ATTEMPTS} times meanwhile. ${syncFirst(spaceId, options)}`,
        )
      }
    }
    const isCommit = made.oid !== ''
    printLines(
      made.isNew
        ? `Pushed ${made.oid.slice(0, 7)} to ${repository.branch}: ${made.changed} changed, ${made.removed} removed`
        : `Nothing to push: ${repository.branch} has the content of the space`,
    )
    if (isCommit) await record(call, space, repository, made, { address, path })
    return
  }
}

const textOr = (value: unknown, otherwise: string) =>
  typeof value === 'string' && value.trim() !== '' ? value : otherwise

/** A commit with the content of a space; `isNew` unless the branch has that content already. */
interface MadeCommit {
  oid: string
  isNew: boolean
  changed: number
  removed: number
  folder: string
  from: ExportedFrom
}

type Exporting = GitExportOptions & { path: string; committer: Committer }

async function commitExport(
  call: Call,
  spaceId: string,
  repository: OpenBranch,
  options: Exporting,
): Promise<MadeCommit> {
  const { path } = options
  const { files, others } = await filesBelow(repository.folder, repository.base, path)
  await refuseConverted(repository, files, options)
  const layout = await layoutOf(repository, files, options.root)
  const { files: exported, from } = await readExported(call, spaceId, { ...layout })
  const settings = settingsOf(layout)
  const known = new Set(from.known)

  const before = new Map(files.map((file) => [file.path, file]))
  const removed = files.filter(
    (file) => known.has(file.path) && !exported.has(file.path) && !settings.has(file.path),
  )
  const gone = new Set(removed.map((file) => file.path))
  const after = new Map<string, Uint8Array>(
    files.flatMap((file) => (gone.has(file.path) || settings.has(file.path) ? [] : [[file.path, NOTHING]])),
  )
  for (const [name, bytes] of exported) after.set(name, bytes)
  // Only a branch that was synced decides that it needs no table of contents.
  const written = [...settings].filter((name) => before.has(name) || known.size > 0)
  const texts = await gitFileBytes(
    repository,
    written.flatMap((name) => before.get(name) ?? []),
  )
  const kept = await keepSettings(
    after,
    new Map(written.map((name) => [name, texts.get(name)])),
    layout.folder,
  )

  const changed = await changedFiles(repository, before, kept)
  const cleared = [...settings].flatMap((name) =>
    before.has(name) && !kept.has(name) ? [before.get(name)!] : [],
  )
  const isChecked = repository.oid !== undefined && options.force !== true
  if (isChecked) refuseLosses(changed, { before, others, known, settings })
  const inRepository = (name: string) => (path === '' ? name : `${path}/${name}`)
  const tree = await writeTree(repository.folder, repository.base, [
    ...[...removed, ...cleared].map((file) => ({
      path: inRepository(file.path),
      oid: undefined,
      mode: file.mode,
    })),
    ...changed.map((file) => ({ ...file, path: inRepository(file.path) })),
  ])
  const { base } = repository
  const made = {
    changed: changed.length,
    removed: removed.length + cleared.length,
    folder: layout.folder,
    from,
  }
  const isSame = base !== undefined && (await treeAt(repository.folder, base, '')) === tree
  if (isSame && repository.oid !== undefined) return { ...made, oid: base, isNew: false }
  if (isChecked && files.length > 0) await refuseUnseen(call, spaceId, repository, options)
  if (isSame) return { ...made, oid: base, isNew: true }
  const message = options.message ?? 'Update the documentation from Lectern'
  const oid = await commitTree(repository.folder, tree, base, { message, committer: options.committer })
  return { ...made, oid, isNew: true }
}

const NOTHING = new Uint8Array()

/** @throws UsageError if an import converts the pages of the repository, so that an export would replace them */
async function refuseConverted(
  repository: OpenBranch,
  files: readonly GitFile[],
  { root, source, force }: Exporting,
): Promise<void> {
  if (source !== undefined && source !== 'markdown')
    throw new UsageError(`--source of an export can only be markdown, but was "${source}"`)
  if (root !== undefined || source !== undefined || force === true) return
  const marks = pathsToRecognize(files.map(({ path }) => path))
  const bytes = await gitFileBytes(
    repository,
    files.filter(({ path }) => marks.has(path)),
  )
  const tool = recognizeTool(new Map(files.map(({ path }) => [path, bytes.get(path) ?? NOTHING])))
  if (tool)
    throw new UsageError(
      `${tool.path} shows that the repository is a project of ${tool.name}, whose pages an import converts: an export would replace them with Markdown of Lectern. If the space was imported with --source markdown, add --source markdown; to replace the pages, add --force`,
    )
}

/** Where the branch has its settings. @throws UsageError if it has several documentation trees */
async function layoutOf(
  repository: OpenBranch,
  files: readonly GitFile[],
  named: string | undefined,
): Promise<RepositoryLayout> {
  const top = await gitFileBytes(
    repository,
    files.filter(({ path }) => /^docs\.ya?ml$/i.test(path)),
  )
  const all = new Map(files.map(({ path }) => [path, top.get(path) ?? NOTHING]))
  const trees = named === undefined ? treesOf(all) : []
  if (trees.length > 1)
    throw new UsageError(
      `The repository has ${trees.length} documentation trees: ${trees.map(({ folder }) => folder).join(', ')}. Name one with --root, or all as one with --root ''`,
    )
  const folder = joinPath('', named ?? trees[0]?.folder ?? '')
  if (folder === undefined) throw new UsageError('--root must be a folder in the repository')
  const settings = joinPath(folder, '.gitbook.yaml') ?? ''
  const bytes = (
    await gitFileBytes(
      repository,
      files.filter((file) => file.path === settings),
    )
  ).get(settings)
  const { root, summary } = readConfiguration(bytes && decodeText(bytes), folder)
  const inAnyCase = files.find((file) => file.path.toLowerCase() === summary.toLowerCase())
  return { folder, root, summary: all.has(summary) ? summary : (inAnyCase?.path ?? summary) }
}

const settingsOf = ({ folder, root, summary }: RepositoryLayout) =>
  new Set([summary, joinPath(folder, '.gitbook.yaml') ?? '', joinPath(root, '.gitbook/vars.yaml') ?? ''])

async function gitFileBytes(
  { folder }: OpenBranch,
  files: readonly GitFile[],
): Promise<Map<string, Uint8Array>> {
  const bytes = new Map<string, Uint8Array>()
  const oids = files.map(({ oid }) => oid)
  await readBlobs(folder, oids, (read, nth) => void bytes.set(files[nth]!.path, Buffer.from(read)))
  return bytes
}

/** The files that the branch has not, or has with other bytes. A text in another encoding is the same text. */
async function changedFiles(
  repository: OpenBranch,
  before: ReadonlyMap<string, GitFile>,
  after: ReadonlyMap<string, Uint8Array>,
): Promise<{ path: string; oid: string; mode: string }[]> {
  const own = [...after].filter(([, bytes]) => bytes !== NOTHING)
  const oids = await storeGitBlobs(
    repository.folder,
    own.map(([, bytes]) => bytes),
  )
  const changed = own.flatMap(([path], nth) => {
    const known = before.get(path)
    return known?.oid === oids[nth] ? [] : [{ path, oid: oids[nth]!, mode: known?.mode ?? '100644' }]
  })
  const texts = await gitFileBytes(
    repository,
    changed.flatMap(({ path }) => (isMarkdown(path) ? (before.get(path) ?? []) : [])),
  )
  return changed.filter(({ path }) => {
    const text = texts.get(path)
    return text === undefined || decodeText(text) !== decodeText(after.get(path)!)
  })
}

/** @throws UsageError if a file of the branch that is not part of the documentation would be overwritten */
function refuseLosses(
  changed: readonly { path: string }[],
  {
    before,
    others,
    known,
    settings,
  }: {
    before: ReadonlyMap<string, GitFile>
    others: readonly string[]
    known: ReadonlySet<string>
    settings: ReadonlySet<string>
  },
): void {
  const foreign = new Set(
    [...before.keys(), ...others].filter((path) => !known.has(path) && !settings.has(path)),
  )
  for (const { path } of changed) {
    const parts = path.split('/')
    const above = parts.map((_, nth) => parts.slice(0, nth + 1).join('/'))
    const lost = above.find((one) => foreign.has(one))
    if (lost !== undefined)
      throw new UsageError(
        `The branch has a file "${lost}" that the space does not know, and the export would overwrite it. Import the branch with --sync first, rename the file, or overwrite it with --force`,
      )
  }
}

/** @throws UsageError if the branch has changes below the folder that the space has not seen */
async function refuseUnseen(
  call: Call,
  spaceId: string,
  repository: OpenBranch,
  options: Exporting,
): Promise<void> {
  const { branch, oid, folder } = repository
  const { path, git: address } = options
  const info = await call('GET', `/spaces/${encodeURIComponent(spaceId)}/git/info`).catch(
    (error: unknown) => {
      if (error instanceof UsageError) return undefined
      throw error
    },
  )
  const seen = info?.key === gitSync(address, branch, path, '').key ? textOr(info.oid, '') : ''
  if (seen === oid) return
  const [was, is] = [
    seen === '' ? undefined : await treeAt(folder, seen, path),
    await treeAt(folder, oid!, path),
  ]
  if (was !== undefined && was === is) return
  throw new UsageError(
    `The branch ${branch} has changes that the space has not seen. ${syncFirst(spaceId, options)}, or overwrite them with --force`,
  )
}

function syncFirst(spaceId: string, { git: address, branch, path, root }: GitExportOptions): string {
  const flags = Object.entries({ branch, path, root }).flatMap(([name, value]) =>
    value ? [`--${name} ${value}`] : [],
  )
  return `Take them over first: lectern import ${[withoutPasswords(address), ...flags].join(' ')} --space ${spaceId} --sync`
}

/** Records the commit as what the space was exported to, so that the next sync changes nothing. */
async function record(
  call: Call,
  space: Record<string, unknown>,
  repository: OpenBranch,
  { oid, folder: root, from }: MadeCommit,
  { address, path }: { address: string; path: string },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-pack-'))
  try {
    const file = join(folder, 'source.zip')
    await packCommit(repository.folder, oid, path, file, false, from)
    const url = await uploadFile(call, String(space.organization), { file, name: 'export.zip' })
    const sync = { ...gitSync(address, repository.branch, path, oid), exported: from.revision }
    await call('POST', `/spaces/${String(space.id)}/content/import`, { url, source: 'zip', root, sync })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(
      `The branch ${repository.branch} has the content of the space, but the space does not know it: ${error.message}. Run the same command again`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
