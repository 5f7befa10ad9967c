/** Reads and writes trees of a git repository, without a working tree. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesAt, type GitFile, type LocalRepository } from './repository.ts'

/** The files of a commit below a folder; none if the folder does not exist. */
export async function filesBelow(
  repository: LocalRepository,
  commit: string | undefined,
  path: string,
): Promise<{ files: GitFile[]; others: string[] }> {
  if (commit === undefined || (await treeAt(repository, commit, path)) === undefined)
    return { files: [], others: [] }
  return filesAt(repository, commit, path)
}

/** The id of the tree of a folder in a commit; undefined if it or the commit does not exist. */
export async function treeAt(
  repository: LocalRepository,
  commit: string,
  path: string,
): Promise<string | undefined> {
  try {
    const oid = await repository.run(['rev-parse', '--verify', '--quiet', `${commit}:${path}`])
    return oid.trim()
  } catch {
    return undefined
  }
}

/** Stores contents in a repository. @returns their ids, in the same order */
export async function storeGitBlobs(
  repository: LocalRepository,
  contents: readonly Uint8Array[],
): Promise<string[]> {
  if (contents.length === 0) return []
  const folder = join(repository.folder, 'lectern-blobs')
  await mkdir(folder, { recursive: true })
  const files: string[] = []
  for (const [nth, content] of contents.entries()) {
    const file = join(folder, String(nth))
    await writeFile(file, content)
    files.push(file)
  }
  const input = files.map((file) => `${file}\n`).join('')
  const ids = await repository.run(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input })
  await rm(folder, { recursive: true, force: true })
  return ids.trim().split('\n')
}

/** Writes the tree of a commit with files set, or removed if the id is undefined. @returns its id */
export async function writeTree(
  repository: LocalRepository,
  base: string | undefined,
  changes: readonly { path: string; oid: string | undefined; mode: string }[],
): Promise<string> {
  const env = { GIT_INDEX_FILE: join(repository.folder, 'lectern-index') }
  await repository.run(['read-tree', base ?? '--empty'], { env })
  const empty = '0'.repeat(base?.length ?? 40)
  // Removals come first, because a file may take the place of a folder.
  const ordered = [
    ...changes.filter(({ oid }) => oid === undefined),
    ...changes.filter(({ oid }) => oid !== undefined),
  ]
  const input = ordered
    .map(({ path, oid, mode }) => `${oid === undefined ? '0' : mode} ${oid ?? empty}\t${path}\0`)
    .join('')
  if (input !== '') await repository.run(['update-index', '--replace', '-z', '--index-info'], { input, env })
  return (await repository.run(['write-tree'], { env })).trim()
}

/** Makes a commit of a tree on top of another. @param identity the variables of its author and committer @returns its id */
export async function commitTree(
  repository: LocalRepository,
  tree: string,
  parent: string | undefined,
  { message, identity }: { message: string; identity: Readonly<Record<string, string>> },
): Promise<string> {
  const parents = parent === undefined ? [] : ['-p', parent]
  const oid = await repository.run(['commit-tree', tree, ...parents], {
    input: `${message}\n`,
    env: identity,
  })
  return oid.trim()
}

/** Pushes a commit to a branch, which must not have moved on. */
export async function pushCommit(
  repository: LocalRepository,
  url: string,
  oid: string,
  branch: string,
): Promise<void> {
  await repository.run(['push', '--quiet', '--no-verify', '--', url, `${oid}:refs/heads/${branch}`])
}

/** The branches of a repository elsewhere, and its main branch. @param named the only branch that is needed; by default, all */
export async function headsOf(
  repository: Pick<LocalRepository, 'run'>,
  url: string,
  named = '*',
): Promise<{ main: string | undefined; heads: ReadonlyMap<string, string> }> {
  const listed = await repository.run(['ls-remote', '--symref', '--', url, 'HEAD', `refs/heads/${named}`])
  const main = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listed)?.[1]
  const heads = [...listed.matchAll(/^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/gm)]
  return { main, heads: new Map(heads.map(([, oid = '', name = '']) => [name, oid])) }
}
