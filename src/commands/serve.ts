import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { keyringOf } from '../access/credentials/keyring.ts'
import { sealedBy } from '../access/credentials/sealing.ts'
import { type App, buildApp } from '../server/app.ts'
import type { Parts } from '../server/parts.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { openBlobs } from '../blobs/open.ts'
import { openTelemetry } from '../server/telemetry.ts'
import { newestTime, steadyClock } from '../server/clock.ts'
import { type Config, readConfig } from '../installation/config.ts'
import { idSource } from '../core/data/id.ts'
import { openDatabase } from '../db/open.ts'
import type { Database } from '../db/schema.ts'
import { collectAtRest } from '../server/idle-memory.ts'
import { beginExpiringEvents } from '../jobs/expire-events.ts'
import { beginExpiring } from '../jobs/expire-insights.ts'
import { beginIndexing } from '../jobs/index-search.ts'
import { beginRefreshing } from '../jobs/process-openapi.ts'
import { beginSyncing } from '../jobs/sync-repository.ts'
import { jobLoop } from '../jobs/queue.ts'
import { beginCheckingForUpdates } from '../jobs/check-update.ts'
import { beginSweeping } from '../jobs/sweep-blobs.ts'
import { workers } from '../jobs/workers.ts'
import { beginSigning } from '../model/audit/chain.ts'
import { openKeyring } from '../installation/secrets.ts'
import { type FirstStart, refuseForeignFiles, setUp, writeLocal } from '../installation/setup.ts'
import { runSetup } from '../installation/run-setup.ts'
import { readSetup } from '../installation/setup-file.ts'
import { endCopy, RENEW_MS, renewCopy } from '../model/installation/copies.ts'
import { printLines, printError } from './print.ts'

const CLOSE_WITHIN_MS = 10_000
/** How long a stop waits until the others know of it. */
const STOP_WITHIN_MS = 2_000

/**
 * Runs the server until SIGTERM or SIGINT.
 * @param parts what a server for developers has instead
 * @returns the URL of the API, when it listens
 * @throws ConfigError
 */
export async function serve(parts: Pick<Parts, 'console' | 'mail'> = {}): Promise<string> {
  const config = readConfig(process.env)
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  const telemetry = openTelemetry(config)
  const added: string[] = []
  const db = await openDatabase({
    ...config,
    observer: telemetry.observer,
    warn: (message) => added.push(message),
  })
  const blobs = telemetry.blobs(await openBlobs(config))
  await refuseForeignFiles(db, blobs, config)
  const newest = await newestTime(db)
  const clock = steadyClock(newest)
  const newId = idSource(() => Math.floor(clock().getTime()))

  const keyring = await openKeyring(db, config)
  const signing = sealedBy(keyring)
  const signsFirst = await beginSigning(db, signing, clock())
  const setup = config.setupFile === undefined ? undefined : readSetup(config.setupFile, process.env)
  const applied = setup && (await runSetup(db, config, signing, { setup, now: clock(), newId }))
  const first = applied ? applied.first : await setUp(db, config, signing, clock(), newId)
  const app = await buildApp({ config, db, blobs, keyring, clock, newId, telemetry, ...parts })
  const rotating = keyring.rotation()
  if (rotating)
    app.server.log.warn(
      { startedAt: rotating.startedAt },
      'the secret is being rotated; run "lectern rotate-secret --finish" when every copy has the new one',
    )
  if (signsFirst && !first)
    app.server.log.warn(
      'the audit logs are signed with the secret from now on; see "Verify the log" in the manual',
    )
  if (newest > Date.now())
    app.server.log.warn({ newest: new Date(newest) }, 'the clock is behind the newest entry of the database')
  for (const change of applied?.changes ?? []) app.server.log.info({ change }, 'the setup was applied')
  for (const message of added) app.server.log.warn(`the schema of the database: ${message}`)
  const jobs = jobLoop(db, telemetry.workers(workers(app.services)), clock, app.server.log)

  const url = await app.listen()
  await writeLocal(db, config, signing, { url, address: app.address() }, clock(), newId)
  await beginSweeping(app.services)
  await beginExpiring(app.services)
  await beginExpiringEvents(app.services)
  await beginIndexing(app.services)
  await beginRefreshing(app.services)
  await beginSyncing(app.services)
  await beginCheckingForUpdates(app.services)
  jobs.start()
  const following = keyring.follow((err) =>
    app.server.log.error({ err }, 'the state of the secret could not be read'),
  )
  const reporting = reportCopy(app)
  announce(config, url, first)
  const metricsUrl = app.metricsUrl()
  if (metricsUrl !== undefined) printLines([`Metrics are at ${metricsUrl}`])
  app.startConsole()
  const stopCollecting = collectAtRest()
  closeOnSignal(async () => {
    stopCollecting()
    following.stop()
    await jobs.stop()
    await reporting.stop()
    await app.close()
    await telemetry.close()
    await db.close()
  })
  return url
}

/** Shows that this copy runs, now and every half minute, until `stop`. */
function reportCopy({ services, server }: App): { stop(): Promise<void> } {
  const { db, own, now } = services
  const renew = () =>
    renewCopy(db, own, now()).catch((err: unknown) =>
      server.log.warn({ err }, 'this copy cannot show the others that it runs; it will retry'),
    )
  void renew()
  const timer = setInterval(() => void renew(), RENEW_MS).unref()
  return {
    async stop() {
      clearInterval(timer)
      const ended = renew().then(() => endCopy(db, own).catch(() => undefined))
      // A database that does not respond must not hold up the stop: the others notice after two minutes.
      await Promise.race([ended, wait(STOP_WITHIN_MS, undefined, { ref: false })])
    },
  }
}

/** Migrates the database to the current schema. */
export async function migrateCommand(): Promise<void> {
  const db = await openDatabase(readConfig(process.env))
  await db.close()
  printLines('The database has the current schema.')
}

/** Prints the OpenAPI document; needs no server and no database. */
export async function openApiCommand({ url }: { url?: string | undefined } = {}): Promise<void> {
  const nothing = { dialect: 'sqlite' } as Database
  const config = { ...readConfig(url === undefined ? {} : { LECTERN_URL: url }), log: 'silent' } as Config
  const blobs: Blobs = {
    put: unused,
    get: unused,
    has: unused,
    remove: unused,
    check: unused,
    list: unusedList,
  }
  const { server } = await buildApp({ config, db: nothing, blobs, keyring: keyringOf('') })
  await server.ready()
  // A reader such as `head` may end first.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  printLines(JSON.stringify(server.swagger(), null, 2).split('\n'))
}

async function unused(): Promise<never> {
  throw new Error('The OpenAPI document is made without a blob store')
}

// oxlint-disable-next-line require-yield
async function* unusedList(): AsyncGenerator<never> {
  await unused()
}

function announce({ data, adminToken }: Config, url: string, first: FirstStart | undefined): void {
  if (!first) return printLines(`Lectern is at ${url}`)
  const { organization, email, token, welcomePath, hasPassword } = first
  const shownToken = token ?? (adminToken && 'the value of LECTERN_ADMIN_TOKEN')
  const browser = hasPassword
    ? `Sign in at ${url}/app`
    : `To sign in with a browser, set a password:

  npx lectern reset-password ${email}`
  const text = `Lectern is at ${url}

  Organization  ${organization.title} (${organization.id})
  Administrator ${email}
${shownToken ? `  API token     ${shownToken}\n` : ''}
${
  welcomePath
    ? `Open this link within seven days to set your password and sign in. It works once:

  ${url}${welcomePath}`
    : browser
}

${token ? 'Store the token: it is not shown again. ' : ''}The data folder is ${join(data, '/')}. Try:

  npx lectern import <archive.zip>
  npx lectern doctor
${shownToken ? `  curl -H "Authorization: Bearer <token>" ${url}/v1/user\n` : ''}`
  printLines(text.split('\n'))
}

function closeOnSignal(close: () => Promise<void>): void {
  let closing = false
  const end = async () => {
    if (closing) return
    closing = true
    setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref()
    try {
      await close()
    } catch (error) {
      printError(`Shutdown failed: ${(error as Error).message}`)
      process.exit(1)
    }
    process.exit(0)
  }
  process.on('SIGTERM', () => void end())
  process.on('SIGINT', () => void end())
}
