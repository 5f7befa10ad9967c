/** A server that a crash test kills and starts again. */
import type { TestContext } from 'node:test'
import { createPostgres } from './postgres.ts'
import { copyTemplate } from './sqlite.ts'
import { freePort, type Server, startServer, temporaryFolder } from './process.ts'

const TOKEN = 'a-secret-of-the-test'

/** A server in a separate process, each time on the same port, data folder and database. */
export interface CrashingServer {
  env: Record<string, string>
  /** Sends a request of the administrator; an error response is an exception. */
  call<T>(method: string, path: string, body?: object): Promise<T>
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts the server. It ends with the test. */
export async function startCrashingServer(
  t: TestContext,
  more: Record<string, string> = {},
): Promise<CrashingServer> {
  const folder = temporaryFolder()
  const postgres = await createPostgres()
  if (!postgres) await copyTemplate(folder.path)
  let server: Server | undefined
  t.after(async () => {
    await server?.stop('SIGKILL')
    await postgres?.drop()
    folder.remove()
  })
  const env = {
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    LECTERN_DATA: folder.path,
    PORT: String(await freePort()),
    LECTERN_ADMIN_TOKEN: TOKEN,
    LECTERN_LOG: 'error',
    ...more,
  }
  server = await startServer(env)
  const { url } = server
  return {
    env,
    async call<T>(method: string, path: string, body?: object) {
      const response = await fetch(`${url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return (text === '' ? undefined : JSON.parse(text)) as T
    },
    async kill() {
      await server?.stop('SIGKILL')
    },
    async restart() {
      server = await startServer(env)
    },
    async stop() {
      await server?.stop()
    },
  }
}
