import { createHmac } from 'node:crypto'
import { ReasonedError } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'
import { parseRanges } from '../http/limits/networks.ts'
import { guardedFetch } from '../http/outgoing/guarded-fetch.ts'
import type { Services } from '../http/route.ts'
import type { Worker } from './queue/job-kind.ts'

/** The operator chose the address, so it may be private. A redirect could lead anywhere, so none is followed. */
const LIMITS = {
  allow: parseRanges('0.0.0.0/0, ::/0'),
  maxBytes: 100_000,
  timeoutMs: 10_000,
  maxRedirects: 'none',
} as const

/** Sends a tag to the renderer, which then forgets the data that it cached under the tag. */
export function tellRenderer({ renderer }: Pick<Services, 'renderer'>): Worker {
  return async ({ tag }: { tag: string }) => {
    // The operator took the renderer away while the job waited.
    if (!renderer) return
    const body = JSON.stringify({ tags: [tag] })
    const { status, body: answer } = await guardedFetch(`${renderer.url}/~gitbook/revalidate`, LIMITS, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gitbook-signature': createHmac('sha256', renderer.secret).update(body).digest('hex'),
      },
      body,
    })
    answer.on('error', () => {}).destroy()
    if (status < 200 || status > 299) throw new ReasonedError(because('renderer-failing', { status }))
  }
}
