/** Runs the git that is installed on this machine: without a shell, prompts, hooks, submodules and unusual protocols. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hasErrorCode } from '../../core/runtime/error-code.ts'
import { OF_HOOKS, SAFE_SETTINGS } from '../../git/safe-settings.ts'
import type { LocalRepository } from '../../sync/repository.ts'
import { withoutPasswords } from '../../sync/source-address.ts'
import { UsageError } from '../usage.ts'

/** The longest that one git command may take. */
const TIME_MS = 15 * 60_000
/** The largest repository. */
const MOST_BYTES = 4 * 1024 ** 3
const WATCH_MS = 500
const LONGEST_MESSAGE = 2_000

function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OF_HOOKS.test(name))
  return {
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...Object.fromEntries(inherited),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: 'http:https:ssh:file',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  }
}

/** Options of a git command. */
export interface GitRun {
  /** The repository. */
  in?: string
  /** Text for the standard input. */
  input?: string
  /** A folder that must not become larger than a repository may be. */
  watch?: string
  /** Variables of the environment. */
  env?: Readonly<Record<string, string>>
}

/** Git as the user of this machine has set it up, for commands that need no repository. */
export const OWN_GIT: Pick<LocalRepository, 'run'> = { run: git }

/** A repository in a folder, in which git runs as the user of this machine has set it up. */
export function gitAt(folder: string): LocalRepository {
  return {
    folder,
    run: (args, input) => git(args, { ...input, in: folder }),
    stream: (args, input, read) => gitStream(args, { ...input, in: folder }, read),
  }
}

/** Runs a git command. @returns its output @throws UsageError with the message of git */
export async function git(args: readonly string[], run: GitRun = {}): Promise<string> {
  let out = ''
  await gitStream(args, run, async (output) => {
    out = await text(output)
  })
  return out
}

/** Runs a git command, and reads its output with `read`. @throws UsageError with the message of git */
async function gitStream(
  args: readonly string[],
  { in: folder, input, watch, env = {} }: GitRun,
  read: (output: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const place = folder === undefined ? [] : ['-C', folder]
  const child = spawn('git', [...place, ...SAFE_SETTINGS, ...args], {
    env: { ...environment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIME_MS,
    killSignal: 'SIGKILL',
  })
  const watching = watch === undefined ? undefined : watchSize(child, watch)
  let message = ''
  child.stderr.on('data', (piece: Buffer) => {
    if (message.length < LONGEST_MESSAGE) message += piece.toString()
  })
  // A command that ends early closes its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  const ended = once(child, 'close') as Promise<[number | null]>
  try {
    await Promise.all([read(child.stdout), ended])
  } catch (error) {
    child.kill('SIGKILL')
    if (hasErrorCode(error, 'ENOENT'))
      throw new UsageError('git is not installed; install it, or import an archive or a folder')
    throw error
  } finally {
    clearInterval(watching?.timer)
  }
  const [code] = await ended
  if (code === 0) return
  if (watching?.isTooLarge())
    throw new UsageError('The repository is larger than 4 GB; leave its history out with --no-dates')
  if (child.killed) throw new UsageError(`git ${args[0]} took longer than ${TIME_MS / 60_000} minutes`)
  throw new UsageError(explained(message, args[0]))
}

function watchSize(child: ChildProcess, folder: string) {
  let tooLarge = false
  const timer = setInterval(() => {
    if (sizeBelow(folder) <= MOST_BYTES) return
    tooLarge = true
    child.kill('SIGKILL')
  }, WATCH_MS)
  timer.unref()
  return { timer, isTooLarge: () => tooLarge }
}

function sizeBelow(folder: string): number {
  let sum = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile())
      sum += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  return sum
}

/** The message of git without its hints, and the flag that mends the usual faults. */
function explained(message: string, command = ''): string {
  const lines = withoutPasswords(message)
    .split('\n')
    .filter((line) => /^(?:fatal|error|remote|ssh|warning|.*[Pp]ermission denied)/.test(line))
  const said = lines.join('\n').trim() || `git ${command} failed`
  if (/Remote branch .* not found/.test(message)) return `${said}\nName a branch that exists with --branch.`
  if (
    /Authentication failed|could not read Username|terminal prompts disabled|Permission denied/.test(message)
  )
    return `${said}\nGit cannot sign in. Set up a credential helper or an SSH key, or put a token into the address.`
  return said
}
