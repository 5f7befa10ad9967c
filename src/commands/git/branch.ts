/** Writes commits to a branch of a git repository, without a working tree. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from './git.ts'
import { cloneRepository, filesAt, type GitFile } from './repository.ts'

/** A copy of a repository, to write one branch of it. Disposing it removes it. */
export interface OpenBranch extends AsyncDisposable {
  folder: string
  branch: string
  /** The newest commit of the branch; undefined if the branch is missing. */
  oid: string | undefined
  /** The commit to build on: that of the branch, or of the main branch; undefined if the repository is empty. */
  base: string | undefined
}

/** Copies a branch with its history. A missing branch begins at the main branch. @param named by default, the main branch */
export async function openBranch(url: string, named: string | undefined): Promise<OpenBranch> {
  const { main, heads } = await headsOf(url)
  const branch = named ?? main ?? 'main'
  const known = heads.has(branch) ? branch : main !== undefined && heads.has(main) ? main : undefined
  if (known !== undefined) {
    const { folder, oid, [Symbol.asyncDispose]: dispose } = await cloneRepository(url, known, true)
    return {
      folder,
      branch,
      base: oid,
      oid: known === branch ? oid : undefined,
      [Symbol.asyncDispose]: dispose,
    }
  }
  const folder = await mkdtemp(join(tmpdir(), 'lectern-git-'))
  await git(['init', '--bare', '--quiet', '--template=', '--', folder])
  const dispose = () => rm(folder, { recursive: true, force: true })
  return { folder, branch, base: undefined, oid: undefined, [Symbol.asyncDispose]: dispose }
}

/** The branches of a repository, and its main branch. */
export async function headsOf(
  url: string,
): Promise<{ main: string | undefined; heads: ReadonlyMap<string, string> }> {
  const listed = await git(['ls-remote', '--symref', '--', url, 'HEAD', 'refs/heads/*'])
  const main = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listed)?.[1]
  const heads = [...listed.matchAll(/^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/gm)]
  return { main, heads: new Map(heads.map(([, oid = '', name = '']) => [name, oid])) }
}

/** The files of a commit below a folder; none if the folder does not exist. */
export async function filesBelow(
  repository: string,
  commit: string | undefined,
  path: string,
): Promise<{ files: GitFile[]; others: string[] }> {
  if (commit === undefined || (await treeAt(repository, commit, path)) === undefined)
    return { files: [], others: [] }
  return filesAt(repository, commit, path)
}

/** The id of the tree of a folder in a commit; undefined if it or the commit does not exist. */
export async function treeAt(repository: string, commit: string, path: string): Promise<string | undefined> {
  try {
    const oid = await git(['rev-parse', '--verify', '--quiet', `${commit}:${path}`], { in: repository })
    return oid.trim()
  } catch {
    return undefined
  }
}

/** Stores contents in a repository. @returns their ids, in the same order */
export async function storeGitBlobs(repository: string, contents: readonly Uint8Array[]): Promise<string[]> {
  if (contents.length === 0) return []
  const folder = join(repository, 'lectern-blobs')
  await mkdir(folder, { recursive: true })
  const files: string[] = []
  for (const [nth, content] of contents.entries()) {
    const file = join(folder, String(nth))
    await writeFile(file, content)
    files.push(file)
  }
  const input = files.map((file) => `${file}\n`).join('')
  const ids = await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], { in: repository, input })
  await rm(folder, { recursive: true, force: true })
  return ids.trim().split('\n')
}

/** Writes the tree of a commit with files set, or removed if the id is undefined. @returns its id */
export async function writeTree(
  repository: string,
  base: string | undefined,
  changes: readonly { path: string; oid: string | undefined; mode: string }[],
): Promise<string> {
  const env = { GIT_INDEX_FILE: join(repository, 'lectern-index') }
  await git(['read-tree', base ?? '--empty'], { in: repository, env })
  const empty = '0'.repeat(base?.length ?? 40)
  // Removals come first, because a file may take the place of a folder.
  const ordered = [
    ...changes.filter(({ oid }) => oid === undefined),
    ...changes.filter(({ oid }) => oid !== undefined),
  ]
  const input = ordered
    .map(({ path, oid, mode }) => `${oid === undefined ? '0' : mode} ${oid ?? empty}\t${path}\0`)
    .join('')
  if (input !== '')
    await git(['update-index', '--replace', '-z', '--index-info'], { in: repository, input, env })
  return (await git(['write-tree'], { in: repository, env })).trim()
}

/** The author and committer of a commit, used if git has no identity of its own. */
export interface Committer {
  name: string
  email: string
}

/** Makes a commit of a tree on top of another. @returns its id */
export async function commitTree(
  repository: string,
  tree: string,
  parent: string | undefined,
  { message, committer }: { message: string; committer: Committer },
): Promise<string> {
  const isKnown = await git(['config', '--get', 'user.email'], { in: repository }).then(Boolean, () => false)
  const { name, email } = committer
  const identity = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
  const parents = parent === undefined ? [] : ['-p', parent]
  const env = isKnown || process.env.GIT_AUTHOR_EMAIL ? {} : identity
  return (await git(['commit-tree', tree, ...parents], { in: repository, input: `${message}\n`, env })).trim()
}

/** Pushes a commit to a branch, which must not have moved on. @throws UsageError with the message of git */
export async function pushCommit(
  repository: string,
  url: string,
  oid: string,
  branch: string,
): Promise<void> {
  await git(['push', '--quiet', '--no-verify', '--', url, `${oid}:refs/heads/${branch}`], { in: repository })
}
