/** Downloads an archive whose documentation trees the command has to know. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ImportOrigin } from './git/origin.ts'
import { progressBar, type ProgressOptions } from './progress-bar.ts'
import { UsageError } from './usage.ts'

/** The origin with the archive at its address as a file. Disposing it removes the file. */
export async function downloadOrigin(
  origin: ImportOrigin,
  url: string,
  progress: ProgressOptions,
): Promise<ImportOrigin> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-download-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const bar = progressBar({ label: 'Downloading', done: 0, isBytes: true }, progress)
  try {
    const response = await fetch(url)
    if (!response.ok || !response.body)
      throw new UsageError(`${url} returned ${response.status} instead of the archive; check the address`)
    const file = join(folder, 'archive.zip')
    const body = Readable.fromWeb(response.body)
    body.on('data', (piece: Buffer) => bar.add(piece.length))
    await pipeline(body, createWriteStream(file))
    const { source, title, sync, problems } = origin
    return {
      from: { file, name: sync.name },
      source,
      title,
      sync,
      problems,
      [Symbol.asyncDispose]: remove,
    }
  } catch (error) {
    await remove()
    if (error instanceof UsageError) throw error
    throw new UsageError(`${url} cannot be downloaded: ${(error as Error).message}`)
  } finally {
    bar.end()
  }
}
