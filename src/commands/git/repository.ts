/** Reads a git repository without a working tree: what it has at a commit, and when its files changed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git, gitStream } from './git.ts'
import { UsageError } from '../usage.ts'

/** A bare copy of a repository. Disposing it removes it. */
export interface ClonedRepository extends AsyncDisposable {
  folder: string
  branch: string
  /** The newest commit of the branch. */
  oid: string
}

/** Whether an argument is the address of a git repository: a URL that git reads, or `user@host:path`. */
export function isGitAddress(argument: string): boolean {
  if (/^(?:ssh|file|git\+ssh):\/\//i.test(argument)) return true
  if (/^[\w.-]+@[\w.-]+:(?!\/\/)/.test(argument)) return true
  return /^https?:\/\//i.test(argument)
}

/** Copies a branch of a repository. @param isDated whether the history is needed */
export async function cloneRepository(
  url: string,
  branch: string | undefined,
  isDated: boolean,
): Promise<ClonedRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-git-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const history = isDated ? [] : ['--depth=1']
    const named = branch === undefined ? [] : [`--branch=${branch}`]
    const how = ['--bare', '--quiet', '--single-branch', '--no-tags', '--template=']
    await git(['clone', ...how, ...history, ...named, '--', url, folder], { watch: folder })
    const oid = (await git(['rev-parse', '--verify', '--quiet', 'HEAD'], { in: folder }).catch(empty)).trim()
    const current = (await git(['symbolic-ref', '--short', 'HEAD'], { in: folder })).trim()
    return { folder, branch: current, oid, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }

  function empty(): never {
    throw new UsageError(`${branch ?? 'The repository'} has no commits; name another branch with --branch`)
  }
}

/** A file of a commit. */
export interface GitFile {
  path: string
  oid: string
  size: number
  mode: string
}

/** The files of a commit, below a folder or all, and what is not imported: symbolic links and submodules. */
export async function filesAt(
  repository: string,
  commit: string,
  path = '',
): Promise<{ files: GitFile[]; others: string[] }> {
  const tree = path === '' ? commit : `${commit}:${path}`
  const listed = await git(['ls-tree', '-r', '-z', '-l', '--full-tree', tree], { in: repository }).catch(
    () => {
      throw new UsageError(`The repository has no folder "${path}"; name another one with --path`)
    },
  )
  const files: GitFile[] = []
  const others: string[] = []
  for (const entry of listed.split('\0')) {
    const [, mode = '', type, oid = '', size = '', name = ''] =
      /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([^]+)$/.exec(entry) ?? []
    if (name === '') continue
    if (type === 'blob' && mode.startsWith('100')) files.push({ path: name, oid, size: Number(size), mode })
    else others.push(name)
  }
  return { files, others }
}

/** The bytes of blobs, in the order of their ids. */
export async function readBlobs(
  repository: string,
  oids: readonly string[],
  take: (bytes: Buffer, nth: number) => void | Promise<void>,
): Promise<void> {
  if (oids.length === 0) return
  let nth = 0
  const input = oids.map((oid) => `${oid}\n`).join('')
  await gitStream(['cat-file', '--batch'], { in: repository, input }, async (output) => {
    let parts: Buffer[] = []
    let held = 0
    let wanted: number | undefined
    for await (const piece of output) {
      parts.push(piece)
      held += piece.length
      if (wanted !== undefined && held < wanted + 1) continue
      let buffer = Buffer.concat(parts)
      for (;;) {
        if (wanted === undefined) {
          const end = buffer.indexOf(10)
          if (end === -1) break
          const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(buffer.toString('latin1', 0, end)) ?? []
          if (size === undefined) throw new UsageError('git has not found a file of the repository')
          wanted = Number(size)
          buffer = buffer.subarray(end + 1)
        }
        // A line feed ends each blob.
        if (buffer.length < wanted + 1) break
        await take(buffer.subarray(0, wanted), nth++)
        buffer = buffer.subarray(wanted + 1)
        wanted = undefined
      }
      parts = [buffer]
      held = buffer.length
    }
  })
}

/**
 * When the files below a folder were created and last changed: the times of their first and last commits, in seconds. Paths
 * are relative to the folder.
 */
export async function datesOf(
  repository: string,
  commit: string,
  path = '',
): Promise<Map<string, [created: number, updated: number]>> {
  const dates = new Map<string, [number, number]>()
  const prefix = path === '' ? '' : `${path}/`
  const take = (entry: string) => {
    const [head = '', ...names] = entry.split('\0')
    const time = Number(head)
    if (!Number.isSafeInteger(time)) return
    for (const name of names) {
      const clean = name.replace(/^\n/, '')
      if (clean === '' || !clean.startsWith(prefix)) continue
      const known = dates.get(clean.slice(prefix.length))
      // The newest commit comes first.
      if (known) known[0] = Math.min(known[0], time)
      else dates.set(clean.slice(prefix.length), [time, time])
    }
  }
  // Each commit begins with a mark that no name has, because git escapes nothing in names.
  const format = ['--format=%x01%x01%at%x00', '--name-only', '-z', '--no-renames']
  const only = path === '' ? [] : ['--', path]
  await gitStream(['log', ...format, commit, ...only], { in: repository }, async (output) => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const piece of output) {
      const entries = (rest + decoder.decode(piece, { stream: true })).split('\x01\x01')
      rest = entries.pop() ?? ''
      for (const entry of entries) take(entry)
    }
    take(rest)
  })
  return dates
}
