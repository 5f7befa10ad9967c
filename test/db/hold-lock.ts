/** Holds the write lock of a SQLite database until the parent process ends this one. */
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(process.argv[2] ?? '', { timeout: 1000 })
database.exec('begin immediate')
process.send?.('locked')
// Keeps this process running until its parent ends.
process.on('disconnect', () => process.exit())
process.on('message', () => {})
