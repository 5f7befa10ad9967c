import { brokenLinksOf } from './broken-links.ts'
import { connect, type ServerOptions } from './client.ts'
import { UsageError } from './usage.ts'
import { printLines } from './print.ts'

/** Prints the broken links of a space: where each is, its address, and why it is broken. The exit code is 1 if there are any. */
export async function linksCommand([space, ...more]: string[], options: ServerOptions): Promise<void> {
  if (!space || more.length > 0) throw new UsageError('Name one space by its id: lectern links <space>')
  const call = await connect(options)
  const { links, summary } = await brokenLinksOf(call, `/spaces/${encodeURIComponent(space)}`)
  for (const { path, line, address, message } of links)
    printLines(`${path}${line === undefined ? '' : `:${line}`}  ${address}  ${message}`)
  printLines(summary)
  if (links.length > 0) process.exitCode = 1
}
