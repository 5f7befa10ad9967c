import { type Static, Type } from 'typebox'
import type { ImportPlan } from '../core/repository/model.ts'
import type { Row } from '../db/schema.ts'
import type { Circumstances } from '../http/route.ts'
import { oneOf, Uri } from '../model/common.ts'
import { fetchImport } from './fetch.ts'
import { readImport } from './read.ts'
import type { Reading } from './worker.ts'
import { storeFiles, type StoredFile } from './write.ts'

/** What an import is of: an address to fetch it from, and what is there. */
export const ImportBody = Type.Object({ url: Uri, source: oneOf(['zip', 'markdown']) })

/** What came of an import. */
export const ImportResult = Type.Object(
  {
    revision: Type.String(),
    importedResources: Type.Integer(),
    totalResources: Type.Integer(),
    problems: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
  },
  { title: 'ImportResult' },
)

/** An import that was fetched and read, and the files of it that are stored. */
export interface PreparedImport {
  plan: ImportPlan<Reading>
  files: StoredFile[]
}

/** Fetches and reads what is to be imported. @throws 400 where it cannot be read */
export async function prepareImport(
  context: Parameters<typeof fetchImport>[0] & Pick<Circumstances, 'blobs' | 'now'>,
  { url, source }: Static<typeof ImportBody>,
): Promise<PreparedImport> {
  const { bytes, name } = await fetchImport(context, url, context.now)
  const plan = await readImport({ source, name, bytes })
  return { plan, files: await storeFiles(context.blobs, plan) }
}

export function toImportResult(
  { id }: Row<'revision'>,
  { plan }: PreparedImport,
): Static<typeof ImportResult> {
  const { importedResources, totalResources, problems } = plan
  return { revision: id, importedResources, totalResources, problems }
}
