import { openDatabase } from '../db/open.ts'
import { readConfig } from '../installation/config.ts'
import { setFact } from '../model/installation/facts.ts'
import { printLines } from './print.ts'
import { UsageError } from './usage.ts'

/** Notes that a backup has ended, so that administrators of the installation see when the last one was. */
export async function backupCommand([what, ...more]: string[]): Promise<void> {
  if (what !== 'done' || more.length > 0)
    throw new UsageError('The only backup command is: lectern backup done. Run it at the end of your backup')
  const db = await openDatabase(readConfig(process.env))
  try {
    const at = new Date().toISOString()
    await db.write((tx) => setFact(tx, 'backup-done', at))
    printLines(`The last backup was at ${at}`)
  } finally {
    await db.close()
  }
}
