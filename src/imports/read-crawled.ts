/** Reads what a crawl fetched, in a worker thread, because pages and rules of strangers can be slow to read. */
import { type Reasoned, reasonFields } from '../core/languages/reasoned.ts'
import { ImportRefused } from '../core/repository/refused.ts'
import {
  allowedAddresses,
  type CrawledLinks,
  readCrawledPage,
  readRobots,
  readSitemap,
  type RobotsFile,
} from '../core/sources/website/read-page.ts'

/** A task about one host. */
export type CrawlTask =
  | { kind: 'page'; bytes: Uint8Array; url: string; charset?: string; robots: RobotsFile }
  | { kind: 'sitemap'; bytes: Uint8Array; url: string; robots: RobotsFile }
  | { kind: 'robots'; robots: RobotsFile }
  | { kind: 'allowed'; robots: RobotsFile; addresses: string[] }

/** The result of a task of a crawl. */
export interface CrawlOutcome extends Partial<CrawledLinks> {
  sitemaps?: string[]
  /** Seconds between two requests. */
  delay?: number
  /** Why the page or sitemap cannot be read. */
  refused?: Reasoned
}

/** Runs a task of a crawl. */
export function runCrawlTask(task: CrawlTask): CrawlOutcome {
  try {
    if (task.kind === 'page') return readCrawledPage(task.bytes, task)
    if (task.kind === 'sitemap') return readSitemap(task.bytes, task)
    if (task.kind === 'robots') return readRobots(task.robots)
    return { links: allowedAddresses(task.robots, task.addresses) }
  } catch (error) {
    if (error instanceof ImportRefused) return { refused: reasonFields(error) }
    throw error
  }
}
