import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { type Browser, chromium } from 'playwright-core'
import { axeFindings } from '../test/sites/browser.ts'
import { archive, importCorpus } from './import.ts'
import { mergeToVisible, visitorOf } from './large-site.ts'
import { median, spread, startLectern } from './measure.ts'
import { startNginx } from './nginx.ts'
import type { Result } from './result.ts'

/** It is not among the dependencies of the project, because nothing else needs it. */
const VITEPRESS = 'vitepress@1.6.4'
const PAGES = [
  'getting-started/concepts',
  'getting-started/architecture-overview',
  'guides/http-workflows/programmatic',
  'guides/kubernetes-deployment',
  'features/alterations/alteration-plans/rest-api',
]
const ROUNDS = 5

/** A slow line: the throttling that Lighthouse calls slow 4G. */
const LINE = { latency: 150, downloadThroughput: (1638 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 }

/** What one visit costs a reader. */
interface Cost {
  kilobytes: number
  /** The largest contentful paint. */
  milliseconds: number
  /** The cumulative layout shift. */
  shift: number
  findings: number
}

/** The Elsa documentation on Lectern and as a VitePress build behind nginx: what readers wait for, and what authors do. */
export async function vitepress(): Promise<Result[]> {
  await using lectern = await startLectern()
  const { site, space } = await importCorpus(lectern, 'elsa-docs')
  await using built = await build()
  await using nginx = await startNginx(
    built.dist,
    'try_files $uri $uri.html $uri/index.html; gzip on; gzip_types *;',
  )
  const { host, pathname } = new URL(site)
  const ours = `http://${host.split(':')[0]}:${lectern.port}${pathname}`

  await using browser = await chromium.launch({
    executablePath: process.env.LECTERN_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const costs: [Cost[], Cost[]] = [[], []]
  for (const page of PAGES)
    for (let round = 0; round < ROUNDS; round++) {
      costs[0].push(await visit(browser, `${ours}${page}`))
      costs[1].push(await visit(browser, `${nginx.url}/${page}`))
    }

  const visible: number[] = []
  for (let round = 0; round <= ROUNDS; round++)
    visible.push(await mergeToVisible(lectern, space, visitorOf(lectern, site), round))

  const line = (scenario: string, of: (cost: Cost) => number, unit: string, digits = 0): Result => {
    const [mine, theirs] = costs.map((some) => some.map(of)) as [number[], number[]]
    return {
      scenario: `${scenario}, ${PAGES.length} pages on a slow line / VitePress behind nginx`,
      ours: `${median(mine).toFixed(digits)}${unit}`,
      reference: `${median(theirs).toFixed(digits)}${unit}`,
      ratio: median(mine) / median(theirs),
      spread: spread(mine, digits),
      goal: '≤ 1',
    }
  }
  return [
    line('bytes of a first visit', ({ kilobytes }) => kilobytes, ' kB'),
    line('largest contentful paint', ({ milliseconds }) => milliseconds, ' ms'),
    line('layout shift', ({ shift }) => shift, '', 3),
    line('findings of axe', ({ findings }) => findings, ''),
    {
      scenario: `from the request to merge until a reader has the changed page / a VitePress build of the site`,
      ours: `${median(visible.slice(1)).toFixed(1)} ms`,
      reference: `${built.milliseconds.toFixed(0)} ms`,
      ratio: median(visible.slice(1)) / built.milliseconds,
      spread: spread(visible.slice(1), 1),
      goal: '< 0.01',
    },
  ]
}

async function visit(browser: Browser, url: string): Promise<Cost> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: false, ...LINE })
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.addInitScript(`
    globalThis.seen = { paint: 0, shift: 0 }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.paint = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  `)
  const answer = await page.goto(url, { waitUntil: 'networkidle' })
  if (answer?.status() !== 200) throw new Error(`${url} answered ${answer?.status()}`)
  const { paint, shift } = await page.evaluate(
    () => (globalThis as unknown as { seen: { paint: number; shift: number } }).seen,
  )
  const findings = await axeFindings(page)
  await context.close()
  return { kilobytes: bytes / 1000, milliseconds: paint, shift, findings: findings.length }
}

/** Builds the corpus with VitePress, its default theme and a tree of all pages. @returns the folder, and the time of the build */
async function build(): Promise<{ dist: string; milliseconds: number } & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-vitepress-'))
  const sidebar: { text: string; link: string }[] = []
  for (const [path, bytes] of Object.entries(unzipSync(archive('elsa-docs')))) {
    if (path.endsWith('/') || path.endsWith('SUMMARY.md')) continue
    const to = join(folder, path.replace(/(^|\/)README\.md$/, '$1index.md'))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, path.endsWith('.md') ? plain(new TextDecoder().decode(bytes)) : bytes)
    if (path.endsWith('.md'))
      sidebar.push({ text: path.split('/').at(-1)!, link: `/${path.replace(/(README)?\.md$/, '')}` })
  }
  mkdirSync(join(folder, '.vitepress'))
  const config = {
    title: 'Elsa',
    ignoreDeadLinks: true,
    cleanUrls: true,
    markdown: { html: false, attrs: { disable: true } },
    themeConfig: { sidebar },
  }
  writeFileSync(join(folder, '.vitepress/config.mjs'), `export default ${JSON.stringify(config)}\n`)
  await run(folder, ['npm', 'install', '--no-save', '--no-audit', '--no-fund', VITEPRESS])
  const started = performance.now()
  await run(folder, ['npx', 'vitepress', 'build'])
  return {
    dist: join(folder, '.vitepress/dist'),
    milliseconds: performance.now() - started,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function run(cwd: string, [command = '', ...args]: string[]): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject).on('exit', resolve)
  const code = await promise
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}

/** A page without what VitePress takes for a program: templates of Vue, and images that it would bundle. */
function plain(markdown: string): string {
  return markdown
    .replaceAll('{{', '{ {')
    .replaceAll('}}', '} }')
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
}
