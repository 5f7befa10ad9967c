import { type Static, Type } from 'typebox'
import type { Reader, Row } from '../../db/schema.ts'
import { lazyArray } from '../../http/response/json-parts.ts'
import type { Urls } from '../../http/urls.ts'
import { ChangeRequest } from '../proposals/change-request.ts'
import { oneOf, Timestamp, Uri } from '../common.ts'
import { usersById, User } from '../people/user.ts'
import {
  File,
  Page,
  type PageContext,
  ReusableContent,
  toFile,
  toPages,
  toReusableContent,
  VariableValues,
} from '../content/documents/page.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { ContentRef } from '../../core/document/model.ts'
import { ContentReference } from '../content/documents/document.ts'
import type { FileRecord, ReusableRecord } from '../../core/content/revision.ts'

const RevisionTag = Type.Object({ slug: Type.String(), label: Type.String(), color: oneOf(['default']) })

export const Revision = Type.Object(
  {
    object: oneOf(['revision']),
    id: Type.String(),
    type: oneOf(['edits', 'merge', 'rollback', 'update', 'computed']),
    parents: Type.Array(Type.String()),
    pages: Type.Array(Page),
    files: Type.Array(File),
    reusableContents: Type.Array(ReusableContent),
    tags: Type.Array(RevisionTag, { description: 'The tags of the pages, in the order of their names' }),
    variables: Type.Optional(VariableValues),
    redirects: Type.Optional(
      Type.Record(Type.String(), ContentReference, {
        description: 'The pages and URLs to which old paths of the space lead',
      }),
    ),
    mergedFrom: Type.Optional({
      ...ChangeRequest,
      description: 'The change request of a merge, as it was when it was merged',
    }),
    createdAt: Timestamp,
    urls: Type.Object({ app: Uri }),
  },
  { title: 'Revision' },
)

/** A revision with its content. It depends only on the revision, its computed pages and the server's URLs. */
export function toRevision(
  context: PageContext & { revision: Row<'revision'> },
  files: ReadonlyMap<string, FileRecord>,
  reusables: ReadonlyMap<string, ReusableRecord>,
) {
  const { urls, revision: row, metadata } = context
  const { spaceId } = row
  // The addresses of files are signed, so they depend on the secret too.
  const version = (root: string | null) => () =>
    JSON.stringify([urls.file(spaceId, root ?? '', ''), metadata])
  return revisionWith(urls, row, {
    pages: toPages(context, null),
    files: lazyArray(
      [...files.values()],
      (file) => toFile(urls, spaceId, file, metadata),
      version(row.files),
    ),
    reusableContents: lazyArray(
      [...reusables.values()],
      (reusable) => toReusableContent(reusable, metadata),
      version(row.reusables),
    ),
    tags: tagsIn(context.tree),
    ...redirectsOfRevision(context),
  })
}

/** The tags of the pages of a tree. */
export function tagsIn(tree: PageTree): Static<typeof RevisionTag>[] {
  const names = new Set<string>()
  for (const { tags } of tree.pages()) for (const { tag } of tags ?? []) names.add(tag)
  return [...names].toSorted().map((name) => ({ slug: name, label: name, color: 'default' }))
}

/** The redirects of a revision by old path. A target that is no page any more stays a path, as a broken link does. */
function redirectsOfRevision({
  revision,
  tree,
}: PageContext & { revision: Row<'revision'> }): Pick<Static<typeof Revision>, 'redirects'> {
  const entries = Object.entries(JSON.parse(revision.redirects) as Record<string, string>)
  if (entries.length === 0) return {}
  const redirects = entries.map(([path, target]): [string, ContentRef] => {
    const page = tree.byFile(target)
    return [path, page ? { kind: 'page', page: page.id } : { kind: 'url', url: target }]
  })
  return { redirects: Object.fromEntries(redirects) }
}

/** A revision with the given part of its content. */
export function revisionWith(
  urls: Urls,
  row: Row<'revision'>,
  content: Pick<Static<typeof Revision>, 'pages' | 'files' | 'reusableContents' | 'tags' | 'redirects'>,
) {
  const { id, spaceId, type, createdAt } = row
  const variables = JSON.parse(row.variables) as Static<typeof VariableValues>
  return {
    object: 'revision' as const,
    id,
    type,
    parents: JSON.parse(row.parents) as string[],
    ...content,
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
    ...mergedFromOf(row),
    createdAt,
    urls: { app: urls.app(`/s/${spaceId}/~/revisions/${id}`) },
  }
}

/**
 * A revision as a reader of a site sees it, which shows only its content: neither where it comes from nor its variables,
 * and reusable contents where pages include them.
 */
export function revisionForReader(
  urls: Urls,
  { id, spaceId, createdAt }: Row<'revision'>,
  content: Pick<Static<typeof Revision>, 'pages' | 'files' | 'tags'>,
): Static<typeof Revision> {
  return {
    object: 'revision',
    id,
    type: 'edits',
    parents: [],
    ...content,
    reusableContents: [],
    createdAt,
    urls: { app: urls.app(`/s/${spaceId}/~/revisions/${id}`) },
  }
}

/** A revision without its content, as in the history of a space. */
export const RevisionSummary = Type.Object(
  {
    object: oneOf(['revision']),
    id: Type.String(),
    type: oneOf(['edits', 'merge', 'rollback', 'update', 'computed']),
    parents: Type.Array(Type.String()),
    message: Type.String({ description: 'The reason for the revision; can be empty' }),
    createdBy: User,
    coAuthor: Type.Optional({
      ...User,
      description: 'The author of the suggestion that the revision applies',
    }),
    createdAt: Timestamp,
    mergedFrom: Type.Optional(ChangeRequest),
    urls: Type.Object({ app: Uri, location: Uri }),
  },
  { title: 'RevisionSummary' },
)
export type RevisionSummary = Static<typeof RevisionSummary>

/** The columns of a revision without those of its content. */
export type Summarized = Pick<
  Row<'revision'>,
  'id' | 'spaceId' | 'type' | 'parents' | 'message' | 'mergedFrom' | 'createdBy' | 'coAuthorId' | 'createdAt'
>

/** @param addressShown false if the viewer is a guest */
export async function toRevisionSummaries(
  urls: Urls,
  db: Reader,
  rows: Summarized[],
  addressShown: boolean,
): Promise<RevisionSummary[]> {
  if (rows.length === 0) return []
  const authors = await usersById(
    urls,
    db,
    rows.flatMap(({ createdBy, coAuthorId }) => [createdBy, ...(coAuthorId === null ? [] : [coAuthorId])]),
    addressShown,
  )

  return rows.map((row) => ({
    object: 'revision',
    id: row.id,
    type: row.type,
    parents: JSON.parse(row.parents) as string[],
    message: row.message,
    createdBy: authors.get(row.createdBy)!,
    ...(row.coAuthorId === null ? {} : { coAuthor: authors.get(row.coAuthorId)! }),
    createdAt: row.createdAt,
    ...mergedFromOf(row),
    urls: {
      app: urls.app(`/s/${row.spaceId}/~/revisions/${row.id}`),
      location: urls.api(`/spaces/${row.spaceId}/revisions/${row.id}`),
    },
  }))
}

/** The change request of a merge, as it was then; empty for other revisions. */
export function mergedFromOf({ mergedFrom }: Pick<Row<'revision'>, 'mergedFrom'>): {
  mergedFrom?: ChangeRequest
} {
  return mergedFrom === null ? {} : { mergedFrom: JSON.parse(mergedFrom) as ChangeRequest }
}
