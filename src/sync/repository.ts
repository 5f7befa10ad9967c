/** Reads a git repository without a working tree: what it has at a commit, and when its files changed. */
import { because } from '../core/languages/reasons.ts'
import { invalid } from '../http/errors.ts'

/** Options of a command. */
export interface CommandInput {
  /** Text for the standard input. */
  input?: string
  /** Variables of the environment. */
  env?: Readonly<Record<string, string>>
}

/** A repository on this machine, and how git is run in it: by the command line with the settings of its user, by the server without any. */
export interface LocalRepository {
  folder: string
  /** Runs a git command. @returns its output */
  run(args: readonly string[], input?: CommandInput): Promise<string>
  /** Runs a git command, and reads its output with `read`. */
  stream(
    args: readonly string[],
    input: CommandInput,
    read: (output: AsyncIterable<Buffer>) => Promise<void>,
  ): Promise<void>
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
  repository: LocalRepository,
  commit: string,
  path = '',
): Promise<{ files: GitFile[]; others: string[] }> {
  const tree = path === '' ? commit : `${commit}:${path}`
  const listed = await repository.run(['ls-tree', '-r', '-z', '-l', '--full-tree', tree]).catch(() => {
    throw invalid(because('repository-folder-missing', { path }))
  })
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
  repository: LocalRepository,
  oids: readonly string[],
  take: (bytes: Buffer, nth: number) => void | Promise<void>,
): Promise<void> {
  if (oids.length === 0) return
  let nth = 0
  const input = oids.map((oid) => `${oid}\n`).join('')
  await repository.stream(['cat-file', '--batch'], { input }, async (output) => {
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
          if (size === undefined) throw new Error('git has not found a file of the repository')
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
  repository: LocalRepository,
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
  await repository.stream(['log', ...format, commit, ...only], {}, async (output) => {
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
