/** Checks of the machine: Node, Git, fonts, the data folder and the store of files. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { openBlobs } from '../../blobs/open.ts'
import { BOOK_FONTS } from '../../books/fonts.ts'
import { packagedFile } from '../../core/runtime/packaged-files.ts'
import type { Config } from '../../installation/config.ts'
import { bytesInWords, type Findings } from './check.ts'

const runFile = promisify(execFile)
/** The lines of Node on which the package is tried. */
const TRIED_LINES = [24, 26]
const LITTLE_SPACE = 1e9
const NO_SPACE = 100e6

export function checkNode({ ok, warn, fault }: Findings): void {
  const { node } = process.versions
  const line = Number(node.split('.')[0])
  if (line < 24) return fault(`Node ${node} is too old`, 'Install Node 24 or 26')
  if (!TRIED_LINES.includes(line))
    return warn(`Lectern has not been tried on Node ${node}`, 'Install Node 24 or 26')
  return ok(`Node ${node}`)
}

export async function checkGit({ ok, warn }: Findings): Promise<void> {
  try {
    const { stdout } = await runFile('git', ['--version'])
    ok(stdout.trim())
  } catch {
    warn(
      'Git is not installed: nobody can clone a space, and "lectern import", "sync" and "export --git" cannot use repositories',
      'Install Git if you need this, for example with "apt-get install git"',
    )
  }
}

export function checkFonts({ ok, warn }: Findings): void {
  const missing = BOOK_FONTS.filter((font) => !isInstalled(font))
  if (missing.length === 0) return ok(`all ${BOOK_FONTS.length} fonts of PDF files are installed`)
  const packages = [...new Set(missing.map(([name]) => name))]
  return warn(
    `${missing.length} of ${BOOK_FONTS.length} fonts of PDF files are missing: PDF files cannot show their scripts`,
    `Install Lectern again, or in a clone run "npm ci". The fonts are in ${packages.join(', ')}`,
  )
}

function isInstalled(font: (typeof BOOK_FONTS)[number]): boolean {
  try {
    return existsSync(packagedFile(font))
  } catch {
    return false
  }
}

export async function checkDataFolder({ data }: Config, findings: Findings): Promise<void> {
  if (!existsSync(data)) return findings.ok(`${data} does not exist yet; the first start creates it`)
  const advice = 'Give the user of the server the folder, or correct LECTERN_DATA'
  if (!statSync(data).isDirectory()) return findings.fault(`${data} is not a folder`, advice)
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return findings.fault(`${data} cannot be written by this user`, advice)
  }
  const mode = statSync(data).mode & 0o777
  if ((mode & 0o007) !== 0)
    findings.warn(`other users of this machine can open ${data}`, `Run "chmod 700 ${data}"`)
  return reportSpace(data, findings)
}

async function reportSpace(folder: string, { ok, warn, fault }: Findings): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const message = `${folder} has ${bytesInWords(free)} of free space`
  if (free < NO_SPACE) return fault(message, 'Free some space, or move the folder to a larger disk')
  if (free < LITTLE_SPACE) return warn(message, 'Free some space, or move the folder to a larger disk')
  return ok(message)
}

/** Stores some bytes, reads them and removes them. */
export async function checkBlobs(config: Config, findings: Findings): Promise<void> {
  const { data, s3 } = config
  if (!s3 && !existsSync(join(data, 'blobs')))
    return findings.ok(`the folder blobs does not exist yet; the first start creates it`)
  const blobs = await openBlobs(config)
  // Nobody else has stored these bytes, so they can be removed again.
  const bytes = randomBytes(64)
  const { hash } = await blobs.put(bytes)
  const opened = await blobs.get(hash)
  const read = opened && (await buffer(opened.stream))
  await blobs.remove(hash)
  if (!read?.equals(bytes))
    return findings.fault('stored bytes cannot be read again', 'Check the bucket and its permissions')
  return findings.ok(
    s3
      ? `the bucket "${s3.bucket}" stores, reads and removes files`
      : 'the folder blobs stores, reads and removes files',
  )
}
