import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { signedDevices } from '../access/credentials/devices.ts'
import { lastUses } from '../access/credentials/last-uses.ts'
import { sealedBy } from '../access/credentials/sealing.ts'
import { missingBlobs } from '../blobs/missing.ts'
import { idSource } from '../core/data/id.ts'
import { VERSION } from '../core/runtime/version.ts'
import { auditActions } from '../effects/audit.ts'
import { type Listeners, listenersOf } from '../effects/streams.ts'
import { attemptLimiter } from '../http/limits/attempts.ts'
import { txtResolver } from '../http/outgoing/dns.ts'
import { guardedFetch } from '../http/outgoing/guarded-fetch.ts'
import { sharedRates } from '../http/limits/rate.ts'
import type { Services } from '../http/route.ts'
import { sharedCounts } from '../http/limits/shared-counts.ts'
import { ownProcess } from '../http/own-process.ts'
import { runningImports } from '../imports/progress.ts'
import type { Config } from '../installation/config.ts'
import { ownSettings } from '../installation/own-settings.ts'
import { addressesOf } from '../installation/urls.ts'
import { enqueuer } from '../jobs/queue.ts'
import { openMail } from '../mail/mail.ts'
import { observedFetch, observedMail } from '../metrics/observed.ts'
import { insightRecorder } from '../model/sites/insights/insight-recorder.ts'
import type { Metering } from './callers.ts'
import type { Parts } from './parts.ts'
import type { NamedRoute } from './routes.ts'
import { watchedMail, type WatchedMail } from './watched-mail.ts'

/** Values that the services read from the server, once it has started. */
interface AroundServices {
  routes: NamedRoute[]
  /** The URL of the API, once the server listens. */
  url: () => string
  sitesHost: () => string
  log: () => FastifyBaseLogger
}

/** Makes the services of the handlers, the clients that listen to events, and the mail among the services. */
export function openServices(
  parts: Parts,
  { routes, url, sitesHost, log }: AroundServices,
): { services: Services; listeners: Listeners; mail: WatchedMail } {
  const { config, db, blobs, keyring, clock: now = () => new Date() } = parts
  const newId = parts.newId ?? idSource(() => now().getTime())
  const actions = auditActions(routes)
  const counts = sharedCounts(db, () => keyring.secrets()[0])
  const rates = sharedRates(counts, now)
  const listeners = listenersOf({ db, now, newId }, parts.listening, (err) =>
    log().error({ err }, 'the events of spaces could not be read'),
  )
  const mail = watchedMail(parts.mail ?? openMail(config.smtp, log))
  const { telemetry } = parts
  const services: Services = {
    db,
    blobs,
    urls: addressesOf({ url, sitesHost, keyring }),
    now,
    newId,
    fetch: fetchOf(parts),
    enqueue: enqueuer(newId, now),
    tellListeners: listeners.tell,
    auditActions: () => actions,
    mail: telemetry?.metrics || telemetry?.begin ? observedMail(mail, telemetry.metrics) : mail,
    reportMissing: missingBlobs(log),
    attempt: attemptLimiter(counts),
    devices: signedDevices(keyring),
    sessionTimes: config.sessionTimes,
    sealing: sealedBy(keyring),
    renderer: config.renderer,
    insights: insightRecorder(db, { now, newId, days: config.insightDays, rates }),
    imports: runningImports(db, { now, newId }, (err) =>
      log().warn({ err }, 'the end of an import could not be recorded'),
    ),
    own: ownProcess({
      id: newId(),
      host: hostname(),
      version: VERSION,
      nodeVersion: process.version,
      startedAt: now().toISOString(),
      settings: ownSettings(config),
    }),
    rates,
    resolveTxt: parts.resolveTxt ?? txtResolver(),
    limits: limitsOf(config),
  }
  return { services, listeners, mail }
}

function fetchOf({ config, lookup, telemetry }: Parts): Services['fetch'] {
  const guard = { allow: config.fetchAllow, ...(lookup && { lookup }) }
  const fetch: Services['fetch'] = (address, bounds, outgoing) =>
    guardedFetch(address, { ...bounds, ...guard }, outgoing)
  return telemetry?.metrics || telemetry?.begin ? observedFetch(fetch, telemetry.metrics) : fetch
}

function limitsOf(config: Config): Services['limits'] {
  return {
    upload: config.maxUpload,
    uploadQuota: config.uploadQuota,
    insightDays: config.insightDays,
    openapiHours: config.openapiHours,
    organizations: config.singleOrganization ? 'one' : config.organizationsPerUser,
  }
}

/** Makes what identifies callers and counts their requests. */
export function openMetering(services: Services, { rateLimit }: Pick<Config, 'rateLimit'>): Metering {
  const { db, rates } = services
  return {
    services,
    tokens: lastUses(db, 'token'),
    scimTokens: lastUses(db, 'scimToken'),
    sessions: lastUses(db, 'session'),
    take: rates.limiter('requests', rateLimit),
  }
}
