import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { importCorpus } from './import.ts'
import { median, spread, startLectern } from './measure.ts'
import type { Result } from './result.ts'

/** It is not among the dependencies of the project, because nothing else needs its 170 MB. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const PAGES = ['', 'getting-started/concepts', 'guides/http-workflows/programmatic']
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const GOAL = 95

interface Report {
  categories: Record<(typeof CATEGORIES)[number], { score: number | null; auditRefs: { id: string }[] }>
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>
  runtimeError?: { message: string }
}

/** The Elsa site in Lighthouse, in its default setting: a slow telephone on a slow network. */
export async function lighthouse(): Promise<Result[]> {
  await using lectern = await startLectern()
  const { site } = await importCorpus(lectern, 'elsa-docs')
  const { host, pathname } = new URL(site)
  const base = `http://${host.split(':')[0]}:${lectern.port}${pathname}`
  const reports: Report[] = []
  for (const page of PAGES) reports.push(await audit(base + page))
  return CATEGORIES.map((category) => {
    const scores = reports.map((report) => 100 * (report.categories[category].score ?? 0))
    for (const [i, score] of scores.entries()) if (score < GOAL) explain(reports[i]!, category, PAGES[i]!)
    return {
      scenario: `Lighthouse, ${category}, ${PAGES.length} pages of the Elsa documentation: the lowest score`,
      ours: Math.min(...scores).toFixed(0),
      reference: '100',
      ratio: Math.min(...scores) / 100,
      spread: `${spread(scores)}, median ${median(scores).toFixed(0)}`,
      goal: `≥ ${GOAL}`,
    }
  })
}

async function audit(url: string): Promise<Report> {
  const child = spawn(
    'npx',
    ['--yes', LIGHTHOUSE, url, '--output=json', '--quiet', '--chrome-flags=--headless=new --no-sandbox'],
    {
      env: { ...process.env, CHROME_PATH: process.env.LECTERN_TEST_CHROMIUM ?? '/usr/bin/chromium' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const report = JSON.parse(await text(child.stdout)) as Report
  if (report.runtimeError) throw new Error(`${url}: ${report.runtimeError.message}`)
  return report
}

/** Prints what cost points. */
function explain(report: Report, category: (typeof CATEGORIES)[number], page: string): void {
  for (const { id } of report.categories[category].auditRefs) {
    const { score, title, displayValue = '' } = report.audits[id]!
    if (score !== null && score < 0.9)
      console.error(`${category} of /${page}: ${title} ${displayValue} (${score})`)
  }
}
