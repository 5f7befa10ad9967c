/** Serves the console that another process builds. Open pages load anew when it was built again. */
import type { ServerResponse } from 'node:http'
import { type AppFiles, consoleFiles } from '../../src/console/serve/app.ts'
import type { ToServer } from './messages.ts'

/** A console that can be replaced. */
export interface DevelopmentConsole extends AppFiles {
  replace(message: ToServer): void
}

export function developmentConsole(): DevelopmentConsole {
  const first = Promise.withResolvers<ToServer>()
  let current = first.promise
  const open = new Set<ServerResponse>()
  const files = consoleFiles(async () => {
    const message = await current
    if (message.kind === 'console-fault') throw new Error(message.reason)
    return message.bundle
  })
  return {
    ...files,
    replace(message) {
      first.resolve(message)
      current = Promise.resolve(message)
      for (const response of open) response.write('event: change\ndata:\n\n')
    },
    mount(server) {
      files.mount(server)
      server.get('/app/~changes', { schema: { hide: true } }, (_request, reply) => {
        const { raw } = reply.hijack()
        raw.writeHead(200, { 'content-type': 'text/event-stream' })
        raw.write(`retry: 200\nevent: server\ndata: ${process.pid}\n\n`)
        open.add(raw)
        raw.on('close', () => open.delete(raw))
      })
      server.addHook('preClose', (done) => {
        for (const response of open) response.end()
        done()
      })
    },
  }
}
