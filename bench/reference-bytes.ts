/** The least a server can do: the same bytes for every request. Arguments: port, file, headers as JSON. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file = '', headers = '{}'] = process.argv.slice(2)
const body = readFileSync(file)
const fields = { ...(JSON.parse(headers) as Record<string, string>), 'content-length': String(body.length) }

createServer((_request, response) => {
  response.writeHead(200, fields)
  response.end(body)
}).listen(Number(port), '127.0.0.1')
