import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reverse proxy that forwards the path of an origin to a site. */
export interface Proxy extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  base: string
}

/**
 * Starts a reverse proxy as operators configure one: below the path of the origin, it sends requests to the target, with
 * the host of the target, and says for whom and for which host.
 * @param server the URL of the server, whose host name the target need not have
 */
export async function startProxy(server: string, origin: string, target: string): Promise<Proxy> {
  const slash = origin.indexOf('/')
  const path = `${origin.slice(slash)}/`
  const to = new URL(target)
  const proxy = createServer((request, response) => {
    const { url = '/', method, headers, socket } = request
    if (!url.startsWith(path)) return response.writeHead(404).end('not of this site')
    const forwarded = send(
      {
        host: '127.0.0.1',
        port: new URL(server).port,
        method,
        path: to.pathname + url.slice(path.length),
        headers: {
          ...headers,
          host: to.host,
          'x-forwarded-for': socket.remoteAddress,
          'x-forwarded-host': origin.slice(0, slash),
        },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    request.pipe(forwarded)
    return response
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve())
        proxy.closeAllConnections()
      }),
  }
}
