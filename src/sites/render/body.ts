/**
 * Renders the body of a page from plain data: its Markdown, and the targets of its references. The work runs on the event
 * loop if it is known to be quick, and otherwise in a thread, to which the data is sent.
 */
import type { ContentRef, Document } from '../../core/document/model.ts'
import { codeIn } from '../../core/document/html/code.ts'
import type {
  FileTarget,
  HighlightedCode,
  ImageTarget,
  LinkTarget,
  OutlineItem,
  PageNeed,
  RenderContext,
} from '../../core/document/html/renderer.ts'
import { renderDocument } from '../../core/document/html.ts'
import { isBroken } from '../../core/content/links.ts'
import { parsePage } from '../../core/document/parse.ts'
import { printPage } from '../../core/document/print.ts'
import { mapReferences, referenceKey } from '../../core/document/references.ts'
import { evaluator } from '../../core/expression/expression.ts'
import { heapSize } from '../../core/heap-size.ts'
import { lru } from '../../core/lru.ts'
import { pageIcon } from './icons.ts'
import { visibleDocument } from './visible.ts'

/** The Markdown of a page or reusable content. */
export interface BodySource {
  hash: string
  source: string
  /** What each reference in it means, by `referenceKey`. References that are not listed mean what they say. */
  references: Map<string, ContentRef>
}

/** What a reference leads to, in each role that it may have; undefined if a visitor cannot see it. */
export interface ReferenceTarget {
  href?: LinkTarget | undefined
  image?: ImageTarget | undefined
  file?: FileTarget | undefined
}

/** Everything that the body of a page shows. */
export interface BodyTask {
  page: BodySource
  /** The reusable contents that it includes, by id. */
  included: Map<string, BodySource>
  /** The targets of references, by `referenceKey`. Other references have the target that their URL says, if any. */
  targets: Map<string, ReferenceTarget>
  /** What expressions can read. */
  scope: Record<string, unknown>
  /** The tokens of highlighted code, by `codeKey`. */
  highlighted?: Map<string, HighlightedCode>
}

/** The body as HTML, with its headings and the assets that it needs. */
export interface RenderedBody {
  html: string
  outline: OutlineItem[]
  needs: PageNeed[]
}

/** Distinguishes blocks of code. */
export function codeKey(code: string, syntax: string): string {
  return `${syntax}\n${code}`
}

/** The body of a page as HTML. */
export function renderBody(task: BodyTask): RenderedBody {
  const { document, context } = open(task)
  const { body, outline, needs } = renderDocument(document, context)
  return { html: String(body), outline, needs: [...needs] }
}

/** The blocks of code of a page, for a highlighter. */
export function codeOfBody(task: BodyTask): { code: string; syntax: string }[] {
  const { document, context } = open(task)
  return codeIn(document, context.reusable)
}

/** The task of printing a page as Markdown. */
export interface PrintTask extends BodyTask {
  title: string
  description?: string | undefined
  /** A path on the host of the site that starts with `base` is at `home` for the public. */
  base: string
  home: string
}

/** The Markdown of a page as a visitor may see it, with included content in place and absolute URLs. */
export function printBody(task: PrintTask): string {
  const { document, context } = open(task)
  const { title, description, base, home } = task
  const visible = visibleDocument(document, context, (path) =>
    path.startsWith(base) ? home + path.slice(base.length) : home,
  )
  return printPage({ title, meta: description === undefined ? {} : { description }, document: visible })
}

/** Documents by the hash of their source: a page is read for its code, and again to be rendered. */
const documents = lru<Document>(16 * 1024 * 1024)

function documentOf({ hash, source, references }: BodySource): Document {
  let document = documents.get(hash)
  if (!document) {
    document = parsePage(source).document
    documents.set(hash, document, heapSize(document))
  }
  return mapReferences(document, (ref) => references.get(referenceKey(ref)) ?? ref)
}

function open({ page, included, targets, scope, highlighted }: BodyTask) {
  const opened = new Map<string, Document>()
  const evaluateIt = evaluator(scope)
  const targetOf = (ref: ContentRef) => targets.get(referenceKey(ref)) ?? targetOfUrl(ref)
  const context: RenderContext = {
    href: (ref) => targetOf(ref).href,
    image: (ref) => targetOf(ref).image,
    file: (ref) => targetOf(ref).file,
    reusable(ref) {
      const id = ref.kind === 'reusable-content' ? ref.reusableContent : ''
      const source = included.get(id)
      if (!source) return undefined
      const document = opened.get(id) ?? documentOf(source)
      opened.set(id, document)
      return document
    },
    highlight: (code, syntax) => highlighted?.get(codeKey(code, syntax)),
    evaluate(expression) {
      const result = evaluateIt(expression)
      return result.ok ? result.value : undefined
    },
    icon: pageIcon,
  }
  return { document: documentOf(page), context }
}

/** The target of a reference that is a URL: of a link in raw HTML, for example. */
export function targetOfUrl(ref: ContentRef): ReferenceTarget {
  if (ref.kind !== 'url' || isBroken(ref)) return {}
  const { url } = ref
  return {
    href: { href: url, external: !url.startsWith('#') },
    image: { src: url },
    file: { href: url, name: url },
  }
}
