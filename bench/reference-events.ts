/** A bare server of events: each POST is sent to every open GET. Started as `node bench/reference-events.ts <port>`. */
import { createServer, type ServerResponse } from 'node:http'

const [, , port] = process.argv
const listeners = new Set<ServerResponse>()
createServer((request, response) => {
  if (request.method === 'POST') {
    for (const listener of listeners) listener.write('event: comment\ndata: {}\n\n')
    response.end()
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('event: ready\ndata: {}\n\n')
  listeners.add(response)
  response.on('close', () => listeners.delete(response))
}).listen(Number(port), '127.0.0.1')
