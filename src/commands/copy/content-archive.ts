/** Copies the content of a space by the archive that Lectern exports, which keeps every byte of pages and their paths. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MANIFEST_PATH, readExportedFrom } from '../../core/repository/manifest.ts'
import { isMarkdown } from '../../core/text/file-paths.ts'
import { readArchive } from '../../imports/archive.ts'
import { RefusedCall } from '../client.ts'
import { exportedArchive } from '../export/exported-archive.ts'
import { uploadFile } from '../upload.ts'
import type { ReadContent } from './content-read.ts'
import { type Copying, reportLabel, reportOn, writing } from './copying.ts'
import { downloadFromSource } from './download-file.ts'
import { type JsonRecord, jsonRecord, jsonRecords, segment, someText, jsonText } from './json.ts'
import type { CopiedSpace } from './places.ts'
import { hasAddresses } from './translate.ts'

const LIMITS = { entries: 60_000, bytes: 3 * 1024 ** 3, fileBytes: 1024 ** 3, ratio: 100_000 }

/** The problems of an import that an archive has and its space had not. The others are those of the source. */
const OF_ARCHIVE = new Set(['missing-page', 'missing-file', 'redirect', 'unlisted-page', 'repeated-page'])

/** The kind of the entries for pages whose text has ids. */
export const LINKED = 'linked'

/**
 * Imports the archive of a space of the source, if the source exports one.
 * @returns the paths of pages, files and reusable contents by their ids in the source; undefined without an archive
 */
export async function importedArchive(
  copying: Copying,
  space: CopiedSpace,
  content: ReadContent,
): Promise<Map<string, string> | undefined> {
  const { journal } = copying
  const before = journal.target('archive', space.id)
  if (before === 'none') return undefined
  if (before !== undefined) return new Map(knownPaths(copying, space))
  if (content.pages.length === 0) return undefined
  const file = join(copying.folder, 'space.zip')
  try {
    const isThere = await downloadArchive(copying, space, file)
    const paths = isThere ? await pathsIn(copying, space, content, file) : undefined
    const isDone = paths && (await importFile(copying, space, file))
    if (!isDone) {
      journal.record('archive', space.id, 'none')
      return undefined
    }
    for (const [id, path] of paths) journal.record('path', `${space.id}/${id}`, path)
    journal.record('archive', space.id, 'imported')
    return paths
  } finally {
    await rm(file, { force: true })
  }
}

function* knownPaths({ journal }: Copying, { id: space }: CopiedSpace): Generator<[string, string]> {
  for (const [key, path] of journal.entries('path'))
    if (key.startsWith(`${space}/`)) yield [key.slice(space.length + 1), path]
}

/** @returns whether the source exports spaces, and this one to the owner of the token */
async function downloadArchive(copying: Copying, space: CopiedSpace, file: string): Promise<boolean> {
  try {
    const { url, missingFiles = [] } = await exportedArchive(copying.source, space.id, {})
    for (const path of missingFiles)
      reportOn(
        copying,
        'unread',
        `${reportLabel('Space', space.title)}, ${path}`,
        'the source has lost its bytes',
      )
    await downloadFromSource(copying, url, file)
    return true
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error
    return false
  }
}

/** Where the archive has what the source knows by ids. It also notes the pages whose text has ids. */
async function pathsIn(
  { journal }: Copying,
  { id: space }: CopiedSpace,
  { pages, files, reusables }: ReadContent,
  archive: string,
): Promise<Map<string, string> | undefined> {
  const all = await readArchive(archive, LIMITS, (name) => isMarkdown(name) || name.endsWith(MANIFEST_PATH))
  const from = readExportedFrom(all)
  if (!from) return undefined
  const ids = new Map(Object.entries(from.ids))
  const addKnown = (records: readonly JsonRecord[]) => {
    const waiting = [...records]
    for (const record of waiting) {
      const path = someText(jsonRecord(record.git).path)
      if (path !== undefined) ids.set(path.normalize('NFC'), jsonText(record.id))
      if (Array.isArray(record.pages)) for (const below of record.pages as JsonRecord[]) waiting.push(below)
    }
  }
  addKnown(files)
  addKnown(reusables)
  addKnown(pages)
  for (const [path, bytes] of all) {
    const id = ids.get(path)
    if (id !== undefined && isMarkdown(path) && hasAddresses(bytes.toString('utf8')))
      journal.record(LINKED, `${space}/${id}`, path)
  }
  return new Map([...ids].map(([path, id]) => [id, path]))
}

async function importFile(copying: Copying, space: CopiedSpace, file: string): Promise<boolean> {
  const { target, to } = copying
  const what = reportLabel('Space', space.title)
  const result = await writing(copying, what, async () => {
    const url = await uploadFile(target, to, { file, name: 'space.zip' }, { isQuiet: true })
    const path = `/spaces/${segment(space.target)}/content/import`
    return target('POST', path, { url, source: 'markdown' })
  })
  if (!result) return false
  for (const { kind, path, message } of jsonRecords(result.problems))
    if (OF_ARCHIVE.has(jsonText(kind)))
      reportOn(copying, 'unwritten', `${what}, ${jsonText(path)}`, jsonText(message))
  return true
}
