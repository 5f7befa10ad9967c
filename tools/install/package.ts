import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { megabytesOf, runProgram, secondsSince, type Trial, tryInstallation, writeDocs } from './trial.ts'

/** The lines of Node that the package supports. */
const LINES = ['24', '26']

/**
 * Packs the clone and installs the package as a new user does, once with each line of Node, which is installed before the
 * time begins.
 */
export async function tryPackage(root: string, folder: string): Promise<Trial[]> {
  const packed = await runProgram('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root })
  const file = join(folder, packed.split('\n').at(-1) ?? '')
  const trials: Trial[] = []
  for (const line of LINES) trials.push(await tryLine(line, file, join(folder, `node-${line}`)))
  return trials
}

async function tryLine(line: string, file: string, home: string): Promise<Trial> {
  mkdirSync(join(home, 'node'), { recursive: true })
  mkdirSync(join(home, 'program'))
  await install(join(home, 'node'), `node@${line}`)
  const node = nodeIn(join(home, 'node'))

  const begun = performance.now()
  await install(join(home, 'program'), file)
  const installed = secondsSince(begun)
  const program = join(home, 'program/node_modules/lectern/bin/lectern.js')
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LECTERN_DATA: join(home, 'data'),
    LECTERN_LOG: 'silent',
    PORT: '0',
  }
  const times = await tryInstallation({
    start: () => spawn(node, [program], { env }),
    command: (...args) => runProgram(node, [program, ...args], { env }),
    docs: writeDocs(home),
  })
  const way = `the package, Node ${(await runProgram(node, ['--version'])).slice(1)}`
  return {
    way,
    megabytes: await megabytesOf(join(home, 'program/node_modules')),
    install: installed,
    ...times,
  }
}

function install(cwd: string, ...args: string[]): Promise<unknown> {
  return runProgram('npm', ['install', '--no-audit', '--no-fund', '--prefix', cwd, ...args], { cwd })
}

/** The program of a `node` package, which is in a package for the platform. */
function nodeIn(home: string): string {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true })
  const found = entries.find(({ name, parentPath }) => name === 'node' && parentPath.endsWith('/bin'))
  if (!found) throw new Error('The package of Node has no program')
  return join(found.parentPath, found.name)
}
