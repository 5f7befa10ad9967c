import { type Static, type TSchema, Type } from 'typebox'
import {
  type Difference,
  diffContents,
  type FileAttribute,
  isSeen,
  type PageAttribute,
  type ReusableAttribute,
} from '../../core/content/diff.ts'
import { diff } from '../../core/content/prolly-tree/read.ts'
import {
  DEFAULT_LAYOUT,
  EMPTY,
  type FileRecord,
  hasPath,
  type PageRecord,
  type ReusableRecord,
  type Variables,
} from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { invalidField } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import { ChangeRequest } from '../proposals/change-request.ts'
import { Id, oneOf, omitNullish } from '../common.ts'
import { BlockChangeSchema, blockDiffOf } from '../content/compared-pages.ts'
import { nodesOf, pagesOf } from '../content/content.ts'
import { ContentReference } from '../content/documents/document.ts'
import { Cover, Layout } from '../content/documents/page.ts'
import { because } from '../../core/languages/reasons.ts'

const ChangedPage = Type.Object({
  id: Type.String(),
  type: oneOf(['document', 'group', 'link', 'computed']),
  title: Type.String(),
  path: Type.Optional(Type.String({ description: 'Absent if the page has no path' })),
})

const ChangedFile = Type.Object({
  id: Type.String(),
  name: Type.String(),
  contentType: Type.String(),
  downloadURL: Type.String({ format: 'uri' }),
})

const ChangedReusable = Type.Object({
  id: Type.String(),
  title: Type.String(),
  document: Type.Optional(Type.String()),
})

/** The values of an attribute before and after. A side without a value is absent. */
const pairOf = <S extends TSchema>(value: S) =>
  Type.Optional(Type.Object({ before: Type.Optional(value), after: Type.Optional(value) }))

const text = pairOf(Type.String())
const flag = pairOf(Type.Boolean())
const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
const loose = pairOf(Type.Record(Type.String(), Type.Unknown()))

const PageAttributes = Type.Object(
  {
    type: text,
    title: text,
    linkTitle: text,
    description: text,
    slug: text,
    document: text,
    cover: pairOf(Cover),
    emoji: text,
    icon: text,
    layout: pairOf(Layout),
    variables: pairOf(Type.Record(Type.String(), Value)),
    target: pairOf(ContentReference),
    tags: pairOf(Type.Array(Type.Object({ tag: Type.String(), primary: Type.Optional(Type.Boolean()) }))),
    hidden: flag,
    noIndex: flag,
    noRobotsIndex: flag,
    condition: text,
    computed: loose,
  } satisfies Record<PageAttribute, TSchema>,
  { minProperties: 1 },
)

const FileAttributes = Type.Object(
  {
    name: text,
    downloadURL: pairOf(Type.String({ format: 'uri' })),
    size: pairOf(Type.Integer()),
    contentType: text,
    dimensions: pairOf(Type.Object({ width: Type.Number(), height: Type.Number() })),
  } satisfies Record<Exclude<FileAttribute, 'hash'> | 'downloadURL', TSchema>,
  { minProperties: 1 },
)

const ReusableAttributes = Type.Object(
  { title: text, document: text, computed: loose } satisfies Record<ReusableAttribute, TSchema>,
  { minProperties: 1 },
)

const SemanticChange = Type.Union(
  [
    Type.Object({ type: oneOf(['page_created', 'page_deleted']), page: ChangedPage }),
    Type.Object({
      type: oneOf(['page_edited']),
      page: ChangedPage,
      attributes: PageAttributes,
      blocks: Type.Optional(
        Type.Array(BlockChangeSchema, { description: 'The differences of the text, with `blocks=true`' }),
      ),
    }),
    Type.Object({
      type: oneOf(['page_moved']),
      page: ChangedPage,
      parent: Type.Object({ before: Type.Optional(ChangedPage), after: Type.Optional(ChangedPage) }),
    }),
    Type.Object({ type: oneOf(['file_created', 'file_deleted']), file: ChangedFile }),
    Type.Object({ type: oneOf(['file_edited']), file: ChangedFile, attributes: FileAttributes }),
    Type.Object({
      type: oneOf(['reusable_content_created', 'reusable_content_deleted']),
      reusableContent: ChangedReusable,
    }),
    Type.Object({
      type: oneOf(['reusable_content_edited']),
      reusableContent: ChangedReusable,
      attributes: ReusableAttributes,
    }),
    Type.Object({
      type: oneOf(['variables_edited']),
      variables: Type.Record(
        Type.String(),
        Type.Object({ before: Type.Optional(Value), after: Type.Optional(Value) }),
      ),
    }),
  ],
  { title: 'SemanticChange' },
)
type SemanticChange = Static<typeof SemanticChange>

/** The differences between two contents, by page, file and other objects. */
export const SemanticChanges = Type.Object(
  {
    mergedFrom: Type.Optional(ChangeRequest),
    changes: Type.Array(SemanticChange),
    more: Type.Optional(Type.Integer({ description: 'The number of changes beyond `limit`' })),
  },
  { title: 'SemanticChanges' },
)

/** The maximum number of changes in a response. */
const ChangesLimit = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 10,
    description: 'The maximum number of changes to return',
  }),
)

/** The most changes in a response that has the differences of their blocks. */
const BLOCKS_MAX = 50

/** The query parameters of a list of changes. */
export const ChangesQuery = {
  limit: ChangesLimit,
  pageId: Type.Optional({ ...Id, description: 'Return only the changes of this page' }),
  blocks: Type.Optional(
    Type.Boolean({
      default: false,
      description: `Whether edited pages have the differences of their blocks and words; then \`limit\` is at most ${BLOCKS_MAX}`,
    }),
  ),
}

/** The content of a revision. */
type Content = Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables' | 'variables' | 'redirects'>

/**
 * The first `limit` differences between two contents of a space. Without `before`, everything is new.
 * @param options.seen what a reader of a site sees of a difference; undefined leaves it out
 * @throws 400 if `limit` is too large for differences of blocks
 */
export async function changesBetween(
  db: Reader,
  urls: Urls,
  before: Content | undefined,
  after: Content,
  {
    limit = 10,
    pageId,
    blocks = false,
    seen = (one) => one,
  }: {
    limit?: number
    pageId?: string
    blocks?: boolean
    seen?: (one: ShownDifference) => ShownDifference | undefined
  },
): Promise<{ changes: SemanticChange[]; more?: number }> {
  const { spaceId } = after
  if (blocks && limit > BLOCKS_MAX)
    throw invalidField(
      'query.limit',
      because('too-many-blocks-compared', { limit: BLOCKS_MAX, value: limit }),
    )
  const start = before ?? { ...EMPTY, spaceId, variables: '{}', redirects: '{}' }
  const changed = {
    pages: await diff<PageRecord>(start.pages, after.pages, nodesOf(db, spaceId)),
    files: await diff<FileRecord>(start.files, after.files, nodesOf(db, spaceId)),
    reusables: await diff<ReusableRecord>(start.reusables, after.reusables, nodesOf(db, spaceId)),
  }
  const [from, to] = [await readContent(db, start), await readContent(db, after)]
  const shown = diffContents(from, to, changed).flatMap((one) => {
    const isWanted = isShown(one) && (pageId === undefined || pageOfDifference(one) === pageId)
    return (isWanted && seen(one)) || []
  })
  const trees = { before: from.pages, after: to.pages }
  const changes: SemanticChange[] = []
  for (const one of shown.slice(0, limit)) {
    const change = toSemanticChange({ urls, spaceId, trees }, one)
    const isText = blocks && one.type === 'page_edited' && one.attributes.includes('document')
    const versions = isText && { before: one.before.document, after: one.after.document }
    changes.push(
      versions ? ({ ...change, blocks: await blockDiffOf(db, spaceId, versions) } as SemanticChange) : change,
    )
  }
  return { changes, ...(shown.length > limit ? { more: shown.length - limit } : {}) }
}

async function readContent(db: Reader, content: Content) {
  return {
    pages: await pagesOf(db, content),
    variables: JSON.parse(content.variables) as Variables,
    redirects: JSON.parse(content.redirects) as Record<string, string>,
  }
}

/** A difference that the API shows. Redirects are left out, because the API has no type for such a change. */
export type ShownDifference = Exclude<Difference, { type: 'redirects_edited' }>

const isShown = (one: Difference): one is ShownDifference => one.type !== 'redirects_edited' && isSeen(one)

/** The page of a difference; undefined for what is no page. */
function pageOfDifference(one: ShownDifference): string | undefined {
  if ('page' in one) return one.page.id
  return one.type === 'page_edited' || one.type === 'page_moved' ? one.after.id : undefined
}

interface Context {
  urls: Urls
  spaceId: string
  trees: { before: PageTree; after: PageTree }
}

function toSemanticChange(context: Context, one: ShownDifference): SemanticChange {
  const { trees } = context
  switch (one.type) {
    case 'page_created':
      return { type: one.type, page: toChangedPage(trees.after, one.page) }
    case 'page_deleted':
      return { type: one.type, page: toChangedPage(trees.before, one.page) }
    case 'page_edited': {
      const attributes = pairs(one.attributes, pageValues(one.before), pageValues(one.after))
      return { type: one.type, page: toChangedPage(trees.after, one.after), attributes }
    }
    case 'page_moved':
      return pageMoved(context, one)
    case 'file_created':
    case 'file_deleted':
      return { type: one.type, file: toChangedFile(context, one.file) }
    case 'file_edited':
      return fileEdited(context, one)
    case 'reusable_content_created':
    case 'reusable_content_deleted':
      return { type: one.type, reusableContent: toChangedReusable(one.reusable) }
    case 'reusable_content_edited': {
      const attributes = pairs(one.attributes, { ...one.before }, { ...one.after })
      return { type: one.type, reusableContent: toChangedReusable(one.after), attributes }
    }
    default: {
      const { type, before, after } = one
      return { type, variables: pairs(Object.keys({ ...before, ...after }), before, after) }
    }
  }
}

function pageMoved({ trees }: Context, { type, before, after }: ShownDifference & { type: 'page_moved' }) {
  const parent = omitNullish({ before: parentOf(trees.before, before), after: parentOf(trees.after, after) })
  return { type, page: toChangedPage(trees.after, after), parent }
}

function fileEdited(
  context: Context,
  { type, before, after, attributes }: ShownDifference & { type: 'file_edited' },
) {
  const [from, to] = [toChangedFile(context, before), toChangedFile(context, after)]
  const names = attributes.flatMap(shownOfFile)
  return { type, file: to, attributes: pairs(names, { ...before, ...from }, { ...after, ...to }) }
}

/** The download URL of a file, which contains the hash of its bytes and its name. */
function shownOfFile(attribute: FileAttribute): string[] {
  if (attribute === 'hash') return ['downloadURL']
  return attribute === 'name' ? ['name', 'downloadURL'] : [attribute]
}

type Fields<V> = Readonly<Record<string, V>>

/** Both values of each attribute that differs. A side without a value is left out. */
function pairs<V>(names: readonly string[], before: Fields<V>, after: Fields<V>) {
  const [then, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const differing = names.filter((name) => JSON.stringify(then.get(name)) !== JSON.stringify(now.get(name)))
  const pairOfName = (name: string): { before?: V; after?: V } => ({
    ...(then.get(name) === undefined ? {} : { before: then.get(name)! }),
    ...(now.get(name) === undefined ? {} : { after: now.get(name)! }),
  })
  return Object.fromEntries(differing.map((name) => [name, pairOfName(name)]))
}

function toChangedPage(tree: PageTree, page: PageRecord) {
  const { id, type, title } = page
  return { id, type, title, ...(hasPath(page) ? { path: tree.path(id) } : {}) }
}

function parentOf(tree: PageTree, { id }: PageRecord) {
  const parent = tree.ancestors(id)[0]
  return parent && toChangedPage(tree, parent)
}

/** Leaves out flags that are not set, as everywhere, but not those of a layout. */
function pageValues(record: PageRecord) {
  const { hidden, noIndex, noRobotsIndex } = record
  return {
    ...record,
    hidden: hidden || undefined,
    noIndex: noIndex || undefined,
    noRobotsIndex: noRobotsIndex || undefined,
    layout: { ...DEFAULT_LAYOUT, ...record.layout },
  }
}

function toChangedFile({ urls, spaceId }: Context, { id, name, contentType, hash }: FileRecord) {
  return { id, name, contentType, downloadURL: urls.file(spaceId, hash, name) }
}

function toChangedReusable({ id, title, document }: ReusableRecord) {
  return { id, title, ...omitNullish({ document }) }
}
