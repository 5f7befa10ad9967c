/** The source that a space is kept equal to: what the space remembers of it, and how the API shows it. */
import { type Static, Type } from 'typebox'
import type { PageRecord } from '../../core/content/revision.ts'
import { jsonEqual } from '../../core/data/json.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { Id, oneOf, omitNullish, Timestamp } from '../common.ts'
import { needRevision } from '../content/commit.ts'
import { ancestorOf } from './change-request.ts'
import { type ContentRow, diffsOf } from './snapshots.ts'

/** The columns of a content, without its space, and the archive that it was read from. */
export type SourceContent = Omit<ContentRow, 'spaceId'> & { archive?: SourceArchive }

/** An archive that was read, so that a sync with the same one need not read it again. */
export interface SourceArchive {
  /** Identifies its bytes, and all else that the content depends on: a SHA-256 in hex. */
  key: string
  /** What the import reported about it (`SourceReport` in `imports/prepare-import.ts`), as JSON. */
  report: string
}

/** The proposal that a sync makes in a change request. */
export interface SyncProposal {
  changeRequestId: string
  /** The revision of the change request that the sync wrote. Another newest one has edits of users. */
  revisionId: string
  /** The content of the source, which is the base once the change request is merged. */
  content: SourceContent
  oid: string | null
}

const SOURCE_KINDS = ['archive', 'folder', 'git'] as const

/** One line of text without control characters. */
const line = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\u0000-\\u001f\\u007f]+$',
    'x-pattern': 'be one line of text',
    description,
  })

/** The source of a sync, as the client describes it. */
export const SyncBody = Type.Object(
  {
    kind: oneOf(SOURCE_KINDS),
    key: Type.String({
      pattern: '^[0-9a-f]{64}$',
      'x-pattern': 'be 64 digits of a SHA-256 in lower case hexadecimal',
      description: 'Identifies the source, so that the space can be found again: a SHA-256 of its address.',
    }),
    name: line(200, 'The name of the archive, folder or repository.'),
    url: Type.Optional(line(2048, 'The address of the repository, without a password.')),
    branch: Type.Optional(line(255, 'The branch of the repository.')),
    path: Type.Optional(line(1000, 'The folder of the documentation in the repository.')),
    oid: Type.Optional(
      Type.String({
        pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$',
        'x-pattern': 'be the id of a commit',
        description: 'The commit.',
      }),
    ),
    exported: Type.Optional({
      ...Id,
      description:
        'The revision of the space that the source was exported from. Lectern then records the source. Of the space, only the paths of records that had none change, and ids in links that are relative in the source.',
    }),
  },
  { additionalProperties: false },
)
export type SyncBody = Static<typeof SyncBody>

/** The result of a sync. */
export const SyncResult = Type.Object({
  result: oneOf(['unchanged', 'updated', 'proposed', 'declined', 'recorded'], {
    description:
      '`updated`: the space has a new revision. `proposed`: a change request has the changes, because the space is locked or there are conflicts. `declined`: a change request with the same changes was archived. `recorded`: the source was exported from the space.',
  }),
  created: Type.Integer({ description: 'The pages that the changes create' }),
  updated: Type.Integer({ description: 'The pages that they change' }),
  deleted: Type.Integer({ description: 'The pages that they delete' }),
  conflicts: Type.Integer({
    description: 'The number of conflicts. The change request lists them.',
  }),
  changeRequest: Type.Optional(Type.Object({ id: Type.String(), number: Type.Integer() })),
})
export type SyncResult = Static<typeof SyncResult>

/** The source of a space. */
export const GitInfo = Type.Object(
  {
    object: oneOf(['space-source']),
    kind: oneOf(SOURCE_KINDS),
    key: Type.String(),
    name: Type.String(),
    url: Type.Optional(Type.String()),
    branch: Type.Optional(Type.String()),
    path: Type.Optional(Type.String()),
    oid: Type.Optional(Type.String({ description: 'The commit that the space includes' })),
    revision: Type.String({ description: 'The revision of the space after the last sync' }),
    syncedAt: Timestamp,
    changeRequest: Type.Optional(
      Type.String({ description: 'The change request that has the changes of the last sync' }),
    ),
  },
  { title: 'SpaceSource' },
)

/** A source as the API returns it. */
export function toGitInfo(row: Row<'spaceSource'>): Static<typeof GitInfo> {
  const { kind, key, name, url, branch, path, oid, revisionId: revision, syncedAt } = row
  return {
    object: 'space-source',
    kind,
    key,
    name,
    ...omitNullish({ url, branch, path, oid }),
    revision,
    syncedAt,
    ...omitNullish({ changeRequest: proposalOf(row)?.changeRequestId }),
  }
}

/** The proposal of a sync that is neither merged nor forgotten. */
function proposalOf({ proposal }: Pick<Row<'spaceSource'>, 'proposal'>): SyncProposal | undefined {
  return proposal === null ? undefined : (JSON.parse(proposal) as SyncProposal)
}

/** A source with the change request of its proposal, if it has one. */
export interface SpaceSource {
  row: Row<'spaceSource'>
  /** The proposal that waits for a decision. */
  proposal: SyncProposal | undefined
  /** The change request of the proposal, or one that has nothing left to merge. */
  changeRequest: Row<'changeRequest'> | undefined
}

/**
 * The source of a space. If the change request of its last sync is merged, or all of its conflicts are resolved for the space,
 * the content that it proposed is the content of the last sync.
 */
export async function sourceOfSpace(db: Reader, spaceId: string): Promise<SpaceSource | undefined> {
  const row = await db.selectFrom('spaceSource').selectAll().where('spaceId', '=', spaceId).executeTakeFirst()
  if (!row) return undefined
  const proposal = proposalOf(row)
  if (!proposal) return { row, proposal: undefined, changeRequest: undefined }
  const changeRequest = await db
    .selectFrom('changeRequest')
    .selectAll()
    .where('id', '=', proposal.changeRequestId)
    .where('spaceId', '=', spaceId)
    .executeTakeFirst()
  if (!changeRequest) return { row: { ...row, proposal: null }, proposal: undefined, changeRequest }
  const isMerged = changeRequest.status === 'merged'
  if (!isMerged && !(await isResolvedForSpace(db, changeRequest))) return { row, proposal, changeRequest }
  const decided: Row<'spaceSource'> = {
    ...row,
    content: JSON.stringify(proposal.content),
    oid: proposal.oid,
    revisionId: changeRequest.revisionMerged ?? row.revisionId,
    proposal: null,
  }
  return { row: decided, proposal: undefined, changeRequest: isMerged ? undefined : changeRequest }
}

/** Whether a change request had conflicts, and users resolved all of them so that it changes nothing. */
async function isResolvedForSpace(db: Reader, changeRequest: Row<'changeRequest'>): Promise<boolean> {
  if (changeRequest.status === 'archived') return false
  const conflicts = await db
    .selectFrom('mergeConflict')
    .select('status')
    .where('changeRequestId', '=', changeRequest.id)
    .distinct()
    .execute()
  if (conflicts.length === 0 || conflicts.some(({ status }) => status === 'open')) return false
  const before = await needRevision(db, changeRequest.spaceId, ancestorOf(changeRequest))
  const after = await needRevision(db, changeRequest.spaceId, changeRequest.revisionId)
  const { pages, files, reusables } = await diffsOf(db, before, after)
  return (
    files.length === 0 &&
    reusables.length === 0 &&
    before.variables === after.variables &&
    before.redirects === after.redirects &&
    pages.every(({ before: own, after: other }) => own && other && isSamePage(own, other))
  )
}

/** A page that was resolved has another time, and no object of git. */
function isSamePage(a: PageRecord, b: PageRecord): boolean {
  return jsonEqual({ ...a, updatedAt: '', oid: undefined }, { ...b, updatedAt: '', oid: undefined })
}

/** Records the source of a space after a sync. */
export async function saveSource(tx: Tx, row: Row<'spaceSource'>): Promise<void> {
  const { spaceId: _spaceId, ...columns } = row
  await tx
    .insertInto('spaceSource')
    .values(row)
    .onConflict((known) => known.column('spaceId').doUpdateSet(columns))
    .execute()
}
