/**
 * `node tools/package/try.ts`: packs Lectern, installs the package as a new user does, once with each line of Node that it
 * supports, and times the way from nothing to a published page.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../..')
const LINES = process.argv.length > 2 ? process.argv.slice(2) : ['24', '26']
const runFile = promisify(execFile)

const folder = await mkdtemp(join(tmpdir(), 'lectern-package-'))
try {
  const { stdout } = await runFile('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT })
  const file = join(folder, stdout.trim().split('\n').at(-1) ?? '')
  for (const line of LINES) await tryLine(line, file)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function tryLine(line: string, file: string): Promise<void> {
  const home = join(folder, `node-${line}`)
  await mkdir(join(home, 'node'), { recursive: true })
  await mkdir(join(home, 'program'))
  await install(join(home, 'node'), `node@${line}`)
  const node = await nodeIn(join(home, 'node'))
  const { stdout: version } = await runFile(node, ['--version'])

  const installed = await timed(() => install(join(home, 'program'), file))
  const program = join(home, 'program/node_modules/lectern/bin/lectern.js')
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LECTERN_DATA: join(home, 'data'),
    LECTERN_LOG: 'silent',
    PORT: '0',
  }
  const server = spawn(node, [program], { env })
  try {
    let url = ''
    const started = await timed(async () => (url = await announced(server)))
    await mkdir(join(home, 'docs'))
    await writeFile(join(home, 'docs/README.md'), '# Docs\n\nThis is **published**.\n')
    const imported = await timed(() => runFile(node, [program, 'import', join(home, 'docs')], { env }))
    const page = await fetch(`${url}/sites/docs/docs/`)
    if (!(await page.text()).includes('<strong>published</strong>'))
      throw new Error(`${version.trim()}: the page is not published`)
    const size = await runFile('du', ['-sm', join(home, 'program/node_modules')])
    console.log(
      `${version.trim()}: installed in ${installed} s (${size.stdout.split('\t')[0]} MB), started in ${started} s, imported in ${imported} s`,
    )
  } finally {
    const ended = hasEnded(server) ? undefined : once(server, 'exit')
    server.kill()
    await ended
  }
}

function install(cwd: string, ...args: string[]): Promise<unknown> {
  return runFile('npm', ['install', '--no-audit', '--no-fund', '--prefix', cwd, ...args], { cwd })
}

/** The program of a `node` package, which is in a package for the platform. */
async function nodeIn(home: string): Promise<string> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  const found = entries.find(({ name, parentPath }) => name === 'node' && parentPath.endsWith('/bin'))
  if (!found) throw new Error('The package of Node has no program')
  return join(found.parentPath, found.name)
}

async function announced(server: ChildProcess): Promise<string> {
  let said = ''
  server.stdout?.on('data', (piece: Buffer) => (said += piece.toString()))
  const ended = once(server, 'exit')
  for (;;) {
    const url = /Lectern is at (\S+)/.exec(said)?.[1]
    if (url) return url
    await Promise.race([once(server.stdout ?? server, 'data'), ended])
    if (hasEnded(server)) throw new Error(`The server ended with ${server.exitCode ?? server.signalCode}`)
  }
}

/** Whether a server has ended by itself or by a signal. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** How many seconds work takes. */
async function timed(work: () => Promise<unknown>): Promise<string> {
  const start = performance.now()
  await work()
  return ((performance.now() - start) / 1000).toFixed(1)
}
