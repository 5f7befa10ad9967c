/**
 * `npm run dev`: the server and the console for development, in `.cache/dev`. A change of the console builds it again, any
 * other change of `src` starts the server again, and open pages of the console load anew. `--seed` fills an empty
 * installation with something to show on every screen.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { seed } from '../seed/seed.ts'
import { openBundler } from './bundler.ts'
import type { FromServer } from './messages.ts'
import { openOutbox } from './outbox.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CONSOLE = join('console', 'app')
/** Editors write a file in several steps, and a change of branch writes many files. */
const SETTLED_MS = 60

const { values } = parseArgs({ options: { seed: { type: 'boolean', default: false } } })
const port = Number(process.env.PORT ?? 3000)
const data = resolve(process.env.LECTERN_DATA ?? join(ROOT, '.cache/dev'))
const isNew = !existsSync(data)
const token = process.env.LECTERN_ADMIN_TOKEN ?? 'development-only-token'
mkdirSync(data, { recursive: true, mode: 0o700 })

const outbox = await openOutbox(port + 1)
const build = await openBundler()
let built = build()
let server = startServer()
let isEnding = false

watchSources(join(ROOT, 'src'), (names) => {
  built = build()
  if (names.every((name) => name.startsWith(CONSOLE))) void giveConsole(server.process)
  else restart()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isEnding = true
    server.process.kill('SIGTERM')
    outbox.close()
    server.process.once('exit', () => process.exit(0))
  })

const url = await server.listening
console.log(`\nE-mails   ${outbox.url}\nData      ${data}\nDebugger  chrome://inspect`)
if (values.seed && isNew) {
  console.log('\nFilling the installation …')
  const { people, password } = await seed({ url, token, letters: outbox.letters })
  console.log(
    `Sign in at ${url}/app with the password "${password}":\n${people.map((email) => `  ${email}`).join('\n')}`,
  )
} else if (values.seed)
  console.log(`\n${data} is there already, so it is not filled. Delete it to begin anew.`)

/** A process of the server, and its address when it listens. */
interface Running {
  process: ChildProcess
  listening: Promise<string>
  isStopping: boolean
}

function startServer(): Running {
  const program = join(ROOT, 'tools/dev/server.ts')
  const child = spawn(process.execPath, ['--inspect', '--enable-source-maps', program], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: {
      LECTERN_ADMIN_EMAIL: 'ada@example.com',
      LECTERN_ADMIN_TOKEN: token,
      LECTERN_FETCH_ALLOW: '127.0.0.0/8',
      LECTERN_LOG: 'warn',
      ...process.env,
      LECTERN_DATA: data,
      PORT: String(port),
    },
  })
  void giveConsole(child)
  child.once('exit', (code) => {
    if (code) console.error('The server has ended. It starts again with the next change.')
  })
  const listening = new Promise<string>((done) =>
    child.on('message', (message: FromServer) => {
      if (message.kind === 'listening') done(message.url)
      else outbox.add(message.letter)
    }),
  )
  return { process: child, listening, isStopping: false }
}

/** Sends the console to a process of the server, when it is built. */
async function giveConsole(to: ChildProcess): Promise<void> {
  const message = await built
  if (to.connected) to.send(message)
}

/** Starts the server again, when it has ended. */
function restart(): void {
  const { process: old, isStopping } = server
  if (old.exitCode !== null || old.signalCode !== null) {
    server = startServer()
    return
  }
  if (isStopping) return
  server.isStopping = true
  old.once('exit', () => {
    if (!isEnding) server = startServer()
  })
  old.kill('SIGTERM')
}

/** Calls back with the names of the files that changed, relative to the folder. */
function watchSources(folder: string, changed: (names: string[]) => void): void {
  const names = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  watch(folder, { recursive: true }, (_event, name) => {
    if (name === null || name.endsWith('~') || /\.test\.tsx?$/.test(name)) return
    names.add(name)
    clearTimeout(timer)
    timer = setTimeout(() => {
      changed([...names])
      names.clear()
    }, SETTLED_MS)
  })
}
