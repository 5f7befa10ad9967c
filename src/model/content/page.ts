import { Type } from 'typebox'
import type { Document } from '../../core/document/model.ts'
import { DEFAULT_LAYOUT } from '../../core/content/revision.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, omitNullish, recursive, Timestamp, Uri } from '../common.ts'
import { ContentReference, DocumentSchema } from './document.ts'

export const Layout = Type.Object({
  width: oneOf(['default', 'wide']),
  cover: Type.Boolean(),
  coverSize: oneOf(['hero', 'full', 'background']),
  title: Type.Boolean(),
  description: Type.Boolean(),
  tableOfContents: Type.Boolean(),
  outline: Type.Boolean(),
  pagination: Type.Boolean(),
  metadata: Type.Boolean(),
})

export const Cover = Type.Object({
  ref: Type.Optional(ContentReference),
  refDark: Type.Optional(ContentReference),
  yPos: Type.Number(),
  height: Type.Optional(Type.Number()),
})

const GitObject = Type.Object({ oid: Type.String(), path: Type.String() })

const base = {
  id: Type.String(),
  title: Type.String(),
  emoji: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  linkTitle: Type.Optional(Type.String()),
  condition: Type.Optional(Type.String()),
  createdAt: Type.Optional(Timestamp),
  updatedAt: Type.Optional(Timestamp),
}
const flags = {
  hidden: Type.Optional(Type.Boolean()),
  noIndex: Type.Optional(Type.Boolean()),
  noRobotsIndex: Type.Optional(Type.Boolean()),
}
const place = { slug: Type.String(), path: Type.String(), pages: Type.Array(recursive<Page>('Page')) }

const DocumentPage = Type.Object({
  ...base,
  ...flags,
  ...place,
  type: oneOf(['document']),
  kind: oneOf(['sheet']),
  urls: Type.Object({ app: Uri }),
  description: Type.Optional(Type.String()),
  documentId: Type.Optional(Type.String({ description: 'Absent for an empty page' })),
  git: Type.Optional(GitObject),
  layout: Layout,
  cover: Type.Optional(Cover),
  tags: Type.Optional(
    Type.Array(Type.Object({ tag: Type.String(), primary: Type.Optional(Type.Boolean()) })),
  ),
  variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  markdown: Type.Optional(Type.String()),
  document: Type.Optional(DocumentSchema),
})

const GroupPage = Type.Object({ ...base, ...flags, ...place, type: oneOf(['group']), kind: oneOf(['group']) })

const LinkPage = Type.Object({
  ...base,
  type: oneOf(['link']),
  kind: oneOf(['link']),
  target: ContentReference,
  href: Type.Optional(Type.String()),
  hidden: Type.Optional(Type.Boolean()),
})

const ComputedPage = Type.Object({
  ...base,
  type: oneOf(['computed']),
  computed: Type.Record(Type.String(), Type.Unknown()),
})

/** A page of any type. */
export type Page = {
  id: string
  title: string
  emoji?: string
  icon?: string
  linkTitle?: string
  condition?: string
  createdAt?: string
  updatedAt?: string
} & (
  | {
      type: 'document'
      kind: 'sheet'
      urls: { app: string }
      slug: string
      path: string
      pages: Page[]
      description?: string
      documentId?: string
      git?: { oid: string; path: string }
      layout: Required<Omit<NonNullable<PageRecord['layout']>, 'tags' | 'actions'>>
      cover?: PageRecord['cover']
      tags?: PageRecord['tags']
      variables?: PageRecord['variables']
      hidden?: boolean
      noIndex?: boolean
      noRobotsIndex?: boolean
      markdown?: string
      document?: Document
    }
  | {
      type: 'group'
      kind: 'group'
      slug: string
      path: string
      pages: Page[]
      hidden?: boolean
      noIndex?: boolean
      noRobotsIndex?: boolean
    }
  | { type: 'link'; kind: 'link'; target: NonNullable<PageRecord['target']>; href?: string; hidden?: boolean }
  | { type: 'computed'; computed: NonNullable<PageRecord['computed']> }
)

export const Page = Type.Unsafe<Page>({
  title: 'Page',
  anyOf: [DocumentPage, GroupPage, LinkPage, ComputedPage],
  discriminator: { propertyName: 'type' },
})

/** The context of a page: its tree and space, and whether to include git metadata. */
export interface PageContext {
  urls: Urls
  tree: PageTree
  spaceId: string
  metadata: boolean
}

/** The body of a page in the requested format. */
export type PageBody = { markdown: string } | { document: Document } | undefined

/** A page with its descendants. A body, if given, belongs to this page only. */
export function toPage(context: PageContext, record: PageRecord, body?: PageBody): Page {
  const { urls, tree, spaceId, metadata } = context
  const { id, title, emoji, icon, linkTitle, condition, createdAt, updatedAt } = record
  const common = { id, title, ...omitNullish({ emoji, icon, linkTitle, condition }), createdAt, updatedAt }
  const visibility = omitNullish({
    hidden: record.hidden || undefined,
    noIndex: record.noIndex || undefined,
    noRobotsIndex: record.noRobotsIndex || undefined,
  })

  if (record.type === 'link') {
    const target = record.target ?? { kind: 'url', url: '' }
    const href = target.kind === 'url' ? target.url : undefined
    return {
      ...common,
      type: 'link',
      kind: 'link',
      target,
      ...omitNullish({ href, hidden: visibility.hidden }),
    }
  }
  if (record.type === 'computed') {
    return { ...common, type: 'computed', computed: record.computed ?? { type: '', props: {} } }
  }

  const path = tree.path(id)
  const pages = tree.children(id).map((child) => toPage(context, child))
  if (record.type === 'group') {
    return { ...common, type: 'group', kind: 'group', slug: record.slug, path, pages, ...visibility }
  }
  const { oid, file } = record
  const { tags: _tags, actions: _actions, ...layout } = record.layout ?? {}
  return {
    ...common,
    type: 'document',
    kind: 'sheet',
    urls: { app: urls.app(`/s/${spaceId}/${path.split('/').map(encodeURIComponent).join('/')}`) },
    slug: record.slug,
    path,
    pages,
    ...omitNullish({
      description: record.description,
      documentId: record.document,
      git: metadata && oid && file ? { oid, path: file } : undefined,
      cover: record.cover,
      tags: record.tags,
      variables: record.variables,
    }),
    layout: { ...DEFAULT_LAYOUT, ...layout },
    ...visibility,
    ...body,
  }
}

export const File = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    contentType: Type.String(),
    downloadURL: Type.String({ format: 'uri' }),
    size: Type.Integer({ description: 'The size in bytes' }),
    dimensions: Type.Optional(Type.Object({ width: Type.Number(), height: Type.Number() })),
    git: Type.Optional(GitObject),
  },
  { title: 'File' },
)

/** A file of a space. Its download URL requires no token. */
export function toFile(urls: Urls, spaceId: string, record: FileRecord, metadata: boolean) {
  const { id, name, contentType, size, dimensions, oid, path, hash } = record
  const git = metadata && oid && path ? { oid, path } : undefined
  return {
    id,
    name,
    contentType,
    downloadURL: urls.file(spaceId, hash, name),
    size,
    ...omitNullish({ dimensions, git }),
  }
}

export const ReusableContent = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    document: Type.Optional(Type.String({ description: 'The id of the document; absent if it is empty' })),
    git: Type.Optional(GitObject),
  },
  { title: 'ReusableContent' },
)

export function toReusableContent({ id, title, document, oid, path }: ReusableRecord, metadata: boolean) {
  return { id, title, ...omitNullish({ document, git: metadata && oid && path ? { oid, path } : undefined }) }
}
