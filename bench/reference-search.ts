/** A bare server that answers each request with a query of an FTS5 index. Arguments: port, database. */
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const [port, file = ''] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
const found = database.prepare(
  'select rowid, title, body from pages where pages match ? order by rank limit 10',
)

createServer((request, response) => {
  const match = new URL(request.url ?? '/', 'http://localhost').searchParams.get('match')
  const body = JSON.stringify(match === null ? [] : found.all(match))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}).listen(Number(port), '127.0.0.1')
