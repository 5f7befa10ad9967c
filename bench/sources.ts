/** `lectern import` of the corpora as an archive, a folder and a git repository, beside the import alone. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { archive, importArchive } from './import.ts'
import { median, spread, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const CORPORA = ['elsa-docs', 'fluentd-docs', 'tidb-docs-zh'] as const
const RUNS = 3
const run = promisify(execFile)

/** The command with all that it does: its start, packing or cloning, the upload, the import, and the check of links. */
export async function sources(): Promise<Result[]> {
  const results: Result[] = []
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  for (const name of CORPORA) {
    const bytes = archive(name)
    const places = written(join(folder, name), bytes)
    await using lectern = await startLectern()
    const connection = [
      '--new',
      '--no-site',
      '--allow-loss',
      '--quiet',
      '--url',
      lectern.url,
      '--token',
      lectern.token,
    ]
    const seconds = new Map<string, number[]>()
    for (let nth = 0; nth <= RUNS; nth++) {
      const { milliseconds } = await importArchive(lectern, name, bytes)
      const all = new Map([['alone', milliseconds / 1000]])
      for (const [kind, place] of Object.entries(places)) {
        const started = performance.now()
        await run(process.execPath, ['bin/lectern.js', 'import', place, ...connection])
        all.set(kind, (performance.now() - started) / 1000)
      }
      if (nth > 0) for (const [kind, time] of all) seconds.set(kind, [...(seconds.get(kind) ?? []), time])
    }
    const pages = Object.keys(unzipSync(bytes)).filter((path) => path.endsWith('.md')).length - 1
    const alone = pages / median(seconds.get('alone')!)
    for (const kind of Object.keys(places)) {
      const own = seconds.get(kind)!.map((time) => pages / time)
      results.push({
        scenario: `lectern import of ${name}, ${pages} pages, as ${kind}: pages a second / the import alone`,
        ours: `${median(own).toFixed(0)}/s`,
        reference: `${alone.toFixed(0)}/s`,
        ratio: median(own) / alone,
        spread: spread(own),
        goal: '≥ 500/s',
      })
    }
  }
  rmSync(folder, { recursive: true, force: true })
  return results
}

/** Writes an archive as a file, a folder, and a repository with one commit. */
function written(place: string, bytes: Buffer): Record<string, string> {
  const files = join(place, 'folder')
  for (const [path, content] of Object.entries(unzipSync(bytes))) {
    if (path.endsWith('/')) continue
    mkdirSync(dirname(join(files, path)), { recursive: true })
    writeFileSync(join(files, path), content)
  }
  const file = join(place, 'archive.zip')
  writeFileSync(file, bytes)
  const repository = join(place, 'repository')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args])
  git('init', '--quiet', '--initial-branch=main', repository)
  const at = ['-C', repository, `--work-tree=${files}`]
  git(...at, 'add', '--all', '--force', '.')
  git(...at, 'commit', '--quiet', '--message', 'All')
  return { archive: file, folder: files, 'git repository': pathToFileURL(repository).href }
}
