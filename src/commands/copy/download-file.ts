/** Downloads files of the source. */
import { createWriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isLoopback, RefusedCall } from '../client.ts'
import type { Copying } from './copying.ts'

/** The largest file that is copied. The target has its own, lower limit. */
const MOST_BYTES = 4 * 1024 ** 3
const TRIES = 5
const REDIRECTS = 5
const MOST_WAIT_S = 300

/**
 * Downloads from an address that the source returned. The address is signed, so the token is not sent.
 * @throws RefusedCall if it does not return the file, or is not an address of the web that the source may name
 */
export async function downloadFromSource(
  { source, sourceUrl }: Pick<Copying, 'source' | 'sourceUrl'>,
  named: string,
  file: string,
): Promise<void> {
  const { response, url } = await fetched(await source.reachable(named), new URL(sourceUrl).origin)
  if (!response.ok || !response.body)
    throw new RefusedCall(`${shownUrl(url)} returned ${response.status}`, response.status)
  let size = 0
  const bounded = new Transform({
    transform(piece: Buffer, _encoding, next) {
      size += piece.length
      if (size > MOST_BYTES) next(new RefusedCall(`${url.pathname} has more than ${MOST_BYTES} bytes`, 413))
      else next(null, piece)
    },
  })
  await pipeline(Readable.fromWeb(response.body), bounded, createWriteStream(file)).catch((error: Error) => {
    if (error instanceof RefusedCall) throw error
    throw new RefusedCall(`${shownUrl(url)} broke off: ${error.message}`, 502)
  })
}

/** Requests an address, and those to which it leads, each after the time that the server asks for. */
async function fetched(address: string, origin: string): Promise<{ response: Response; url: URL }> {
  let url = allowedUrl(address, origin)
  for (let tries = 1, redirects = 0; ;) {
    const { href } = url
    const response = await fetch(href, { redirect: 'manual' }).catch((error: Error) => {
      throw new RefusedCall(`${shownUrl(url)} cannot be downloaded: ${error.message}`, 502)
    })
    const { status, headers } = response
    const location = status >= 300 && status < 400 ? headers.get('location') : null
    const isLater = (status === 429 || status === 503) && tries < TRIES
    if ((location === null || redirects >= REDIRECTS) && !isLater) return { response, url }
    await response.body?.cancel()
    if (location === null) {
      const after = Number(headers.get('retry-after') ?? Number.NaN)
      await sleep(1000 * Math.min(MOST_WAIT_S, Number.isNaN(after) ? 2 ** tries : after))
      tries++
    } else {
      url = allowedUrl(URL.parse(location, href)?.href ?? '', origin)
      redirects++
    }
  }
}

/** @throws RefusedCall for an address in the network of this machine: the source decides what is requested */
function allowedUrl(address: string, origin: string): URL {
  const url = URL.parse(address)
  if (url && (url.origin === origin || (url.protocol === 'https:' && !isLoopback(url)))) return url
  throw new RefusedCall(`The source returned ${address} as the address of a file, which is not https`, 400)
}

/** An address without its query, which may be a secret. */
const shownUrl = ({ origin, pathname }: URL) => origin + pathname
