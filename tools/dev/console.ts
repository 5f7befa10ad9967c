/** Serves the console that another process builds. Open pages load anew when it was built again. */
import type { ServerResponse } from 'node:http'
import { WORDINGS } from '../../src/console/render/words.ts'
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
      // The page of components needs no account, and shows itself in a frame as wide as a phone.
      server.get('/app/~parts', { schema: { hide: true } }, async (_request, reply) => {
        const answer = await files.page(WORDINGS.en)
        if (!('page' in answer)) throw new Error('The console has no page')
        reply.code(answer.status ?? 200).type('text/html; charset=utf-8')
        if (answer.policy !== undefined)
          reply.header(
            'content-security-policy',
            answer.policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
          )
        return reply.send(`<!doctype html>\n${String(answer.page)}`)
      })
      server.addHook('preClose', (done) => {
        for (const response of open) response.end()
        done()
      })
    },
  }
}
