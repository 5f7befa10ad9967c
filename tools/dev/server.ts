/** The server for development. The process that started it builds its console, and gets its e-mails. */
import module from 'node:module'
import type { Mail } from '../../src/mail/mail.ts'
import type { FromServer, ToServer } from './messages.ts'

// Half of a start is reading code, most of which is as before.
module.enableCompileCache()
const { developmentConsole } = await import('./console.ts')
const { serve } = await import('../../src/commands/serve.ts')
const { keepScriptsReadable } = await import('../../src/sites/assets/build-scripts.ts')

const tell = (message: FromServer) => void process.send?.(message)
const mail: Mail = {
  configured: true,
  async send(letter) {
    tell({ kind: 'letter', letter })
  },
}
keepScriptsReadable()
const console = developmentConsole()
process.on('message', (message: ToServer) => console.replace(message))
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
tell({ kind: 'listening', url: await serve({ mail, console }) })
