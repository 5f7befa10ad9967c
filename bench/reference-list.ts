/** A bare server that runs queries for every request and answers their rows as JSON. Arguments: port, database, queries. */
import { createServer } from 'node:http'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

const [port, file = '', queries = '[]'] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
const prepared = (JSON.parse(queries) as { sql: string; values: SQLInputValue[] }[]).map(
  ({ sql, values }) => ({
    statement: database.prepare(sql),
    values,
  }),
)

createServer((_request, response) => {
  const body = JSON.stringify(prepared.map(({ statement, values }) => statement.all(...values)))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}).listen(Number(port), '127.0.0.1')
