import { type Expression, sql, type SqlBool } from 'kysely'
import { documentHash } from '../../core/content/hash.ts'
import { entries } from '../../core/content/prolly-tree/read.ts'
import { type ClonedContent, cloneWithNewIds } from '../../core/content/clone-with-new-ids.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/content/revision.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { nodesOf, oldPlacesOf } from './content.ts'
import { commitRevision, needRevision } from './commit.ts'
import { storeDocuments } from './documents/stored-document.ts'
import { insertSpace } from '../places/space.ts'
import { chunks } from '../../db/chunks.ts'

/** Copies a space with its content, files, settings and grants, but without its history, into the same place. */
export async function duplicate(
  tx: Tx,
  space: Row<'space'>,
  fields: { userId: string; now: Date; newId: () => string },
): Promise<Row<'space'>> {
  const { organizationId, parent, emoji, icon, language, languageTag, editMode, defaultLevel, mergeRules } =
    space
  // Shortened by characters, because the schema counts characters.
  const title = [...`Copy of ${space.title}`].slice(0, 50).join('')
  const empty = await insertSpace(tx, { ...fields, organizationId, parent, title })
  const settings = { emoji, icon, language, languageTag, editMode, defaultLevel, mergeRules }
  await tx.updateTable('space').set(settings).where('id', '=', empty.id).execute()
  await copyBeside(tx, space.id, empty.id)

  const from = await needRevision(tx, space.id, space.revisionId)
  const to = await needRevision(tx, empty.id, empty.revisionId)
  await copyContent(tx, from, to, fields)
  return tx.selectFrom('space').selectAll().where('id', '=', empty.id).executeTakeFirstOrThrow()
}

/** Copies the grants and the custom-field values of a space. */
async function copyBeside(tx: Tx, from: string, to: string): Promise<void> {
  await tx
    .insertInto('grant')
    .columns(['targetKind', 'targetId', 'granteeKind', 'granteeId', 'organizationId', 'role', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('grant')
        .select(['targetKind', sql<string>`cast(${to} as text)`.as('targetId'), 'granteeKind', 'granteeId'])
        .select(['organizationId', 'role', 'createdAt'])
        .where('targetKind', '=', 'space')
        .where('targetId', '=', from),
    )
    .execute()
  await tx
    .insertInto('customFieldValue')
    .columns(['spaceId', 'customFieldId', 'value'])
    .expression((eb) =>
      eb
        .selectFrom('customFieldValue')
        .select([sql<string>`cast(${to} as text)`.as('spaceId'), 'customFieldId', 'value'])
        .where('spaceId', '=', from),
    )
    .execute()
}

async function copyContent(
  tx: Tx,
  from: Row<'revision'>,
  to: Row<'revision'>,
  { userId, now, newId }: { userId: string; now: Date; newId: () => string },
): Promise<void> {
  if (from.pages === null && from.files === null && from.reusables === null) return
  const copy = cloneWithNewIds(
    {
      pages: await entries<PageRecord>(from.pages, nodesOf(tx, from.spaceId)),
      files: await entries<FileRecord>(from.files, nodesOf(tx, from.spaceId)),
      reusables: await entries<ReusableRecord>(from.reusables, nodesOf(tx, from.spaceId)),
    },
    { from: from.spaceId, to: to.spaceId },
    newId,
  )
  const renamed = await copyDocuments(tx, from.spaceId, to.spaceId, copy)
  await copyBlobs(tx, from.spaceId, to.spaceId, copy.files)
  await commitRevision(
    tx,
    to,
    {
      pages: withDocuments(copy.pages, renamed),
      files: copy.files,
      reusables: withDocuments(copy.reusables, renamed),
      variables: JSON.parse(from.variables) as Record<string, unknown>,
      redirects: JSON.parse(from.redirects) as Record<string, string>,
      oldPlaces: copy.renewPlaces(await oldPlacesOf(tx, from)),
    },
    { id: newId(), type: 'edits', message: 'Duplicate', userId, now },
  )
}

/** @returns the new hashes of documents whose links were rewritten, by the old hashes */
async function copyDocuments(
  tx: Tx,
  from: string,
  to: string,
  copy: ClonedContent,
): Promise<Map<string, string>> {
  const records = [...copy.pages.values(), ...copy.reusables.values()]
  const hashes = [...new Set(records.flatMap(({ document }) => document ?? []))]
  const renamed = new Map<string, string>()

  for (const some of chunks(hashes)) {
    const linking = await tx
      .selectFrom('document')
      .select(['hash', 'source'])
      .where('spaceId', '=', from)
      .where('hash', 'in', some)
      .where((eb) => eb.or(ADDRESSES.map((part): Expression<SqlBool> => eb('source', 'like', `%${part}%`))))
      .execute()
    const changed = new Map<string, string>()
    for (const { hash, source } of linking) {
      const next = copy.renewSource(source)
      if (next === source) continue
      renamed.set(hash, documentHash(next))
      changed.set(documentHash(next), next)
    }
    await storeDocuments(tx, to, changed)
    const same = some.filter((hash) => !renamed.has(hash))
    if (same.length === 0) continue
    await tx
      .insertInto('document')
      .columns(['spaceId', 'hash', 'links', 'source'])
      .expression((eb) =>
        eb
          .selectFrom('document')
          .select([sql<string>`cast(${to} as text)`.as('spaceId'), 'hash', 'links', 'source'])
          .where('spaceId', '=', from)
          .where('hash', 'in', same),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return renamed
}

/** Every source with an id contains one of these texts. */
const ADDRESSES = ['/pages/', '/files/', '/reusable-contents/', '/spaces/']

function withDocuments<R extends { document?: string }>(
  records: ReadonlyMap<string, R>,
  renamed: Map<string, string>,
): Map<string, R> {
  return new Map(
    [...records].map(([id, record]) => {
      const document = record.document && renamed.get(record.document)
      return [id, document ? { ...record, document } : record]
    }),
  )
}

async function copyBlobs(tx: Tx, from: string, to: string, files: ReadonlyMap<string, FileRecord>) {
  const hashes = [...new Set([...files.values()].map(({ hash }) => hash))]
  for (const some of chunks(hashes)) {
    await tx
      .insertInto('spaceBlob')
      .columns(['hash', 'spaceId', 'size', 'contentType'])
      .expression((eb) =>
        eb
          .selectFrom('spaceBlob')
          .select(['hash', sql<string>`cast(${to} as text)`.as('spaceId'), 'size', 'contentType'])
          .where('spaceId', '=', from)
          .where('hash', 'in', some),
      )
      .execute()
  }
}
