/** The console is built once for the servers of all tests, and again when its sources have changed. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const BUILT = resolve(import.meta.dirname, '../.cache/console')

/** Lets a server with this new data folder use the console that an earlier one has built. */
export function shareConsole(data: string): void {
  mkdirSync(BUILT, { recursive: true })
  mkdirSync(data, { recursive: true, mode: 0o700 })
  symlinkSync(BUILT, join(data, 'console'))
}
