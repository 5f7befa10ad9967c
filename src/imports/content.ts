import { type Static, Type } from 'typebox'
import type { ImportPlan } from '../core/repository/model.ts'
import type { Row } from '../db/schema.ts'
import type { HandlerContext } from '../http/route.ts'
import { oneOf, Uri } from '../model/common.ts'
import { fetchImport } from './fetch.ts'
import { inImportSlot } from './slots.ts'
import { readImport } from './read.ts'
import type { PageReadout } from './read-archive.ts'
import { storeFiles, type StoredFile } from './write.ts'

/** The source of an import: its URL and its format. */
export const ImportBody = Type.Object({ url: Uri, source: oneOf(['zip', 'markdown']) })

/** The result of an import. */
export const ImportResult = Type.Object(
  {
    revision: Type.String(),
    importedResources: Type.Integer(),
    totalResources: Type.Integer(),
    problems: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
  },
  { title: 'ImportResult' },
)

/** An import that was fetched and read, with the files that are already stored. */
export interface PreparedImport {
  plan: ImportPlan<PageReadout>
  files: StoredFile[]
}

/**
 * Fetches and reads the source of an import for an organization, and stores its files, when it has a slot.
 * @throws 400 if it cannot be read, 429 if too many imports wait
 */
export async function prepareImport(
  context: Parameters<typeof fetchImport>[0] &
    Pick<HandlerContext, 'blobs' | 'now'> & { signal: AbortSignal },
  { url, source }: Static<typeof ImportBody>,
  organizationId: string,
): Promise<PreparedImport> {
  return inImportSlot(organizationId, async () => {
    await using archive = await fetchImport(context, url, context.now)
    const { path, name } = archive
    const plan = await readImport({ source, name, path }, organizationId, context.signal)
    return { plan, files: await storeFiles(context.blobs, plan) }
  })
}

export function toImportResult(
  { id }: Row<'revision'>,
  { plan }: PreparedImport,
): Static<typeof ImportResult> {
  const { importedResources, totalResources, problems } = plan
  return { revision: id, importedResources, totalResources, problems }
}
