/** Resources that all processes of a test run share: one browser, and one migrated database to copy. */
import type { BrowserServer } from 'playwright-core'
import { createPostgresTemplate } from './postgres.ts'
import { launchBrowserServer } from './sites/browser.ts'
import { createSqliteTemplate } from './sqlite.ts'

let browser: BrowserServer | undefined
let template: { drop(): Promise<void> } | undefined

export async function globalSetup(): Promise<void> {
  // The processes of the run load this file too.
  if (process.env.NODE_TEST_CONTEXT) return
  browser = await launchBrowserServer()
  if (browser) process.env.LECTERN_TEST_BROWSER = browser.wsEndpoint()
  template = (await createPostgresTemplate()) ?? (await createSqliteTemplate())
}

export async function globalTeardown(): Promise<void> {
  await browser?.close()
  await template?.drop()
}
