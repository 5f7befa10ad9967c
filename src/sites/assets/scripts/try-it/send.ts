import { base64 } from './base64.ts'
import type { FilledRequest } from './request.ts'

/** Bytes of a response that are read. */
const MOST_READ = 4_000_000

/** The response to a request. */
export interface TryResponse {
  status: number
  statusText?: string
  headers: [name: string, value: string][]
  bytes: Uint8Array
  /** Whether the bytes are only the beginning. */
  isCut: boolean
}

/** A way to send a request. */
export type SendRequest = (request: FilledRequest, signal: AbortSignal) => Promise<TryResponse>

/** Why a request was not sent, for the reader. */
export class NotSent extends Error {}

/** The browser sends neither cookies nor the address of the page. */
export const sendFromBrowser: SendRequest = async ({ method, url, headers, body }, signal) => {
  const options: RequestInit = {
    method,
    headers: prepared(headers),
    body,
    signal,
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  }
  const response = await fetch(url, options)
  const { status, statusText } = response
  return { status, statusText, headers: [...response.headers], ...(await readBytes(response)) }
}

/** @throws NotSent if a header has characters that headers cannot have */
function prepared(headers: FilledRequest['headers']): Headers {
  try {
    return new Headers(headers)
  } catch (error) {
    throw new NotSent((error as Error).message)
  }
}

async function readBytes(response: Response): Promise<Pick<TryResponse, 'bytes' | 'isCut'>> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  if (!reader) return { bytes: new Uint8Array(), isCut: false }
  while (length < MOST_READ) {
    const { done, value } = await reader.read()
    if (done) return { bytes: joined(chunks, length), isCut: false }
    chunks.push(value)
    length += value.length
  }
  void reader.cancel()
  return { bytes: joined(chunks, length), isCut: true }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

/** Lets the server of the site send a request. */
export function sendThroughSite(proxy: string, { spec, path }: { spec: string; path: string }): SendRequest {
  return async ({ method, url, headers, body }, signal) => {
    const made = new Request(url, { method: 'POST', body: body ?? '' })
    const bytes = new Uint8Array(await made.arrayBuffer())
    // Only the browser knows the boundary of the parts of a form.
    const all =
      body instanceof FormData ? [...headers, ['Content-Type', made.headers.get('content-type')]] : headers
    const wanted = { page: location.pathname, spec, path, method, url, headers: all, body: base64(bytes) }
    // As text, because browsers ask before they send JSON from an opaque origin.
    const response = await fetch(proxy, {
      method: 'POST',
      body: JSON.stringify(wanted),
      headers: { 'content-type': 'text/plain' },
      signal,
      cache: 'no-store',
    })
    const text = await response.text()
    if (!response.ok) throw new NotSent(text.trim().slice(0, 500))
    const returned = JSON.parse(text) as Pick<TryResponse, 'status' | 'headers'> & { body: string }
    const content = Uint8Array.from(atob(returned.body), (one) => one.charCodeAt(0))
    return { status: returned.status, headers: returned.headers, bytes: content, isCut: false }
  }
}
