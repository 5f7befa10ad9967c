import type { SourceFile } from '../../core/openapi/bundle.ts'
import type { BundleOutcome } from '../../core/openapi/bundle-task.ts'
import type { SpecPart } from '../../core/openapi/spec-parts.ts'
import type { SpecProblem } from '../../core/openapi/problem.ts'
import type { SpecErrorCode } from '../../db/openapi-tables.ts'
import type { Row, Tx } from '../../db/schema.ts'
import type { Enqueue, Services } from '../../http/route.ts'
import { askForSpecIndex } from '../content/search-task.ts'
import { bundleInThread } from './bundle-in-thread.ts'
import { storeParts } from './stored-parts.ts'
import { fetchEntry, fetchReferenced, FetchFault } from './fetch-source.ts'

/** How many versions of a specification are kept. */
const KEPT_VERSIONS = 100
/** How often the files that a specification refers to may refer to further ones. */
const MOST_ROUNDS = 5
/** After this time, a run that did not end is repeated, in milliseconds. */
const STUCK_MS = 15 * 60_000

type Processing = Pick<Services, 'db' | 'blobs' | 'fetch' | 'now' | 'newId' | 'enqueue' | 'limits'>

/** The result of a run. */
type RunResult =
  | { kind: 'unchanged'; problems?: SpecProblem[] }
  | { kind: 'failed'; code: SpecErrorCode; problems: SpecProblem[] }
  | {
      kind: 'processed'
      etag: string | null
      problems: SpecProblem[]
      version: NewVersion
      parts: SpecPart[]
    }

type NewVersion = Pick<Row<'openapiVersion'>, 'blob' | 'size' | 'sourceBlob' | 'sourceSize' | 'format'>

/** Fetches and processes a specification if it waits for that, or if its source is to be looked at again. */
export async function processSpec(services: Processing, specId: string): Promise<void> {
  const spec = await begin(services, specId)
  if (!spec) return
  const result = await run(services, spec)
  await services.db.write((tx) => finish(services, tx, spec, result))
}

async function begin({ db, now }: Processing, specId: string): Promise<Row<'openapiSpec'> | undefined> {
  const at = now()
  return db.write(async (tx) => {
    const spec = await tx.selectFrom('openapiSpec').selectAll().where('id', '=', specId).executeTakeFirst()
    const isDue = spec?.nextCheckAt && spec.nextCheckAt <= at.toISOString()
    if (!spec || (spec.processingState === 'complete' && !isDue)) return undefined
    const nextCheckAt = new Date(at.getTime() + STUCK_MS).toISOString()
    const change = { processingState: 'progress' as const, nextCheckAt }
    await tx.updateTable('openapiSpec').set(change).where('id', '=', specId).execute()
    return spec
  })
}

async function run(services: Processing, spec: Row<'openapiSpec'>): Promise<RunResult> {
  try {
    const entry = await fetchEntry(services, spec)
    if (!entry) return { kind: 'unchanged' }
    const parts: SpecPart[] = []
    const result = await bundle(services, spec, entry.file, parts)
    if ('refused' in result) return { kind: 'failed', code: 'PARSE_ERROR', problems: result.refused }

    const { blobs } = services
    const source = await blobs.put(entry.file.bytes)
    const stored = await blobs.put(result.bundle)
    return {
      kind: 'processed',
      // The ETag of the entry says nothing of the files that it refers to.
      etag: spec.externalReferences ? null : entry.etag,
      problems: result.problems,
      parts,
      version: {
        blob: stored.hash,
        size: stored.size,
        sourceBlob: source.hash,
        sourceSize: source.size,
        format: result.format,
      },
    }
  } catch (error) {
    if (!(error instanceof FetchFault)) throw error
    return { kind: 'failed', code: error.code, problems: [{ code: error.code, message: error.message }] }
  }
}

async function bundle(
  services: Processing,
  { organizationId, externalReferences }: Row<'openapiSpec'>,
  entry: SourceFile,
  parts: SpecPart[],
): Promise<Exclude<BundleOutcome, { missing: string[] }>> {
  const files = [entry]
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const task = { files, externalReferences: externalReferences === 1 }
    const result = await bundleInThread(task, organizationId, parts)
    if (!('missing' in result)) return result
    if (files.length + result.missing.length > MOST_FILES) break
    for (const url of result.missing) files.push(await fetchReferenced(services, url))
  }
  const message = `The specification refers to too many files: at most ${MOST_FILES}, in ${MOST_ROUNDS} steps`
  return { refused: [{ code: 'EXTERNAL_REFERENCE', message }] }
}

const MOST_FILES = 50

/** Records what a run found, unless the source was set again meanwhile: then another run follows. */
async function finish(
  { now, newId, enqueue, limits }: Processing,
  tx: Tx,
  { id, requestedAt }: Row<'openapiSpec'>,
  result: RunResult,
): Promise<void> {
  const spec = await tx.selectFrom('openapiSpec').selectAll().where('id', '=', id).executeTakeFirst()
  if (!spec || spec.requestedAt !== requestedAt) return

  const at = now()
  const wait = limits.openapiHours * 3_600_000
  const isFetched = spec.sourceUrl !== null && wait > 0
  const common = {
    processingState: 'complete' as const,
    lastProcessedAt: at.toISOString(),
    nextCheckAt: isFetched ? new Date(at.getTime() + wait).toISOString() : null,
    ...(result.kind === 'unchanged'
      ? { lastErrorCode: null }
      : { lastErrors: JSON.stringify(result.problems), lastErrorCode: null }),
    ...(result.kind === 'failed' ? { lastErrorCode: result.code } : {}),
  }
  const update = (more: Partial<Row<'openapiSpec'>>) =>
    tx
      .updateTable('openapiSpec')
      .set({ ...common, ...more })
      .where('id', '=', id)
      .execute()
  if (result.kind !== 'processed') return void (await update({}))

  const { version, etag } = result
  const last = await tx
    .selectFrom('openapiVersion')
    .selectAll()
    .where('id', '=', spec.lastVersion ?? '')
    .executeTakeFirst()
  if (last?.blob === version.blob) return void (await update({ etag }))
  const versionId = newId()
  await tx
    .insertInto('openapiVersion')
    .values({ id: versionId, specId: id, ...version, createdAt: at.toISOString() })
    .execute()
  await update({ etag, lastVersion: versionId, updatedAt: at.toISOString() })
  await storeParts(tx, id, result.parts)
  await askForSpecIndex(tx, {
    organizationId: spec.organizationId,
    slug: spec.slug,
    cause: versionId,
    now: at,
  })
  await removeOldVersions(tx, enqueue, id)
}

async function removeOldVersions(tx: Tx, enqueue: Enqueue, specId: string): Promise<void> {
  const old = await tx
    .selectFrom('openapiVersion')
    .select('id')
    .where('specId', '=', specId)
    .orderBy('id', 'desc')
    .offset(KEPT_VERSIONS)
    .limit(KEPT_VERSIONS)
    .execute()
  if (old.length === 0) return
  const removed = await tx
    .deleteFrom('openapiVersion')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .returning(['blob', 'sourceBlob'])
    .execute()
  const blobs = new Set(removed.flatMap(({ blob, sourceBlob }) => [blob, sourceBlob]))
  await enqueue(
    tx,
    'remove-blob',
    [...blobs].map((hash) => ({ hash })),
  )
}

/** The specifications of an organization that wait to be processed, or whose source is to be fetched again. */
export async function dueSpecs(
  { db, now }: Pick<Processing, 'db' | 'now'>,
  organizationId: string,
): Promise<string[]> {
  const rows = await db.read
    .selectFrom('openapiSpec')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where((eb) =>
      eb.or([eb('processingState', '!=', 'complete'), eb('nextCheckAt', '<=', now().toISOString())]),
    )
    .orderBy('requestedAt')
    .execute()
  return rows.map(({ id }) => id)
}

/** The organizations with specifications that are to be looked at again. */
export async function organizationsWithDueSpecs({
  db,
  now,
}: Pick<Processing, 'db' | 'now'>): Promise<string[]> {
  const rows = await db.read
    .selectFrom('openapiSpec')
    .select('organizationId')
    .distinct()
    .where('nextCheckAt', '<=', now().toISOString())
    .execute()
  return rows.map(({ organizationId }) => organizationId)
}

/** Adds the job that processes the specifications of an organization that are due. */
export function askToProcess(tx: Tx, enqueue: Enqueue, organizationId: string): Promise<void> {
  return enqueue(tx, 'process-openapi', { organizationId }, { organization: organizationId })
}
