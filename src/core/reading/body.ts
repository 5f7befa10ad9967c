/**
 * The body of a page as plain data: its Markdown, and the targets of its references. Every caller that shows it opens
 * it here, so that a site and the API evaluate conditions and resolve references alike.
 */
import { isBroken } from '../content/links.ts'
import type { FileTarget, ImageTarget, LinkTarget } from '../document/html/renderer.ts'
import type { ContentRef, Document } from '../document/model.ts'
import { parseIncluded } from '../document/included.ts'
import { parsePage } from '../document/parse.ts'
import { absoluteUrl } from '../document/sanitize.ts'
import { mapReferences, referenceKey } from '../document/links/references.ts'
import type { VisibleContext } from '../document/shown/visible.ts'
import { apiDescriber, type ApiSurroundings } from '../openapi/describe/describe.ts'
import { asOperations } from '../openapi/legacy.ts'
import type { SpecSourceParts } from '../openapi/described.ts'
import { evaluator } from '../expression/expression.ts'
import { type OwnPlace, pathInPlaces } from './own-places.ts'
import { heapSize } from '../runtime/heap-size.ts'
import { lru } from '../data/lru.ts'

/** The Markdown of a page or reusable content. */
export interface BodySource {
  hash: string
  source: string
  /** Its resolved references, by `referenceKey`. References that are not listed stay as they are. */
  references: Map<string, ContentRef>
}

/** The target of a reference, in each role that it may have; undefined if a visitor cannot see it. */
export interface ReferenceTarget {
  href?: LinkTarget | undefined
  image?: ImageTarget | undefined
  file?: FileTarget | undefined
  /** The name of a user. */
  person?: string | undefined
}

/** The data needed to show the body of a page. */
export interface BodyTask {
  page: BodySource
  /** What is shown is a reusable content alone, whose front matter can hide all of it. */
  isReusable?: boolean
  /** The reusable contents that it includes, by id. */
  included: Map<string, BodySource>
  /** The targets of references, by `referenceKey`. Other references have the target that their URL says, if any. */
  targets: Map<string, ReferenceTarget>
  /** Where the site is. A URL of the site without a target is shown as text, because nobody decided whether the reader may follow it. */
  own?: readonly OwnPlace[]
  /** The values that expressions can read. */
  scope: Record<string, unknown>
  /** The parts of OpenAPI specifications that the body shows, by slug. */
  specs: Map<string, SpecSourceParts>
  /**
   * If the page may have legacy blocks: the specifications in `specs` that they mean, by `referenceKey`. Operations that
   * are written out are in no specification.
   */
  legacy?: Map<string, string>
}

/** Documents by the hash of their source: a page is read for its code, and again to be rendered. */
const documents = lru<Document>(16 * 1024 * 1024, 'parsed-documents')

function documentFrom(
  { hash, source, references }: BodySource,
  { legacy, isIncluded }: { legacy: BodyTask['legacy']; isIncluded: boolean },
): Document {
  // A page and a reusable content can have the same source, but the condition of a page is that of its record.
  const key = isIncluded ? `${hash} included` : hash
  let document = documents.get(key)
  if (!document) {
    document = isIncluded ? parseIncluded(source) : parsePage(source).document
    documents.set(key, document, heapSize(document))
  }
  const resolved = mapReferences(document, (ref) => references.get(referenceKey(ref)) ?? ref)
  return legacy ? asOperations(resolved, legacy) : resolved
}

/** The document of a page, and what its conditions, includes and references mean for a visitor. */
export interface OpenBody {
  document: Document
  context: VisibleContext
}

/**
 * Opens the body of a page with descriptions of the operations, webhooks and schemas that it names. What conditions and
 * links in them mean for the visitor of the task is decided with those of the page.
 */
export function openDescribed(task: BodyTask, page: Omit<ApiSurroundings, 'hasWrittenOut'> = {}): OpenBody {
  const { document, context } = openBody(task)
  const describe = apiDescriber(task.specs, { ...page, hasWrittenOut: task.legacy !== undefined })
  const included = new Map<Document, Document>()
  const reusable = (ref: ContentRef) => {
    const found = context.reusable(ref)
    if (!found) return undefined
    // Content that includes itself is recognized by its identity.
    const described = included.get(found) ?? describe(found)
    included.set(found, described)
    return described
  }
  return { document: describe(document), context: { ...context, reusable } }
}

/** Opens the body of a page as the visitor of the task sees it. */
export function openBody(task: BodyTask): OpenBody {
  const { page, included, targets, own = [], scope } = task
  const opened = new Map<string, Document>()
  const evaluateIt = evaluator(scope)
  const isOwn = (ref: ContentRef) => ref.kind === 'url' && pathInPlaces(ref.url, own) !== undefined
  const linkedTarget = (ref: ContentRef) =>
    targets.get(referenceKey(ref)) ?? (isOwn(ref) ? {} : targetOfUrl(ref))
  const context: VisibleContext = {
    href: (ref) => linkedTarget(ref).href,
    image: (ref) => linkedTarget(ref).image,
    file: (ref) => linkedTarget(ref).file,
    person: (ref) => linkedTarget(ref).person,
    reusable(ref) {
      const id = ref.kind === 'reusable-content' ? ref.reusableContent : ''
      const source = included.get(id)
      if (!source) return undefined
      const document = opened.get(id) ?? documentFrom(source, { legacy: task.legacy, isIncluded: true })
      opened.set(id, document)
      return document
    },
    evaluate(expression) {
      const result = evaluateIt(expression)
      return result.ok ? result.value : undefined
    },
  }
  const document = documentFrom(page, { legacy: task.legacy, isIncluded: task.isReusable ?? false })
  return { document, context }
}

/** The target of a reference that is a URL: of a link in raw HTML, for example. */
export function targetOfUrl(ref: ContentRef): ReferenceTarget {
  if (ref.kind !== 'url' || isBroken(ref)) return {}
  const url = absoluteUrl(ref.url)
  return {
    href: { href: url, external: !url.startsWith('#') },
    image: { src: url },
    file: { href: url, name: url },
  }
}
