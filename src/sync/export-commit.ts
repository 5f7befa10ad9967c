/** Makes a commit of a space on a branch of a repository: its documentation is that of the space, and all else stays. */
import { because } from '../core/languages/reasons.ts'
import { readConfiguration } from '../core/repository/configuration.ts'
import { decodeText } from '../core/repository/decode-text.ts'
import type { ExportedFrom } from '../core/repository/manifest.ts'
import { keepSettings } from '../core/repository/print/keep-settings.ts'
import type { RepositoryLayout } from '../core/repository/print/model.ts'
import { treesOf } from '../core/repository/trees.ts'
import { pathsToRecognize, recognizeTool } from '../core/sources/tools/recognize.ts'
import { sizeLimit } from '../core/text/byte-size.ts'
import { isMarkdown, joinPath } from '../core/text/file-paths.ts'
import { conflict, invalid, tooLarge } from '../http/errors.ts'
import { type GitFile, type LocalRepository, readBlobs } from './repository.ts'
import { gitKey } from './source-address.ts'
import { commitTree, filesBelow, storeGitBlobs, treeAt, writeTree } from './trees.ts'

/** A commit with the content of a space; `isNew` unless the branch has that content already. */
export interface MadeCommit {
  oid: string
  isNew: boolean
  changed: number
  removed: number
  folder: string
  from: ExportedFrom
}

/** A repository with a branch to write. */
export interface BranchCopy extends LocalRepository {
  branch: string
  /** The newest commit of the branch; undefined if the branch is missing. */
  oid: string | undefined
  /** The commit to build on: that of the branch, or of the main branch; undefined if the repository is empty. */
  base: string | undefined
}

/** The space that is exported. */
export interface ExportedSpace {
  /** The files of the space for a repository with this layout, and what they were exported from. */
  read(layout: RepositoryLayout): Promise<{ files: Map<string, Uint8Array>; from: ExportedFrom }>
  /** The commit of a source that the space was last synced with; undefined if that was another source. */
  seen(key: string): Promise<string | undefined>
}

/** How a space is exported. */
export interface CommitOptions {
  /** The address of the repository. */
  address: string
  /** The folder of the documentation in the repository. */
  path: string
  /** The documentation tree below it, if it has several. */
  root?: string | undefined
  /** Whether the files of the repository are the Markdown of the space, also in projects of tools whose pages an import converts. */
  isMarkdown?: boolean
  /** Whether changes of the branch that the space has not seen are overwritten. */
  force: boolean
  /** Whether changes that the space has not seen are undone. Unlike `force`, nothing else is overwritten. */
  undoesUnseen?: boolean
  message: string
  /** The variables of git for the author and committer. */
  identity: Readonly<Record<string, string>>
}

/**
 * Makes a commit with the content of a space on top of a branch, and keeps the files that the space does not know.
 * @throws 409 if that would lose something
 */
export async function commitExport(
  repository: BranchCopy,
  space: ExportedSpace,
  options: CommitOptions,
): Promise<MadeCommit> {
  const { path } = options
  const { files, others } = await filesBelow(repository, repository.base, path)
  await refuseConverted(repository, files, options)
  const layout = await layoutOf(repository, files, options.root)
  const { files: exported, from } = await space.read(layout)
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
  const isChecked = repository.oid !== undefined && !options.force
  if (isChecked) refuseLosses(changed, { before, others, known, settings })
  const inRepository = (name: string) => (path === '' ? name : `${path}/${name}`)
  const tree = await writeTree(repository, repository.base, [
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
  const isSame = base !== undefined && (await treeAt(repository, base, '')) === tree
  if (isSame && repository.oid !== undefined) return { ...made, oid: base, isNew: false }
  if (isChecked && options.undoesUnseen !== true && files.length > 0)
    await refuseUnseen(repository, space, options)
  if (isSame) return { ...made, oid: base, isNew: true }
  const oid = await commitTree(repository, tree, base, options)
  return { ...made, oid, isNew: true }
}

/** The most of the files of a branch that is compared at once, in bytes. */
const MOST_IN_MEMORY = 512 * 1024 ** 2
const NOTHING = new Uint8Array()

/** @throws 409 if an import converts the pages of the repository, so that an export would replace them */
async function refuseConverted(
  repository: BranchCopy,
  files: readonly GitFile[],
  { root, isMarkdown: isKept = false, force }: CommitOptions,
): Promise<void> {
  if (root !== undefined || isKept || force) return
  const marks = pathsToRecognize(files.map(({ path }) => path))
  const bytes = await gitFileBytes(
    repository,
    files.filter(({ path }) => marks.has(path)),
  )
  const tool = recognizeTool(new Map(files.map(({ path }) => [path, bytes.get(path) ?? NOTHING])))
  if (tool) throw conflict(because('repository-converted', { path: tool.path, tool: tool.name }))
}

/** Where the branch has its settings. @throws 409 if it has several documentation trees */
async function layoutOf(
  repository: BranchCopy,
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
    throw conflict(
      because('repository-several-trees', {
        count: trees.length,
        folders: trees.map(({ folder }) => folder).join(', '),
      }),
    )
  const folder = joinPath('', named ?? trees[0]?.folder ?? '')
  if (folder === undefined) throw invalid(because('repository-root-outside'))
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
  repository: LocalRepository,
  files: readonly GitFile[],
): Promise<Map<string, Uint8Array>> {
  const sum = files.reduce((sizes, { size }) => sizes + size, 0)
  if (sum > MOST_IN_MEMORY)
    throw tooLarge(because('repository-texts-too-large', { limit: sizeLimit(MOST_IN_MEMORY) }))
  const bytes = new Map<string, Uint8Array>()
  const oids = files.map(({ oid }) => oid)
  await readBlobs(repository, oids, (read, nth) => void bytes.set(files[nth]!.path, Buffer.from(read)))
  return bytes
}

/** The files that the branch has not, or has with other bytes. A text in another encoding is the same text. */
async function changedFiles(
  repository: BranchCopy,
  before: ReadonlyMap<string, GitFile>,
  after: ReadonlyMap<string, Uint8Array>,
): Promise<{ path: string; oid: string; mode: string }[]> {
  const own = [...after].filter(([, bytes]) => bytes !== NOTHING)
  const oids = await storeGitBlobs(
    repository,
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

/** @throws 409 if a file of the branch that is not part of the documentation would be overwritten */
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
    if (lost !== undefined) throw conflict(because('repository-file-in-the-way', { path: lost }))
  }
}

/** @throws 409 if the branch has changes below the folder that the space has not seen */
async function refuseUnseen(
  repository: BranchCopy,
  space: ExportedSpace,
  { address, path }: CommitOptions,
): Promise<void> {
  const { branch, oid } = repository
  const seen = await space.seen(gitKey(address, branch, path))
  if (oid === undefined || seen === oid) return
  const [was, is] = [
    seen === undefined ? undefined : await treeAt(repository, seen, path),
    await treeAt(repository, oid, path),
  ]
  if (was === undefined || was !== is) throw conflict(because('repository-unseen-changes', { branch }))
}
