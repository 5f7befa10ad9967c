import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeBase } from './base.ts'
import { buildah } from './buildah.ts'
import { type Container, ended, type ImageConfig, runIn } from './container.ts'
import { secondsSince, type Trial, tryInstallation, writeDocs } from './trial.ts'

const MOST_BYTES = 400_000_000
const PORT = '4379'

/**
 * Builds the image from `deploy/Dockerfile` and tries it: as its user, with a read-only root, it starts, imports a page,
 * publishes it, passes its health check, makes a PDF file and stops. The base image is made before the time begins.
 */
export async function tryImage(
  root: string,
  folder: string,
  { base, image }: { base?: string; image?: string },
): Promise<Trial> {
  if (process.getuid?.() !== 0) throw new Error('To try the image, run this as root')
  const missing = ['buildah', 'debootstrap'].filter((program) => !isInstalled(program))
  if (missing.length > 0) throw new Error(`To try the image, install ${missing.join(' and ')} first`)

  let name = image
  let install = 0
  if (name === undefined) {
    const from = base ?? makeBase()
    const begun = performance.now()
    name = build(root, from)
    install = secondsSince(begun)
  }
  const container = buildah('from', '--pull-never', name)
  try {
    const mounted = buildah('mount', container)
    const bytes = Number(execFileSync('du', ['-sb', mounted], { encoding: 'utf8' }).split('\t')[0])
    assert.ok(bytes <= MOST_BYTES, `the image has ${bytes} bytes`)
    const config = configOf(name)
    assert.deepEqual([config.User, config.StopSignal], ['10001:10001', 'SIGTERM'])
    assert.deepEqual(Object.keys(config.Volumes), ['/data'])
    const data = join(folder, 'data')
    mkdirSync(data)
    // A container engine would make the volume for the user of the image.
    chownSync(data, 10001, 10001)
    const docs = writeDocs(folder)
    chmodSync(folder, 0o755)
    const folders = { [data]: '/data', [docs]: '/srv/docs' }
    const times = await tryContainer(
      { root: mounted, config, folders, env: { PORT, LECTERN_LOG: 'silent' } },
      data,
    )
    return { way: 'the image', megabytes: Math.round(bytes / 1e6), install, ...times }
  } finally {
    buildah('rm', container)
  }
}

function build(root: string, base: string): string {
  const name = 'localhost/lectern:try'
  const options = [
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--build-arg',
    `BASE=${base}`,
    '--tag',
    name,
  ]
  buildah('build', ...options, '--file', join(root, 'deploy/Dockerfile'), root)
  return name
}

function configOf(image: string): ImageConfig {
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
    Docker: { config: ImageConfig }
  }
  return Docker.config
}

async function tryContainer(container: Container, data: string): Promise<Pick<Trial, 'start' | 'publish'>> {
  const { Entrypoint, Healthcheck } = container.config
  const run = (...command: string[]) => ended(runIn(container, command))
  const health = Healthcheck.Test.slice(1)
  assert.notEqual((await run(...health)).code, 0, 'the health check fails while no server runs')
  assert.notEqual((await run('touch', '/opt/x')).code, 0, 'the root is read-only')
  const command = async (...args: string[]) => {
    const { code, output } = await run('lectern', ...args)
    assert.equal(code, 0, output)
    return output
  }
  return tryInstallation({
    start: () => runIn(container, Entrypoint),
    stop: terminate,
    command,
    docs: '/srv/docs',
    more: async (address) => {
      assert.deepEqual(await run(...health), { code: 0, output: '' })
      await tryBook(address, data)
      assert.match(await command('reset-password', 'admin@localhost'), /\/app\//)
    },
  })
}

/** Makes a PDF file, which starts a process and uses the native typesetter. */
async function tryBook(address: string, data: string): Promise<void> {
  const { token } = JSON.parse(readFileSync(join(data, 'local.json'), 'utf8')) as { token: string }
  const headers = { Authorization: `Bearer ${token}` }
  const get = async (path: string) => (await fetch(`${address}/v1${path}`, { headers })).json()
  const { items: organizations } = (await get('/orgs')) as { items: { id: string }[] }
  const { items: spaces } = (await get(`/orgs/${organizations[0]?.id}/spaces`)) as { items: { id: string }[] }
  const { url } = (await get(`/spaces/${spaces[0]?.id}/pdf`)) as { url: string }
  const response = await fetch(url.replace(/^https?:\/\/[^/]+/, address), { headers })
  assert.equal(
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
}

/** Ends the process with the id 1 in a container: the only child of the program that made its namespace. */
function terminate(server: ChildProcess): void {
  const id = execFileSync('ps', ['--ppid', String(server.pid), '-o', 'pid='], { encoding: 'utf8' }).trim()
  execFileSync('kill', ['-s', 'TERM', id])
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
