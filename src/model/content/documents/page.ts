import { type Static, Type } from 'typebox'
import type { Document, PageLayout } from '../../../core/document/model.ts'
import { DEFAULT_LAYOUT } from '../../../core/content/revision.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../../core/content/revision.ts'
import type { PageTree } from '../../../core/content/tree/tree.ts'
import type { Row } from '../../../db/schema.ts'
import { lazyArray } from '../../../http/response/json-parts.ts'
import type { Urls } from '../../../http/urls.ts'
import { oneOf, omitNullish, recursive, Timestamp, Uri } from '../../common.ts'
import { ContentReference, DocumentSchema } from './document.ts'

export const Layout = Type.Object({
  width: oneOf(['default', 'wide']),
  cover: Type.Boolean(),
  coverSize: oneOf(['hero', 'full', 'background']),
  coverMask: oneOf(['none', 'radial'], {
    description: '`radial`: the edges of the cover fade into the page',
  }),
  title: Type.Boolean(),
  description: Type.Boolean(),
  tableOfContents: Type.Boolean(),
  outline: Type.Boolean(),
  pagination: Type.Boolean(),
  metadata: Type.Boolean(),
  tags: Type.Boolean(),
  actions: Type.Boolean(),
  anchors: Type.Boolean({ description: 'Whether headings have links to themselves' }),
})

export const Cover = Type.Object({
  ref: Type.Optional(ContentReference),
  refDark: Type.Optional(ContentReference),
  yPos: Type.Number(),
  height: Type.Optional(Type.Number()),
})

/** The values of variables by their names. */
export const VariableValues = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
)

/** A reference to a tag of the revision. */
const TagReference = Type.Object({ kind: oneOf(['tag']), tag: Type.String() })

const PageTag = Type.Object({
  tag: TagReference,
  primary: Type.Optional(Type.Boolean({ description: 'Whether it is the main tag of the page' })),
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

/** The source from which a page is computed. */
const ComputedPageSource = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'What the page is computed from. `value` of a dependency is the newest version of its specification, or null.',
})

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
  tags: Type.Array(PageTag),
  variables: Type.Optional(VariableValues),
  computed: Type.Optional(ComputedPageSource),
  computedSeed: Type.Optional(
    Type.String({ description: 'With `computed`, the seed of a request for the body of the page' }),
  ),
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
  ...flags,
  type: oneOf(['computed']),
  computed: ComputedPageSource,
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
      layout: Required<PageLayout>
      cover?: PageRecord['cover']
      tags: Static<typeof PageTag>[]
      variables?: PageRecord['variables']
      computed?: NonNullable<PageRecord['computed']>
      computedSeed?: string
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
  | {
      type: 'computed'
      computed: NonNullable<PageRecord['computed']>
      hidden?: boolean
      noIndex?: boolean
      noRobotsIndex?: boolean
    }
)

export const Page = Type.Unsafe<Page>({
  title: 'Page',
  anyOf: [DocumentPage, GroupPage, LinkPage, ComputedPage],
  discriminator: { propertyName: 'type' },
})

/** The context of a page: its revision and tree, and whether to include git metadata. */
export interface PageContext {
  urls: Urls
  revision: Pick<Row<'revision'>, 'spaceId' | 'pages'>
  tree: PageTree
  metadata: boolean
  /** For readers of a site, what distinguishes what they see. They see neither conditions nor variables. */
  reader?: string | undefined
  /** If computed pages are shown as the pages that they stand for, what these are made of. */
  computed?: ComputedContext | undefined
}

/** The specifications that pages are computed from. */
export interface ComputedContext {
  /** Changes whenever the computed pages may have changed. */
  version: string
  specs: ReadonlyMap<string, { id: string; slug: string; lastVersion: string }>
}

const NOTHING_MORE: Pick<PageRecord, 'condition' | 'variables'> = {}

/** The body of a page in the requested format. */
export type PageBody = { markdown: string } | { document: Document } | undefined

/** The pages below a page, or at the top level for null, with their descendants. They are made while they are sent. */
export function toPages(context: PageContext, parent: string | null): Page[] {
  const { urls, revision, tree, metadata, reader, computed } = context
  const { spaceId, pages } = revision
  const version = () =>
    JSON.stringify(['pages', parent, urls.app(''), spaceId, pages, metadata, reader, computed?.version])
  return lazyArray(tree.children(parent), (record) => toPage(context, record), version)
}

/** A page with its descendants, which are made while they are sent. A body, if given, belongs to this page only. */
export function toPage(context: PageContext, record: PageRecord, body?: PageBody): Page {
  const { urls, revision, tree, metadata, reader } = context
  const { id, title, emoji, icon, linkTitle, createdAt, updatedAt } = record
  const { condition, variables } = reader === undefined ? record : NOTHING_MORE
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
    const computed = sourceFor(context, record) ?? { type: '', props: {} }
    return { ...common, type: 'computed', computed, ...visibility }
  }

  const path = tree.path(id)
  const pages = toPages(context, id)
  if (record.type === 'group') {
    return { ...common, type: 'group', kind: 'group', slug: record.slug, path, pages, ...visibility }
  }
  const { oid, file } = record
  return {
    ...common,
    type: 'document',
    kind: 'sheet',
    urls: { app: urls.app(`/s/${revision.spaceId}/${path.split('/').map(encodeURIComponent).join('/')}`) },
    slug: record.slug,
    path,
    pages,
    ...omitNullish({
      description: record.description,
      documentId: record.document,
      git: metadata && oid && file ? { oid, path: file } : undefined,
      cover: record.cover,
      variables,
      computed: sourceFor(context, record),
      computedSeed: record.computed ? id : undefined,
    }),
    tags: (record.tags ?? []).map(({ tag, primary }) => ({
      tag: { kind: 'tag', tag },
      ...(primary && { primary }),
    })),
    layout: { ...DEFAULT_LAYOUT, ...record.layout },
    ...visibility,
    ...body,
  }
}

/** A page whose list of pages is empty, for responses that are not about the tree. */
export function withoutDescendants(page: Page): Page {
  return 'pages' in page ? { ...page, pages: [] } : page
}

/** The source of a computed page; if its content is computed, with the version of each specification. */
function sourceFor({ computed: shown }: PageContext, { computed }: PageRecord): PageRecord['computed'] {
  if (!shown || !computed?.dependencies) return computed
  const resolved = Object.entries(computed.dependencies).map(([name, { ref }]) => {
    const spec = ref.kind === 'openapi' ? shown.specs.get(ref.spec) : undefined
    if (ref.kind !== 'openapi') return [name, { ref }]
    if (!spec) return [name, { ref, value: null }]
    const { id, slug, lastVersion } = spec
    return [name, { ref, value: { object: 'openapi-spec', id, slug, lastVersion } }]
  })
  return {
    ...computed,
    dependencies: Object.fromEntries(resolved) as NonNullable<typeof computed.dependencies>,
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
export function toFile(
  urls: Urls,
  spaceId: string,
  record: FileRecord,
  metadata: boolean,
  downloadURL = urls.file(spaceId, record.hash, record.name),
) {
  const { id, name, contentType, size, dimensions, oid, path } = record
  const git = metadata && oid && path ? { oid, path } : undefined
  return {
    id,
    name,
    contentType,
    downloadURL,
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
