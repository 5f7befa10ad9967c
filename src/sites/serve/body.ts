/** Loads what the body of a page shows, and renders it where it delays nobody. */
import { ANONYMOUS, scopeOf } from '../../access/visitors.ts'
import type { ContentRef } from '../../core/document/model.ts'
import { referenceKey } from '../../core/document/references.ts'
import { html } from '../../core/html.ts'
import { anchorFinder, type FindAnchor } from '../../core/document/html/anchors.ts'
import { unconditionalText } from '../../core/document/markdown/reading.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { Reader } from '../../db/schema.ts'
import { linkTargetsOf } from '../../model/content/content.ts'
import { inThread, type TaskKind, type ThreadWork, tookTooMuch } from '../../model/content/in-thread.ts'
import { type ResolvedSource, resolvedSources } from '../../model/content/resolved-source.ts'
import { linksOfDocuments } from '../../model/content/stored-links.ts'
import {
  type BodySource,
  type BodyTask,
  codeKey,
  codeOfBody,
  printBody,
  type PrintTask,
  type ReferenceTarget,
  renderBody,
  type RenderedBody,
  targetOfUrl,
} from '../render/body.ts'
import type { Highlighter } from '../highlight/highlight.ts'
import {
  fileAddress,
  linkTo,
  type LinkSurroundings,
  loadContent,
  type SiteContent,
  variantAddress,
} from './content.ts'

const INCLUDE_DEPTH = 4
/** A page that takes longer is shown as its source. */
const TIME_MS = 5_000
/** So is a page with more HTML, in UTF-16 units. */
const MOST_HTML = 10_000_000
/** A page that is shown as its source shows so many characters of it. */
const MOST_SOURCE = 200_000

const module = new URL('../render/body.ts', import.meta.url)
const RENDER_BODY: TaskKind<BodyTask, RenderedBody> = { module, name: 'renderBody', timeMs: TIME_MS }
const CODE_OF_BODY: TaskKind<BodyTask, ReturnType<typeof codeOfBody>> = {
  module,
  name: 'codeOfBody',
  timeMs: TIME_MS,
}
const PRINT_BODY: TaskKind<PrintTask, string> = { module, name: 'printBody', timeMs: TIME_MS }

/** The body of a page as HTML. It is not complete if some code is not highlighted yet. */
export async function bodyOf(
  db: Reader,
  content: SiteContent,
  page: PageRecord,
  highlighter: Highlighter,
): Promise<RenderedBody & { complete: boolean }> {
  const task = await loadBody(db, content, page)
  const work = workOn(db, content, task)
  try {
    const code = hasCode(task) ? await inThread(CODE_OF_BODY, codeOfBody, task, work) : []
    const { lookup, complete } = await highlighter.read(code, content.open.site.organizationId)
    const highlighted = new Map(
      code.flatMap(({ code: text, syntax }) => {
        const tokens = lookup(text, syntax)
        return tokens ? [[codeKey(text, syntax), tokens] as const] : []
      }),
    )
    const rendered = await inThread(RENDER_BODY, renderBody, { ...task, highlighted }, work)
    return rendered.html.length > MOST_HTML ? asSource(task.page) : { ...rendered, complete }
  } catch (error) {
    if (tookTooMuch(error)) return asSource(task.page)
    throw error
  }
}

/** The Markdown of a page as a visitor may see it. @param home the public URL of the site's base */
export async function markdownOf(
  db: Reader,
  content: SiteContent,
  page: PageRecord,
  home: string,
): Promise<string> {
  const task = await loadBody(db, content, page)
  const { title, description } = page
  const printing = { ...task, title, description, base: content.open.base, home }
  try {
    return await inThread(PRINT_BODY, printBody, printing, workOn(db, content, task))
  } catch (error) {
    if (tookTooMuch(error)) return visibleSource(task.page)
    throw error
  }
}

/** Where the work on a page is done: at once if the page is quick and includes nothing. */
function workOn(db: Reader, { variant }: SiteContent, { page, included }: BodyTask): ThreadWork {
  return { db, spaceId: variant.spaceId, sources: included.size === 0 ? [page.source] : 'slow' }
}

function hasCode({ page, included }: BodyTask): boolean {
  return [page, ...included.values()].some(({ source }) => /```|~~~|\{%\s*code|<pre/i.test(source))
}

function visibleSource({ source }: BodySource): string {
  return unconditionalText(source).slice(0, MOST_SOURCE)
}

function asSource(page: BodySource): RenderedBody & { complete: boolean } {
  const body = html`<p><em>This page takes too long to be shown. This is its source.</em></p>
    <pre><code>${visibleSource(page)}</code></pre>`
  return { html: String(body), outline: [], needs: [], complete: true }
}

async function loadBody(db: Reader, content: SiteContent, page: PageRecord): Promise<BodyTask> {
  const { revision, reusables } = content
  const targets = await linkTargetsOf(db, revision)
  const [main] = await resolvedSources(db, revision, targets, [page])
  const included = new Map<string, ResolvedSource>()
  for (let depth = 0, fresh = [main!]; fresh.length > 0 && depth < INCLUDE_DEPTH; depth++) {
    const wanted = new Set(fresh.flatMap(includedBy).filter((id) => !included.has(id) && reusables.has(id)))
    const named = [...wanted].map((id) => reusables.get(id)!)
    fresh = await resolvedSources(
      db,
      revision,
      targets,
      named.map(({ document, path }) => ({ document, file: path })),
    )
    named.forEach(({ id }, index) => included.set(id, fresh[index]!))
  }
  const loaded = [main!, ...included.values()]
  return {
    page: main!,
    included,
    targets: await targetsOf(db, content, page, loaded),
    scope: scopeOf(ANONYMOUS, content.variables, page),
  }
}

function includedBy({ references }: ResolvedSource): string[] {
  const refs = [...references.values()]
  return refs.flatMap((ref) => (ref.kind === 'reusable-content' ? [ref.reusableContent] : []))
}

/** The targets of all references of a page and what it includes, except those that only a URL has. */
async function targetsOf(
  db: Reader,
  content: SiteContent,
  page: PageRecord,
  loaded: readonly ResolvedSource[],
): Promise<Map<string, ReferenceTarget>> {
  const refs = new Map<string, ContentRef>()
  for (const { references } of loaded)
    for (const ref of references.values()) if (ref.kind !== 'url') refs.set(referenceKey(ref), ref)
  const anchors = anchorFinder(loaded.flatMap((one) => one.anchors))
  const around = await surroundingsOf(db, content, page, [...refs.values()], anchors)
  const targets = new Map<string, ReferenceTarget>()
  for (const [key, ref] of refs) targets.set(key, targetOf(content, ref, around, anchors))
  return targets
}

function targetOf(
  content: SiteContent,
  ref: ContentRef,
  around: LinkSurroundings,
  own: FindAnchor,
): ReferenceTarget {
  // An anchor alone means this page, also in reusable content.
  if (ref.kind === 'anchor' && ref.page === undefined && ref.space === undefined)
    return { href: { href: `#${own(ref.anchor) ?? ref.anchor}` } }
  const href = linkTo(content, ref, around)
  const file = ref.kind === 'file' ? content.files.get(ref.file) : undefined
  if (!file) return { ...targetOfUrl(ref), href }
  const address = fileAddress(content, file)
  const { name, size, contentType, dimensions } = file
  return { href, image: { src: address, ...dimensions }, file: { href: address, name, size, contentType } }
}

async function surroundingsOf(
  db: Reader,
  { open, variant, tree, revision }: SiteContent,
  page: PageRecord,
  refs: readonly ContentRef[],
  own: FindAnchor,
): Promise<LinkSurroundings> {
  const named = refs.flatMap((ref) => (ref.kind === 'anchor' ? (tree.get(ref.page ?? '') ?? []) : []))
  const hashes = named.flatMap((target) => target.document ?? [])
  const links = await linksOfDocuments(db, revision.spaceId, hashes)
  const anchors = new Map(
    named.map(
      (target) => [target.id, anchorFinder(links.get(target.document ?? '')?.anchors ?? [])] as const,
    ),
  )
  anchors.set(page.id, own)

  const spaces = new Map<string, SiteContent>()
  for (const other of open.variants) {
    if (other === variant || !refs.some((ref) => 'space' in ref && ref.space === other.spaceId)) continue
    spaces.set(other.spaceId, await loadContent(db, open, other, variantAddress(open, other)))
  }
  return { anchors, spaces }
}
