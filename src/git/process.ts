/** Runs the git that is installed on this machine on repositories of the data folder, in bounded processes. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { unavailable } from '../http/errors.ts'
import { hasErrorCode } from '../core/runtime/error-code.ts'
import { because } from '../core/languages/reasons.ts'
import { SAFE_SETTINGS } from './safe-settings.ts'

/** The longest that one command may take, in milliseconds. */
const LONGEST_MS = 15 * 60_000
/** The most that a command may print if its output is collected, in bytes. */
const MOST_OUTPUT = 64 * 1024 * 1024
const LONGEST_MESSAGE = 2_000

/** Bounds on the memory of one command. */
const MEMORY_SETTINGS = [
  ['pack.threads', '1'],
  ['pack.windowMemory', '64m'],
  ['pack.deltaCacheSize', '32m'],
  ['core.bigFileThreshold', '8m'],
  ['core.packedGitLimit', '256m'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** Neither the configuration of the machine and of its users nor a variable of the server reaches a command. */
const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ATTR_NOSYSTEM: '1',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** A command failed, or took more than it may. */
export class GitFault extends Error {
  override name = 'GitFault'
}

/** Options of a command. */
export interface GitOptions {
  /** Ends the command. */
  signal: AbortSignal
  /** More variables of the environment. */
  env?: Readonly<Record<string, string>>
}

/** A command that runs. */
export interface RunningGit {
  stdin: Writable
  stdout: Readable
  /** Resolves when the command has ended well. @throws GitFault with the message of git, or 503 if git is not installed */
  ended: Promise<void>
  kill(): void
}

/** Starts a command in a repository. The caller reads its output, and closes its input. */
export function startGit(folder: string, args: readonly string[], { signal, env }: GitOptions): RunningGit {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(
    'git',
    [...SAFE_SETTINGS, ...MEMORY_SETTINGS, '-c', `safe.directory=${folder}`, '-C', folder, ...args],
    {
      env: { PATH: process.env.PATH, HOME: folder, ...ENVIRONMENT, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    },
  )
  const kill = () => {
    child.kill('SIGKILL')
    // A process has ended when its output is read or dropped.
    child.stdout.destroy()
  }
  if (signal.aborted) kill()
  signal.addEventListener('abort', kill, { once: true })
  let message = ''
  child.stderr.on('data', (piece: Buffer) => {
    if (message.length < LONGEST_MESSAGE) message += piece.toString()
  })
  // A command that ends early closes its input.
  child.stdin.on('error', () => {})
  const ended = (async () => {
    try {
      const [code] = (await once(child, 'close')) as [number | null]
      if (code === 0) return
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) throw unavailable(because('git-not-installed'))
      throw error
    } finally {
      signal.removeEventListener('abort', kill)
    }
    signal.throwIfAborted()
    throw new GitFault(`git ${args[0]}: ${message.trim() || 'it was ended'}`)
  })()
  // The reader of the output may fail first.
  ended.catch(() => {})
  return { stdin: child.stdin, stdout: child.stdout, ended, kill }
}

/** Runs a command, and collects its output. @throws GitFault */
export async function runGit(
  folder: string,
  args: readonly string[],
  { input, ...options }: GitOptions & { input?: string | Uint8Array },
): Promise<Buffer> {
  const running = startGit(folder, args, options)
  running.stdin.end(input ?? '')
  const parts: Buffer[] = []
  let size = 0
  for await (const piece of running.stdout as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > MOST_OUTPUT) {
      running.kill()
      throw new GitFault(`git ${args[0]}: the output is larger than ${MOST_OUTPUT} bytes`)
    }
    parts.push(piece)
  }
  await running.ended
  return Buffer.concat(parts)
}
