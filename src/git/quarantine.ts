/** The objects of a push, apart from those of the repository until all of them were examined. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sizeLimit } from '../core/text/byte-size.ts'
import { invalid, tooLarge } from '../http/errors.ts'
import { because } from '../core/languages/reasons.ts'
import { GitFault, type RunningGit, runGit, startGit } from './process.ts'

/** The longest that reading a pack may take, in milliseconds. Deltas can make a small pack arbitrarily slow to read. */
const PACK_MS = 120_000
/** The most bytes that git allocates at once: a delta can declare any size. */
const MOST_ALLOCATED = 256 * 1024 * 1024

/** The objects of a push, with those of the repository behind them. Disposing it removes them. */
export interface Quarantine extends AsyncDisposable {
  /** The folder, for other files of the push. */
  folder: string
  /** Takes a pack. @throws 400, 413 */
  take(pack: AsyncIterable<Buffer>, maxBytes: number): Promise<void>
  /** Runs a command that sees the objects, and collects its output. @throws GitFault */
  git(args: readonly string[], input?: string): Promise<string>
  /** Starts a command that sees the objects. */
  start(args: readonly string[]): RunningGit
  /** Writes the output of a command to a file. */
  gitToFile(args: readonly string[], file: string): Promise<void>
}

/** @param repository the folder of the repository */
export async function openQuarantine(repository: string, signal: AbortSignal): Promise<Quarantine> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-push-'))
  const objects = join(folder, 'objects')
  await mkdir(join(objects, 'pack'), { recursive: true })
  const env = {
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository, 'objects'),
    GIT_ALLOC_LIMIT: String(MOST_ALLOCATED),
  }
  const start = (args: readonly string[]) => startGit(repository, args, { signal, env })
  return {
    folder,
    start,
    async take(pack, maxBytes) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(PACK_MS)])
      const args = ['index-pack', '--stdin', '--strict', '--fix-thin', `--max-input-size=${maxBytes}`]
      const git = startGit(repository, args, { signal: limited, env })
      git.stdout.resume()
      const size = await feed(git, pack, maxBytes)
      try {
        await git.ended
      } catch (error) {
        signal.throwIfAborted()
        if (size > maxBytes) throw tooLarge(because('git-push-too-large', { limit: sizeLimit(maxBytes) }))
        throw refusedByGit(error)
      }
    },
    git: async (args, input) =>
      (await runGit(repository, args, { signal, env, ...(input === undefined ? {} : { input }) })).toString(),
    async gitToFile(args, file) {
      const git = start(args)
      git.stdin.end()
      await Promise.all([pipeline(git.stdout, createWriteStream(file)), git.ended])
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The message of git about objects that it refuses, without its prefixes. @returns any other error as it is */
export function refusedByGit(error: unknown): unknown {
  if (!(error instanceof GitFault) && !isTimeout(error)) return error
  const lines = error instanceof GitFault ? error.message.split('\n') : []
  const message = lines.map((line) => line.replace(/^(?:git [\w-]+: )?(?:fatal|error): /, '')).join('; ')
  return invalid(because('git-objects-refused', { message: message || 'reading them takes too long' }))
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'

/** Writes a pack to a command, and drops what it does not read. @returns the bytes that arrived */
async function feed(
  { stdin, ended }: RunningGit,
  pack: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<number> {
  let size = 0
  let isOver = false
  const over = ended.then(
    () => (isOver = true),
    () => (isOver = true),
  )
  for await (const piece of pack) {
    size += piece.length
    if (size > maxBytes) break
    // A client that is cut off while it sends does not read the response, so the rest is dropped.
    if (isOver || !stdin.writable) continue
    if (!stdin.write(piece)) await Promise.race([once(stdin, 'drain').catch(() => {}), over])
  }
  stdin.end()
  return size
}
