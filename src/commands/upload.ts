import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Call } from './client.ts'
import { progressBar, type ProgressOptions } from './progress-bar.ts'
import { UsageError } from './usage.ts'

const CHUNK = 256 * 1024

/** Uploads a file to a running server. @returns the public address of the upload, to import it from */
export async function uploadFile(
  call: Call,
  organization: string,
  file: { file: string; name: string },
  progress: ProgressOptions = {},
): Promise<string> {
  return (await upload(call, organization, file, progress)).url
}

/** Uploads a file to a running server, without a progress bar. @returns the key of the upload, for a change of content */
export async function uploadKey(
  call: Call,
  organization: string,
  file: { file: string; name: string },
): Promise<string> {
  return (await upload(call, organization, file, { isQuiet: true })).key
}

async function upload(
  call: Call,
  organization: string,
  { file, name }: { file: string; name: string },
  progress: ProgressOptions,
): Promise<{ url: string; key: string }> {
  const { size } = statSync(file)
  const target = await call('POST', `/orgs/${encodeURIComponent(organization)}/storage/upload`, {
    file: { name, type: 'application/octet-stream', size },
    kind: 'import_file',
  })
  await send({ file, size, url: await call.reachable(target.url as string) }, progress)
  return { url: target.url as string, key: target.key as string }
}

async function send(
  { file, size, url }: { file: string; size: number; url: string },
  progress: ProgressOptions,
): Promise<void> {
  const bar = progressBar({ label: 'Uploading', done: 0, total: size, isBytes: true }, progress)
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
    body: ReadableStream.from(pieces(file, bar.add)),
    duplex: 'half',
  })
    .catch((error: Error) => {
      const { message } = error.cause instanceof Error ? error.cause : error
      throw new UsageError(`The connection broke during the upload: ${message}`)
    })
    .finally(() => bar.end())
  if (response.ok) return
  const answer = (await response.json().catch(() => ({}))) as { error?: { message: string } }
  throw new UsageError(answer.error?.message ?? `The upload failed with ${response.status}`)
}

async function* pieces(file: string, sent: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  await using handle = await open(file)
  const stream: AsyncIterable<Buffer> = handle.createReadStream({ highWaterMark: CHUNK, autoClose: false })
  for await (const piece of stream) {
    yield piece
    sent(piece.length)
  }
}
