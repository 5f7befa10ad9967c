import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buildah } from './buildah.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
/** What slim images leave out. */
const LEFT_OUT = ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale', 'usr/share/man']

/**
 * Makes an image like `node:…-bookworm-slim` without a registry of images: a minimal Debian, with the Node of the clone and
 * this machine's npm, its settings and its certificates. @returns its name
 */
export function makeBase(): string {
  const name = 'localhost/lectern-base:latest'
  const folder = mkdtempSync(join(tmpdir(), 'lectern-base-'))
  try {
    execFileSync(
      'debootstrap',
      ['--variant=minbase', '--include=libatomic1,ca-certificates', 'bookworm', folder],
      {
        stdio: 'ignore',
      },
    )
    for (const path of LEFT_OUT) {
      rmSync(join(folder, path), { recursive: true, force: true })
      mkdirSync(join(folder, path))
    }
    addNode(folder)
    const container = buildah('from', 'scratch')
    buildah('copy', '--quiet', container, folder, '/')
    buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container)
    buildah('commit', '--quiet', '--rm', '--format', 'docker', container, name)
    return name
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function addNode(folder: string): void {
  const local = join(folder, 'usr/local')
  copyFileSync(join(ROOT, 'node_modules/node/bin/node'), join(local, 'bin/node'))
  const modules = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim()
  cpSync(join(modules, 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))

  const settings = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).trim()
  const lines = existsSync(settings) ? [readFileSync(settings, 'utf8')] : []
  if (existsSync(CERTIFICATES)) {
    mkdirSync(dirname(join(folder, CERTIFICATES)), { recursive: true })
    copyFileSync(CERTIFICATES, join(folder, CERTIFICATES))
    lines.push(`cafile=${CERTIFICATES}`)
  }
  mkdirSync(join(local, 'etc'), { recursive: true })
  writeFileSync(join(local, 'etc/npmrc'), `${lines.join('\n')}\n`, { mode: 0o600 })
}
