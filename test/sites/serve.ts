import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { asset } from '../../src/sites/assets/assets.ts'
import { CONTENT_SECURITY_POLICY } from '../../src/sites/render/page-head.ts'

const CONTENT_TYPES: Record<string, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
}

/** Pages with the policy and the assets of a site, without a database behind them. */
export interface Served extends AsyncDisposable {
  /** Without a trailing slash. */
  base: string
}

/** Serves pages by path (without the query), and files under `/files/` by name. */
export async function servePages(
  page: (path: string) => Promise<string> | string,
  file: (name: string) => Uint8Array | string | undefined,
): Promise<Served> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\?.*$/, '')
    const found = asset(path)
    if (found)
      return response.writeHead(200, { 'content-type': found.contentType, ...found.headers }).end(found.bytes)
    if (path.startsWith('/files/')) {
      const name = decodeURI(path.slice('/files/'.length))
      const body = file(name)
      // One drawing for images of any name.
      const type = typeof body === 'string' ? 'svg' : (/\.(\w+)$/.exec(name)?.[1] ?? '')
      response.setHeader('content-type', CONTENT_TYPES[type] ?? 'application/octet-stream')
      return response.end(body)
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY)
    void Promise.resolve(page(path)).then((html) => response.end(html))
    return response
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
