/**
 * `node tools/install/try.ts [package] [clone] [image]`: goes the ways from nothing to a published page that the manual
 * describes, all or those that are named, and prints what each took. The image needs root and the programs `buildah` and
 * `debootstrap`; `--base <image>` builds it on a real image of Node instead of one made from Debian's packages, and
 * `--image <image>` tries an image that exists.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { tryClone } from './clone.ts'
import { tryImage } from './image.ts'
import { tryPackage } from './package.ts'
import type { Trial } from './trial.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { base: { type: 'string' }, image: { type: 'string' } },
})
const ways: Record<string, (folder: string) => Promise<Trial[]>> = {
  package: (folder) => tryPackage(ROOT, folder),
  clone: async (folder) => [await tryClone(ROOT, folder)],
  image: async (folder) => [await tryImage(ROOT, folder, values)],
}

console.log('| way | size | installed in | started in | first page after | together |')
console.log('|---|---|---|---|---|---|')
for (const name of positionals.length > 0 ? positionals : Object.keys(ways)) {
  const way = ways[name]
  if (!way) throw new Error(`There is no way "${name}": name some of ${Object.keys(ways).join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'lectern-try-'))
  try {
    for (const trial of await way(folder)) console.log(row(trial))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function row({ way, megabytes, install, start, publish }: Trial): string {
  const seconds = [install, start, publish, install + start + publish].map((time) => `${time.toFixed(1)} s`)
  return `| ${[way, `${megabytes} MB`, ...seconds].join(' | ')} |`
}
