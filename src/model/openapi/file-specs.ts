import { buffer } from 'node:stream/consumers'
import type { Blobs } from '../../blobs/blobs.ts'
import type { FileRecord } from '../../core/content/revision.ts'
import { lru } from '../../core/data/lru.ts'
import { append } from '../../core/data/lists.ts'
import type { BundleTask } from '../../core/openapi/bundle.ts'
import type { BundleOutcome } from '../../core/openapi/bundle-task.ts'
import { type SpecSourceParts, type WantedPart, wantedPointers } from '../../core/openapi/described.ts'
import type { SpecPart } from '../../core/openapi/spec-parts.ts'
import { sharing } from '../../core/data/sharing.ts'
import { partyFor } from '../../core/runtime/turns.ts'
import { type TaskKind, ThreadError } from '../../threads/pool.ts'
import { threads } from '../../threads/threads.ts'
import { collectParts } from './stored-parts.ts'

/** A larger file is only named, because the first reader of a page waits for it. */
const LARGEST_FILE = 5 * 1024 * 1024
const TIME_MS = 5_000
const CACHE_BYTES = 32 * 1024 * 1024

const BUNDLE_FILE: TaskKind<BundleTask, BundleOutcome, SpecPart[]> = {
  module: new URL('../../core/openapi/bundle-task.ts', import.meta.url),
  name: 'runBundle',
  timeMs: TIME_MS,
}

/** Reads the parts of a specification file that blocks show; undefined if it cannot be read as a specification. */
export type ReadFileSpec = (
  file: FileRecord,
  organizationId: string,
  wanted: readonly WantedPart[],
) => Promise<SpecSourceParts | undefined>

type PartsByPointer = ReadonlyMap<string, string>

/** Reads the specifications that spaces have as files, each once. It follows no references to other files. */
export function fileSpecs(blobs: Blobs): ReadFileSpec {
  const cache = lru<PartsByPointer>(CACHE_BYTES, 'openapi-files')
  const reading = sharing<PartsByPointer>()

  async function specParts(file: FileRecord, organizationId: string): Promise<PartsByPointer> {
    const known = cache.get(file.hash)
    if (known) return known
    return reading(file.hash, async () => {
      const parts = await readParts(blobs, file, organizationId)
      const size = parts.reduce((sum, { pointer, json }) => sum + 2 * (pointer.length + json.length), 100)
      const made = new Map(parts.map(({ pointer, json }) => [pointer, json]))
      cache.set(file.hash, made, size)
      return made
    })
  }

  return async (file, organizationId, wanted) => {
    if (file.size > LARGEST_FILE) return undefined
    const parts = await specParts(file, organizationId)
    if (parts.size === 0) return undefined
    return collectParts(wanted.flatMap(wantedPointers), async (pointers) =>
      pointers.flatMap((pointer) => {
        const json = parts.get(pointer)
        return json === undefined ? [] : [{ pointer, json }]
      }),
    )
  }
}

/** No parts if the file is no specification, or takes too long. @throws ThreadError if too many tasks wait */
async function readParts(blobs: Blobs, { hash }: FileRecord, organizationId: string): Promise<SpecPart[]> {
  const blob = await blobs.get(hash)
  if (!blob) return []
  const parts: SpecPart[] = []
  const task = { files: [{ url: null, bytes: await buffer(blob.stream) }], externalReferences: false }
  try {
    const take = async (some: SpecPart[]) => append(parts, some)
    const outcome = await threads.run(BUNDLE_FILE, task, { party: partyFor(organizationId), take })
    return 'bundle' in outcome ? parts : []
  } catch (error) {
    if (error instanceof ThreadError && (error.fault === 'time' || error.fault === 'memory')) return []
    throw error
  }
}
