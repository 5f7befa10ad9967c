/** Packs the files of a folder as an archive to import. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { because } from '../../core/languages/reasons.ts'
import type { Problem } from '../../core/repository/model.ts'
import { checkSize, type Dates, MOST_FILES, packTo } from '../../sync/pack.ts'
import { datesOf } from '../../sync/repository.ts'
import { git, gitAt } from './git.ts'
import { UsageError } from '../usage.ts'

/** Packs the files of a folder, with their dates if it is in a git repository. @returns what is not packed */
export async function packFolder(folder: string, file: string, isDated: boolean): Promise<Problem[]> {
  const { paths, others, bytes } = await filesIn(folder)
  checkSize(paths.length, bytes)
  await using packing = await packTo(file)
  for (const path of paths) await packing.add(path, await readFile(join(folder, path)))
  await packing.end(isDated ? await datesInFolder(folder) : new Map())
  return others.map((other) => ({ path: other, ...because('special-file-skipped') }))
}

/** Folders whose files are never documentation. */
const LEFT_OUT = new Set(['.git', 'node_modules', '__MACOSX'])

async function filesIn(folder: string) {
  const found = { paths: [] as string[], others: [] as string[], bytes: 0 }
  const waiting = [folder]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = await readdir(at, { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const full = join(at, entry.name)
      const path = relative(folder, full).split(sep).join('/')
      if (LEFT_OUT.has(entry.name)) continue
      if (entry.isDirectory()) waiting.push(full)
      else if (!entry.isFile()) found.others.push(path)
      else if (found.paths.push(path) <= MOST_FILES) found.bytes += (await stat(full)).size
    }
  }
  found.paths.sort()
  return found
}

/** Files that changed since the last commit have the date of that commit: it is the last that is known. */
async function datesInFolder(folder: string): Promise<Dates> {
  try {
    const top = (await git(['rev-parse', '--show-toplevel'], { in: folder })).trim()
    const path = relative(await realpath(top), await realpath(folder))
      .split(sep)
      .join('/')
    return await datesOf(gitAt(top), 'HEAD', path)
  } catch (error) {
    if (error instanceof UsageError) return new Map()
    throw error
  }
}
