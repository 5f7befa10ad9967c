/** The e-mails that the server of a developer has sent, on a page of their own. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { html } from '../../src/core/text/html.ts'
import type { EmailMessage } from '../../src/mail/message.ts'

/** The e-mails, newest first on their page. */
export interface Outbox {
  /** The address of the page. */
  url: string
  /** Oldest first. */
  letters: readonly EmailMessage[]
  add(letter: EmailMessage): void
  close(): void
}

const LINK = /(https?:\/\/\S+)/

export async function openOutbox(port: number): Promise<Outbox> {
  const letters: EmailMessage[] = []
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html>${String(pageOf(letters.toReversed()))}`)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${port}`,
    letters,
    add: (letter) => void letters.push(letter),
    close: () => server.close(),
  }
}

function pageOf(letters: readonly EmailMessage[]) {
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>E-mails</title>
    </head>
    <body style="font: 16px/1.5 system-ui; max-width: 45rem; margin: 2rem auto; padding: 0 1rem">
      <h1>E-mails</h1>
      ${letters.length === 0 ? html`<p>The server has sent none since it started.</p>` : ''}
      ${letters.map(
        ({ to, subject, text }) =>
          html`<article style="border-top: 1px solid #8888">
            <h2 style="margin-bottom: 0">${subject}</h2>
            <p>To ${to}</p>
            <pre style="white-space: pre-wrap">${linked(text)}</pre>
          </article>`,
      )}
    </body>
  </html>`
}

function linked(text: string) {
  return text.split(LINK).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))
}
