/** A PDF of 53 and of 500 pages of real documentation, beside Chromium printing the same HTML. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { renderForBook } from '../src/books/render-page.ts'
import { parsePage } from '../src/core/document/parse.ts'
import { type Corpus, corpusPages } from '../test/corpus.ts'
import { median, spread } from './measure.ts'
import type { Result } from './result.ts'

const CORPORA: Corpus[] = ['fluentd-docs', 'elsa-docs', 'tidb-docs-zh']
const SIZES = [53, 500]
const RUNS = Number(process.env.BENCH_PDF_RUNS ?? 5)
const BROWSER = process.env.LECTERN_TEST_CHROMIUM ?? '/usr/bin/chromium'

interface Run {
  ms: number
  mb: number
}

/** Time and peak memory of both, for the pages in the order of the corpora; they repeat if there are too few. */
export async function pdf(): Promise<Result[]> {
  const all = await renderedPages()
  const results: Result[] = []
  for (const size of SIZES) {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
    const pages = Array.from({ length: size }, (_, index) => all[index % all.length]!)
    const input = join(folder, 'pages.json')
    writeFileSync(input, JSON.stringify(pages))
    const document = join(folder, 'pages.html')
    const body = pages.map(({ title, html }) => `<h1>${title}</h1>\n${html}`).join('\n')
    writeFileSync(document, `<!doctype html><meta charset="utf-8"><title>Documentation</title>${body}`)

    const ours: Run[] = []
    const theirs: Run[] = []
    // The first run of each is a warm-up.
    for (let run = 0; run <= RUNS; run++) {
      const own = typesetAlone(input, join(folder, 'ours.pdf'))
      const other = await printed(document, join(folder, 'theirs.pdf'))
      if (run === 0) continue
      ours.push(own)
      theirs.push(other)
    }
    const time = (runs: Run[]) => median(runs.map(({ ms }) => ms))
    const memory = (runs: Run[]) => median(runs.map(({ mb }) => mb))
    const what = `PDF of ${size} pages`
    results.push(
      {
        scenario: `${what}: time / Chromium printing the same HTML`,
        ours: `${time(ours).toFixed(0)} ms`,
        reference: `${time(theirs).toFixed(0)} ms`,
        ratio: time(ours) / time(theirs),
        spread: spread(ours.map(({ ms }) => ms)),
        goal: size > 100 ? '< 1, and ≤ 10 s' : '< 1',
      },
      {
        scenario: `${what}: peak memory / Chromium printing the same HTML`,
        ours: `${memory(ours).toFixed(0)} MB`,
        reference: `${memory(theirs).toFixed(0)} MB`,
        ratio: memory(ours) / memory(theirs),
        spread: spread(ours.map(({ mb }) => mb)),
        goal: '≤ 0.5',
      },
    )
  }
  return results
}

async function renderedPages(): Promise<{ title: string; html: string }[]> {
  const pages: { title: string; html: string }[] = []
  for (const corpus of CORPORA)
    for (const [path, source] of corpusPages(corpus)) {
      const task = {
        page: { hash: path, source, references: new Map() },
        included: new Map(),
        targets: new Map(),
        scope: {},
        specs: new Map(),
      }
      pages.push({ title: parsePage(source).title ?? path, html: await renderForBook(task, 'en') })
    }
  return pages
}

function typesetAlone(input: string, output: string): Run {
  const script = new URL('./pdf-set.ts', import.meta.url).pathname
  return JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', script, input, output], { encoding: 'utf8' }),
  ) as Run
}

/** Prints a document in a new browser, as a server would have to: what one page leaves behind, another could see. */
async function printed(document: string, output: string): Promise<Run> {
  const before = new Set(processes().map(({ pid }) => pid))
  const since = performance.now()
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] })
  let mb = 0
  const watch = setInterval(() => {
    const own = processes().filter(({ pid, name }) => !before.has(pid) && /chrom|headless/i.test(name))
    mb = Math.max(
      mb,
      own.reduce((sum, { pid }) => sum + proportionalMb(pid), 0),
    )
  }, 200)
  const page = await browser.newPage()
  await page.goto(`file://${document}`)
  await page.pdf({ path: output, format: 'A4', tagged: false })
  const ms = performance.now() - since
  clearInterval(watch)
  await browser.close()
  return { ms, mb }
}

function processes(): { pid: number; name: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [{ pid: Number(pid), name: readFileSync(`/proc/${pid}/comm`, 'utf8') }]
      } catch {
        return []
      }
    })
}

/** The memory of a process, and its share of what several processes share. */
function proportionalMb(pid: number): number {
  try {
    const [, kb = '0'] = /^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return (Number(kb) * 1024) / 1_000_000
  } catch {
    return 0
  }
}
