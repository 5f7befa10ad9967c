/** The least a durable write can cost over HTTP: one row of SQLite updated for each request, synced to disk. */
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const [port = '', file = ''] = process.argv.slice(2)
const database = new DatabaseSync(file)
database.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table row (id integer primary key, body text); insert into row values (1, '')`)
const update = database.prepare('update row set body = ? where id = 1')

createServer((request, response) => {
  let body = ''
  request.on('data', (piece: Buffer) => (body += piece.toString()))
  request.on('end', () => {
    update.run(body)
    response.setHeader('content-type', 'application/json').end('{}')
  })
}).listen(Number(port), '127.0.0.1')
