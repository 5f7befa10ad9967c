/**
 * A bare server that answers a list with the raw SQL of it: the rows of a page and their count, as JSON.
 * Arguments: port, SQLite file, organization, id after which the page starts, limit.
 */
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const [port, file = '', organizationId = '', after = '', limit = '100'] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
const where = `from "space" where "organizationId" = ? and "deletedAt" is null`
const rows = database.prepare(`select * ${where} and "id" > ? order by "id" limit ?`)
const count = database.prepare(`select count(*) as "count" ${where}`)

createServer((_request, response) => {
  const items = rows.all(organizationId, after, Number(limit))
  const body = JSON.stringify({ ...count.get(organizationId), items })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
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
