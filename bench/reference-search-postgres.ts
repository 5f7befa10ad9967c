/** A bare server that answers each request with a query of a `tsvector` index. Arguments: port, address of the database. */
import { createServer } from 'node:http'
import pg from 'pg'

const [port, connectionString = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString })
const QUERY = {
  name: 'search',
  text: `select id, title, body from pages, to_tsquery('english', $1) as query
    where words @@ query order by ts_rank(words, query) desc limit 10`,
}

createServer((request, response) => {
  void (async () => {
    const match = new URL(request.url ?? '/', 'http://localhost').searchParams.get('match')
    const rows = match === null ? [] : (await pool.query({ ...QUERY, values: [match] })).rows
    const body = JSON.stringify(rows)
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })()
}).listen(Number(port), '127.0.0.1')
