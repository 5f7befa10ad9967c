/** What a server uses, with metrics and spans around each use. */
import { type Blobs, BlobTooLarge, type StoredBlob } from '../blobs/blobs.ts'
import { inSpan } from '../core/runtime/work.ts'
import type { Services } from '../http/route.ts'
import type { Mail } from '../mail/mail.ts'
import { type Metrics, statusClass } from './metrics.ts'

const secondsSince = (start: number) => (performance.now() - start) / 1000

/** A store that counts its requests, their outcomes and their bytes. */
export function observedBlobs(blobs: Blobs, metrics: Metrics | undefined): Blobs {
  async function observe<T>(name: string, work: () => Promise<T>, outcomeOf: (result: T) => string) {
    const start = performance.now()
    let outcome = 'failed'
    try {
      const result = await inSpan(`blob ${name}`, {}, work)
      outcome = outcomeOf(result)
      return result
    } catch (error) {
      if (error instanceof BlobTooLarge) outcome = 'too-large'
      throw error
    } finally {
      metrics?.blob(name, outcome, secondsSince(start))
    }
  }
  const found = (result: unknown) => (result === undefined || result === false ? 'missing' : 'done')
  const done = () => 'done'

  return {
    ...blobs,
    async put(content, options) {
      const stored: StoredBlob = await observe('put', () => blobs.put(content, options), done)
      metrics?.blobBytes('stored', stored.size)
      return stored
    },
    async get(hash, range) {
      const opened = await observe('get', () => blobs.get(hash, range), found)
      const from = range?.start ?? 0
      if (opened)
        metrics?.blobBytes('read', Math.max(0, Math.min(range?.end ?? Infinity, opened.size) - from))
      return opened
    },
    has: (hash) => observe('has', () => blobs.has(hash), found),
    remove: (hash, options) => observe('remove', () => blobs.remove(hash, options), found),
  }
}

/** A mail service that counts what the mail server accepts. Without a mail server, nothing is counted. */
export function observedMail(mail: Mail, metrics: Metrics | undefined): Mail {
  if (!mail.configured) return mail
  return {
    ...mail,
    async send(email, withinMs) {
      try {
        await inSpan('send e-mail', {}, () => mail.send(email, withinMs), 'client')
      } catch (error) {
        metrics?.email('failed')
        throw error
      }
      metrics?.email('sent')
    },
  }
}

/** A fetch that counts its responses by their status classes. */
export function observedFetch(fetch: Services['fetch'], metrics: Metrics | undefined): Services['fetch'] {
  return async (address, bounds, outgoing) => {
    const start = performance.now()
    let outcome = 'failed'
    try {
      // The span names the host only: paths and queries can hold secrets.
      const host = URL.parse(address)?.hostname ?? ''
      const method = outgoing?.method ?? 'GET'
      const attributes = { 'server.address': host, 'http.request.method': method }
      const fetched = await inSpan(method, attributes, () => fetch(address, bounds, outgoing), 'client')
      outcome = statusClass(fetched.status)
      return fetched
    } finally {
      metrics?.outgoing(outcome, secondsSince(start))
    }
  }
}
