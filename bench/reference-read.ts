/** A bare server that reads one SQLite row for every request and answers the same bytes. Arguments: port, file, headers. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const [port, file = '', headers = '{}'] = process.argv.slice(2)
const database = new DatabaseSync(':memory:')
database.exec('create table document (id text primary key, body text)')
database.prepare('insert into document values (?, ?)').run('one', readFileSync(file, 'utf8'))
const read = database.prepare('select body from document where id = ?')
const fields = JSON.parse(headers) as Record<string, string>

createServer((_request, response) => {
  const { body } = read.get('one') as { body: string }
  response.writeHead(200, { ...fields, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}).listen(Number(port), '127.0.0.1')
