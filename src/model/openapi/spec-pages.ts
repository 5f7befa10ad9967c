/** The pages of an OpenAPI specification: their places and their bodies. */
import { hash } from 'node:crypto'
import { spread } from '../../core/content/tree/order.ts'
import type { ComputedSource, PageRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import { block, inline, text, voidBlock } from '../../core/document/build.ts'
import { assignAnchors } from '../../core/document/identify.ts'
import { documentAnchors } from '../../core/document/links/links-in.ts'
import type { Block } from '../../core/document/model.ts'
import { keysOfPointer } from '../../core/openapi/spec-parts.ts'
import { shorten } from '../../core/text/shorten.ts'
import { giveTurn, isTurnOver } from '../../core/runtime/turns.ts'
import { freeName, LONGEST_SLUG, slugify } from '../../core/text/slug.ts'

/** The type of a source that is a specification. */
export const OPENAPI_SOURCE = 'builtin:openapi'
/** A tag with more operations has a page for each of them. */
const MOST_ON_PAGE = 20
/** If the schemas are more, or their names longer, each has a page: a block names as many as it describes. */
const [MOST_SCHEMAS_ON_PAGE, LONGEST_NAMES] = [100, 3_000]
/** The characters of the title of a page. */
const LONGEST_TITLE = 200
/** The name of the page of operations without a tag, and of that of the schemas. */
const [UNTAGGED, MODELS] = ['Operations', 'Models']

/** The data for the pages of a specification: those operations and schemas of its newest version that have pages. */
export interface SpecOutline {
  id: string
  slug: string
  lastVersion: string
  /** When the newest version was made. */
  versionAt: string
  operations: SpecOperation[]
  /** The names of the schemas. */
  schemas: string[]
}

interface SpecOperation {
  pointer: string
  tag: string | null
  title: string | null
}

/** The fields of a computed page that are used to make pages from it. */
type Source = Pick<PageRecord, 'id' | 'parent' | 'order' | 'computed' | 'createdAt' | Inherited>

/** The fields that decide who finds a page and the pages below it. */
type Inherited = (typeof INHERITED)[number]
const INHERITED = ['condition', 'hidden', 'noIndex', 'noRobotsIndex'] as const

/** The slug of the specification of a computed source; undefined for sources of other types. */
export function specOf(computed: ComputedSource | undefined): string | undefined {
  if (computed?.type !== OPENAPI_SOURCE) return undefined
  const ref = computed.dependencies?.['spec']?.ref
  return ref?.kind === 'openapi' ? ref.spec : undefined
}

/** A page of a specification. */
export interface SpecPage {
  page: PageRecord
  /** The titles of the operations that have headings on it; undefined for a page without headings. */
  headings?: readonly string[]
}

/**
 * The pages of a specification: one for each tag, with one for each operation below it if they are many, and the models.
 * @param others the slugs of the pages that other sources have beside them, which are not in the tree
 */
export async function pagesOfSpec(
  tree: PageTree,
  source: Source,
  spec: SpecOutline,
  others: ReadonlySet<string> = new Set(),
): Promise<SpecPage[]> {
  const { computed, parent } = source
  const given = computed?.props ?? {}
  const isByOperation = given['grouping'] === 'by-operation'
  const byTag = Map.groupBy(spec.operations, ({ tag }) => tag ?? UNTAGGED)
  const next = tree.children(parent).find(({ order }) => order > source.order)
  const orders = spread(byTag.size + 1, source.order, next?.order ?? null)
  const taken = new Set(others)
  const isTaken = (slug: string) => taken.has(slug) || tree.childAt(parent, slug) !== undefined

  const pages: SpecPage[] = []
  /** Adds a page with pages below it. */
  async function add(
    {
      title,
      order,
      props: own,
      headings,
    }: { title: string; order: string; props: Props; headings?: string[] },
    below: { title: string; props: Props }[],
  ) {
    const slug = slugFrom(title, isTaken)
    taken.add(slug)
    const page = pageOf(source, spec, { parent, order, title, slug, props: own })
    pages.push({ page: inheriting(page, source), ...(headings ? { headings } : {}) })
    const slugs = new Set<string>()
    const placed = spread(below.length)
    for (const [at, one] of below.entries()) {
      const ownSlug = slugFrom(one.title, (name) => slugs.has(name))
      slugs.add(ownSlug)
      const place = { parent: page.id, order: placed[at]!, title: one.title, slug: ownSlug }
      pages.push({ page: pageOf(source, spec, { ...place, props: one.props }) })
      if (isTurnOver()) await giveTurn()
    }
  }

  for (const [i, [name, operations]] of [...byTag].entries()) {
    const isDivided = isByOperation || operations.length > MOST_ON_PAGE
    const below = operations.map((operation) => ({
      title: operationTitle(operation),
      props: { doc: 'operations', page: name, operation: operation.pointer },
    }))
    const props = { doc: isDivided ? 'info' : 'operations', page: name }
    const headings = operations.map(operationTitle)
    await add({ title: name, order: orders[i]!, props, headings }, isDivided ? below : [])
    if (isTurnOver()) await giveTurn()
  }
  if (given['models'] !== false && spec.schemas.length > 0) {
    const below = fitOnPage(spec.schemas)
      ? []
      : spec.schemas.map((schema) => ({ title: schema, props: { doc: 'models', schema } }))
    await add({ title: MODELS, order: orders.at(-1)!, props: { doc: 'models' } }, below)
  }
  return pages
}

const fitOnPage = (schemas: readonly string[]) =>
  schemas.length <= MOST_SCHEMAS_ON_PAGE && schemas.join(',').length <= LONGEST_NAMES

type Props = Record<string, string>

function pageOf(
  { id, computed, createdAt }: Source,
  { versionAt }: SpecOutline,
  {
    parent,
    order,
    title,
    slug,
    props,
  }: Pick<PageRecord, 'parent' | 'order' | 'title' | 'slug'> & {
    props: Props
  },
): PageRecord {
  const dependencies = computed?.dependencies ? { dependencies: computed.dependencies } : {}
  return {
    id: idOfPage(id, props),
    type: 'document',
    parent,
    order,
    title: shorten(title, LONGEST_TITLE),
    slug,
    computed: { type: OPENAPI_SOURCE, props: { ...props, source: id }, ...dependencies },
    createdAt,
    updatedAt: versionAt,
  }
}

/** The id of a page of a computed page. It is the same in every version, so links to it and its place in the browser stay. */
function idOfPage(source: string, props: Props): string {
  const isModels = props['doc'] === 'models'
  const names = isModels ? ['models', props['schema']] : ['page', props['page'], props['operation']]
  return hash('sha256', JSON.stringify([source, ...names]), 'hex').slice(0, 24)
}

/** The page with the fields that the pages below it inherit from it in turn. */
function inheriting(page: PageRecord, source: Source): PageRecord {
  const own = INHERITED.flatMap((field) => (source[field] === undefined ? [] : [[field, source[field]]]))
  return { ...page, ...(Object.fromEntries(own) as Pick<PageRecord, Inherited>) }
}

function slugFrom(title: string, isTaken: (slug: string) => boolean): string {
  return freeName(slugify(title).slice(0, LONGEST_SLUG) || 'page', isTaken, { longest: LONGEST_SLUG })
}

const operationTitle = ({ title, pointer }: SpecOperation) =>
  title ?? `${methodIn(pointer).toUpperCase()} ${nameInPointer(pointer)}`

/** The ids of the headings of a page of a specification, by their texts. */
export function anchorsOfHeadings(headings: readonly string[]): string[] {
  const blocks = headings.map(headingOf)
  assignAnchors(blocks)
  return documentAnchors({ object: 'document', data: {}, nodes: blocks })
}

/** The operations and schemas that a page of a specification shows. */
export interface DescribedOnPage {
  operations: { pointer: string; title: string; name: string }[]
  schemas: string[]
  /** Whether it describes them, instead of naming them alone. */
  isComplete: boolean
  /** Whether each operation has a heading. */
  hasHeadings: boolean
}

/** The operations or schemas of the page of a computed source. */
export function describedOn(
  { operations, schemas }: SpecOutline,
  { props }: ComputedSource,
): DescribedOnPage {
  const { doc, page, operation: only, schema } = props
  if (doc === 'models') {
    const isComplete = schema !== undefined || fitOnPage(schemas)
    const shown = schema === undefined ? schemas : schemas.filter((name) => name === schema)
    return { operations: [], schemas: shown, isComplete, hasHeadings: false }
  }
  const shown = operationsOn(operations, textIn(page), textIn(only))
  return {
    operations: shown.map((operation) => ({
      pointer: operation.pointer,
      title: operationTitle(operation),
      name: `${methodIn(operation.pointer).toUpperCase()} ${nameInPointer(operation.pointer)}`,
    })),
    schemas: [],
    isComplete: doc !== 'info',
    hasHeadings: only === undefined,
  }
}

/** The operations of an outline by their pointers and by their tags, because each of thousands of pages looks for its own. */
const operationIndexes = new WeakMap<
  readonly SpecOperation[],
  { byPointer: Map<string, SpecOperation>; byTag: Map<string, SpecOperation[]> }
>()

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The operations of a tag, or the only one. */
function operationsOn(
  operations: readonly SpecOperation[],
  page: string | undefined,
  only: string | undefined,
): readonly SpecOperation[] {
  let index = operationIndexes.get(operations)
  if (!index) {
    index = {
      byPointer: new Map(operations.map((one) => [one.pointer, one])),
      byTag: Map.groupBy(operations, ({ tag }) => tag ?? UNTAGGED),
    }
    operationIndexes.set(operations, index)
  }
  if (only === undefined) return index.byTag.get(page ?? '') ?? []
  const operation = index.byPointer.get(only)
  return operation ? [operation] : []
}

const headingOf = (title: string): Block => block('heading-2', {}, [text(title)])

/** The body of a page that `pagesOfSpec` has made. It is empty if the specification no longer has what the page shows. */
export function blocksOfPage({ slug, operations, schemas }: SpecOutline, { props }: ComputedSource): Block[] {
  const ref = { kind: 'openapi' as const, spec: slug }
  const { doc, page, operation: only, schema, source } = props
  /** Returns the name of an operation or schema that another page describes, with a link to that page if its source is known. */
  const naming = (name: string, of: Props): Block => {
    const named = text(name, [{ object: 'mark', type: 'code' }])
    if (typeof source !== 'string') return block('paragraph', {}, [named])
    const target = { kind: 'page' as const, page: idOfPage(source, of) }
    return block('paragraph', {}, [inline('link', { ref: target }, [named])])
  }
  if (doc === 'models') {
    const shown = schema === undefined ? schemas : schemas.filter((name) => name === schema)
    if (shown.length === 0) return []
    if (schema === undefined && !fitOnPage(schemas))
      return schemas.map((name) => naming(name, { doc: 'models', schema: name }))
    return [voidBlock('openapi-schemas', { ref, schemas: shown, grouped: true })]
  }
  const shown = operationsOn(operations, textIn(page), textIn(only))
  return shown.flatMap((operation): Block[] => {
    const { tag } = operation
    const [path, method] = [nameInPointer(operation.pointer), methodIn(operation.pointer)]
    const shownBlock = voidBlock('openapi-operation', { ref, path, method })
    if (only !== undefined) return [shownBlock]
    const heading = headingOf(operationTitle(operation))
    if (doc !== 'info') return [heading, shownBlock]
    const of = { doc: 'operations', page: tag ?? UNTAGGED, operation: operation.pointer }
    return [heading, naming(`${method.toUpperCase()} ${path}`, of)]
  })
}

/** The second key of a pointer: the path of an operation, or its third: the name of a component. */
export function nameInPointer(pointer: string): string {
  const keys = keysOfPointer(pointer)
  return (keys[0] === 'components' ? keys[2] : keys[1]) ?? ''
}

const methodIn = (pointer: string) => keysOfPointer(pointer)[2] ?? ''
