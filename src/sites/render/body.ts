/**
 * Renders the body of a page from plain data: its Markdown, and the targets of its references. The work runs on the event
 * loop if it is known to be quick, and otherwise in a thread, to which the data is sent.
 */
import type { Document } from '../../core/document/model.ts'
import { codeIn } from '../../core/document/html/code.ts'
import type {
  HighlightedCode,
  OutlineItem,
  PageNeed,
  RenderContext,
} from '../../core/document/html/renderer.ts'
import { renderDocument } from '../../core/document/html.ts'
import { blockText } from '../../core/document/text.ts'
import { visibleDocument } from '../../core/document/shown/visible.ts'
import { MOST_TRIED_EXAMPLES, operationToTry } from '../../core/openapi/try-it.ts'
import { isWrittenOut, writtenOutToTry } from '../../core/openapi/written-out.ts'
import { type BodyTask, openDescribed, targetOfUrl } from '../../core/reading/body.ts'
import { type PrintTask, publicUrl } from '../../core/reading/print.ts'
import { shorten } from '../../core/text/shorten.ts'
import { pageIcon } from './icons.ts'
import { hasWords, wordsLanguage, wordsOf } from './words/choose.ts'

/** Longer titles of feed entries are cut. */
const LONGEST_TITLE = 200

/** How long the beginning of a page is, in characters; search engines show about as many. */
const [SHORTEST_BEGINNING, LONGEST_BEGINNING] = [20, 160]
/** No more of a paragraph is read for it, in UTF-16 units. */
const LONGEST_READ = 2_000

/** The data that the HTML of a body needs besides the content of the body. */
export interface RenderTask extends BodyTask {
  /** The tokens of highlighted code, by `codeKey`. */
  highlighted?: Map<string, HighlightedCode>
  /** Whether links to other sites open in a new window. */
  newWindow?: boolean
  /** The language of the site, as a language tag (BCP 47). */
  language: string
  /** The title of the page. */
  title?: string
  /** The style of icons, as in the settings of a site. */
  icons?: string
  /** The specifications, by slug, to whose servers the server of the site sends requests of readers. */
  proxied?: ReadonlySet<string>
}

/** The body as HTML, with its headings and the assets that it needs. */
export interface RenderedBody {
  html: string
  outline: OutlineItem[]
  needs: PageNeed[]
  /** How the text begins: what search engines show of a page without a description. */
  beginning?: string
  /** The origins to which forms of the page send requests. */
  origins?: string[]
}

/** The most origins of one page. */
const MOST_ORIGINS = 50

/** Distinguishes blocks of code. */
export function codeKey(code: string, syntax: string): string {
  return `${syntax}\n${code}`
}

/** The body of a page as HTML. */
export function renderBody(task: RenderTask): RenderedBody {
  const { document, context } = open(task)
  const origins = new Set<string>()
  const { body, outline, needs } = renderDocument(document, { ...context, tryIt: tryItIn(task, origins) })
  return {
    html: String(body),
    outline,
    needs: [...needs],
    ...documentBeginning(document),
    ...(origins.size > 0 ? { origins: [...origins] } : {}),
  }
}

/** Finds what the form of an operation needs, and adds the origins of its servers. */
function tryItIn({ specs, proxied }: RenderTask, origins: Set<string>): RenderContext['tryIt'] {
  const examples = { schemas: MOST_TRIED_EXAMPLES }
  return (block) => {
    const { ref } = block.data
    const spec = ref?.kind === 'openapi' ? ref.spec : undefined
    const parts = spec === undefined ? undefined : specs.get(spec)
    const operation = isWrittenOut(block)
      ? writtenOutToTry(block)
      : block.type === 'openapi-operation' && parts
        ? operationToTry(parts, block.data, examples)
        : undefined
    if (!operation) return undefined
    const servers = operation.servers.filter((server) => {
      const { origin } = new URL(server)
      return origins.has(origin) || (origins.size < MOST_ORIGINS && origins.add(origin))
    })
    if (servers.length === 0) return undefined
    return JSON.stringify({ ...operation, servers, ...(proxied?.has(spec ?? '') ? { spec } : {}) })
  }
}

/** The first paragraph with more than a few words, shortened; nothing that only some readers may see is in it. */
function documentBeginning({ nodes }: Document): Pick<RenderedBody, 'beginning'> {
  for (const block of nodes) {
    if (block.type !== 'paragraph') continue
    const text = blockText(block).slice(0, LONGEST_READ).replace(/\s+/g, ' ').trim()
    if (text.length < SHORTEST_BEGINNING) continue
    const start = shorten(text, LONGEST_BEGINNING)
    return { beginning: start === text ? text : `${start.trimEnd()}…` }
  }
  return {}
}

/** The blocks of code of a page, for a highlighter. */
export function codeOfBody(task: RenderTask): { code: string; syntax: string }[] {
  const { document, context } = open(task)
  return codeIn(document, context.reusable)
}

/** A dated entry of a page, for a feed. */
export interface FeedEntry {
  date: string
  title: string
  /** The content as HTML with absolute URLs. */
  html: string
  tags: string[]
}

/** The entries of the `updates` blocks of a page that a visitor may see, in their order. */
export function updatesOfBody(task: PrintTask & RenderTask): FeedEntry[] {
  const { document, context } = open(task)
  const visible = visibleDocument(document, context, (path) => publicUrl(task, path))
  // Its references are URLs that the visitor may follow.
  const looking: RenderContext = {
    ...context,
    outsidePage: true,
    href: (ref) => targetOfUrl(ref).href,
    image: (ref) => targetOfUrl(ref).image,
    file: (ref) => targetOfUrl(ref).file,
  }
  return visible.nodes
    .flatMap((block) => (block.type === 'updates' ? block.nodes : []))
    .flatMap((block) => {
      if (block.type !== 'update') return []
      const [first] = block.nodes
      const title = first ? blockText(first).trim().split('\n', 1)[0] : ''
      // The title of the entry is its heading.
      const nodes = first?.type.startsWith('heading-') ? block.nodes.slice(1) : block.nodes
      const { body } = renderDocument({ ...visible, nodes }, looking)
      const { date, tags = [] } = block.data
      return [{ date, title: shorten(title ?? '', LONGEST_TITLE) || date, html: String(body), tags }]
    })
}

function open(task: RenderTask): { document: Document; context: RenderContext } {
  const { highlighted, newWindow = false, icons = 'solid', language } = task
  const { document, context } = openDescribed(task, {
    language: wordsLanguage(language),
    title: task.title,
  })
  return {
    document,
    context: {
      ...context,
      href(ref) {
        const target = context.href(ref)
        return target?.external && newWindow ? { ...target, newWindow } : target
      },
      highlight: (code, syntax) => highlighted?.get(codeKey(code, syntax)),
      language: hasWords(language) ? language : 'en',
      words: wordsOf(language).content,
      icon: icons === 'solid' ? pageIcon : (name) => pageIcon(`fa-${icons} ${name}`),
    },
  }
}
