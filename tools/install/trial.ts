import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What one way to a published page took. Times are seconds. */
export interface Trial {
  way: string
  /** Its size: of folders, what `du -sm` prints; of an image, millions of bytes, as engines print it. */
  megabytes: number
  /** From the beginning, with all downloads. */
  install: number
  /** From the command to the line that names the address. */
  start: number
  /** The import of a page, and its first request as a page of the published site. */
  publish: number
}

/** An installation that can be tried. */
export interface Installation {
  /** Starts a server, which prints its address. */
  start: () => ChildProcess
  /** Ends it, as an operator would. The default sends SIGTERM. */
  stop?: (server: ChildProcess) => void
  /** Runs a command of the program beside the server. @throws if it fails */
  command: (...args: string[]) => Promise<unknown>
  /** The folder of the documentation, as commands see it. */
  docs: string
  /** Tries what only this installation has, while the server runs. */
  more?: (address: string) => Promise<void>
}

/** Starts a server, imports a page, reads it on its site, and stops the server. */
export async function tryInstallation({
  start,
  stop = (server) => server.kill(),
  command,
  docs,
  more,
}: Installation): Promise<Pick<Trial, 'start' | 'publish'>> {
  const begun = performance.now()
  const server = start()
  try {
    const address = await announced(server)
    const started = secondsSince(begun)
    const importing = performance.now()
    await command('import', docs)
    const page = await fetch(`${address}/sites/docs/trial/`)
    if (!(await page.text()).includes('<strong>published</strong>'))
      throw new Error('The page is not published')
    const published = secondsSince(importing)
    await more?.(address)
    const ended = once(server, 'exit')
    stop(server)
    const [code, signal] = (await ended) as [number | null, string | null]
    // npm ends by the signal that interrupts it.
    if (code !== 0 && signal !== 'SIGINT') throw new Error(`The server stopped with ${code ?? signal}`)
    return { start: started, publish: published }
  } finally {
    if (!hasEnded(server)) server.kill('SIGKILL')
  }
}

/** Writes the documentation that is imported to a folder named `docs`. @returns the folder */
export function writeDocs(home: string): string {
  const docs = join(home, 'docs')
  mkdirSync(docs)
  writeFileSync(join(docs, 'README.md'), '# Trial\n\nThis is **published**.\n')
  return docs
}

/** Runs a program to its end. @throws with what it printed, unless it exits with 0 */
export async function runProgram(
  program: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let output = ''
  let printed = ''
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (printed += piece.toString()))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}${printed}`)
  return output.trim()
}

/** What a folder takes on the disk, in units of 2^20 bytes. */
export async function megabytesOf(folder: string): Promise<number> {
  const [megabytes] = (await runProgram('du', ['-sm', folder])).split('\t')
  return Number(megabytes)
}

/** The seconds since a time of `performance.now()`. */
export function secondsSince(begun: number): number {
  return (performance.now() - begun) / 1000
}

/** Waits for the line in which a server names its address. @returns the address on this machine */
async function announced(server: ChildProcess): Promise<string> {
  let printed = ''
  server.stdout?.on('data', (piece: Buffer) => (printed += piece.toString()))
  server.stderr?.on('data', (piece: Buffer) => (printed += piece.toString()))
  const ended = once(server, 'exit')
  for (;;) {
    const address = /Lectern is at (\S+)/.exec(printed)?.[1]
    if (address) return address
    await Promise.race([once(server.stdout ?? server, 'data'), ended])
    if (hasEnded(server)) throw new Error(`The server ended before it listened:\n${printed}`)
  }
}

/** Whether a server has ended by itself or by a signal. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
