import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { connect } from './client.ts'
import { progressBar } from './progress.ts'
import { UsageError } from './usage.ts'

export interface ExportOptions {
  pdf?: string | undefined
  epub?: string | undefined
  page?: string | undefined
  only?: boolean | undefined
  url?: string | undefined
  token?: string | undefined
}

/** Saves a space of a running server as a file. It uses only the HTTP API. */
export async function exportCommand([space, ...more]: string[], options: ExportOptions): Promise<void> {
  if (!space || more.length > 0)
    throw new UsageError('Name one space to export: lectern export <space> --pdf <file>')
  const file = options.pdf ?? options.epub
  if (!file || (options.pdf && options.epub))
    throw new UsageError('Name one file to write, with --pdf <file> or --epub <file>')
  if (options.only && options.page === undefined) throw new UsageError('--only needs a page: --page <id>')

  const call = await connect(options)
  const query = new URLSearchParams({ format: options.pdf ? 'pdf' : 'epub' })
  if (options.page !== undefined) query.set('page', options.page)
  if (options.only) query.set('only', 'true')
  const done = progressBar('Making')
  const made = (await call('GET', `/spaces/${encodeURIComponent(space)}/pdf?${query.toString()}`).finally(
    () => done.end(),
  )) as unknown as { url: string; problems: { title: string; message: string }[] }
  await save(made.url, file)
  for (const { title, message } of made.problems) console.error(`${title}: ${message}`)
  console.log(file)
}

async function save(url: string, file: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok || !response.body)
    throw new UsageError(`The file cannot be downloaded: ${response.status}`)
  await pipeline(Readable.fromWeb(response.body), createWriteStream(file))
}
