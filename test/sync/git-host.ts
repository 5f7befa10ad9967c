/** A host of git repositories, as those on the internet: smart HTTP, with a token for what is not public. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createRepository, type TestRepository } from '../git-repository.ts'

/** The host of a test. */
export interface GitHost {
  /** The address of the host. */
  url: string
  /** The requests so far, with their `Authorization` header. */
  requests: { path: string; authorization: string | undefined }[]
  /** Creates a repository with a working tree. @returns it, and its address */
  create(name: string): { repository: TestRepository; address: string }
  /** Answers the next requests itself, instead of git. @returns whether it did */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  folder: string
}

/** The user name and token of repositories whose name begins with `closed`. */
export const HOST_TOKEN = { user: 'bot', token: 'token-of-the-host-1f3a' }
const ALLOWED = `Basic ${Buffer.from(`${HOST_TOKEN.user}:${HOST_TOKEN.token}`).toString('base64')}`

/** Starts a host. */
export async function startGitHost(): Promise<GitHost> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-host-'))
  const host: GitHost = {
    url: '',
    requests: [],
    intercept: undefined,
    folder,
    create(name) {
      const repository = createRepository(join(folder, name))
      symlinkSync(join(folder, name, '.git'), join(folder, `${name}.git`))
      repository.git('config', 'http.receivepack', 'true')
      return { repository, address: `${host.url}/${name}.git` }
    },
  }
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    host.requests.push({ path: request.url ?? '', authorization })
    if (host.intercept?.(request, response)) return
    if (request.url?.startsWith('/closed') && authorization !== ALLOWED) {
      response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
      return
    }
    serve(folder, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // It ends with the process, so that any test may start it.
  server.unref()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return host
}

/** Runs git's own server as CGI. */
function serve(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://host')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
    },
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  let head = Buffer.alloc(0)
  let isBegun = false
  child.stdout.on('data', (piece: Buffer) => {
    if (isBegun) {
      response.write(piece)
      return
    }
    head = Buffer.concat([head, piece])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    isBegun = true
    const lines = head.toString('latin1', 0, end).split('\r\n')
    const headers = lines.map((line) => line.split(/: (.*)/, 2) as [string, string])
    const status = headers.find(([name]) => name === 'Status')?.[1]
    response.writeHead(
      status ? Number.parseInt(status, 10) : 200,
      Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
    )
    response.write(head.subarray(end + 4))
  })
  child.stdout.on('end', () => response.end())
}
