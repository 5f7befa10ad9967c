/** Renders the body of a page where it delays nobody. */
import { referenceKey } from '../../../core/document/links/references.ts'
import { html } from '../../../core/text/html.ts'
import { type BodyTask, targetOfUrl } from '../../../core/reading/body.ts'
import type { PageRecord } from '../../../core/content/revision.ts'
import type { PrintTask } from '../../../core/reading/print.ts'
import { proxiedSpecs } from '../../../model/openapi/stored-parts.ts'
import { inThread, type TaskKind, tookTooMuch } from '../../../model/content/in-thread.ts'
import { loadBody, visibleSource } from '../../../model/sites/published/content/body.ts'
import { workOn } from '../../../model/sites/published/content/body-sources.ts'
import { type Elsewhere, nameOtherSites } from '../../../model/sites/published/resolve/elsewhere.ts'
import type { SiteContent, SiteServices } from '../../../model/sites/published/content/site-content.ts'
import {
  codeKey,
  codeOfBody,
  type FeedEntry,
  renderBody,
  type RenderedBody,
  type RenderTask,
  updatesOfBody,
} from '../../render/body.ts'
import { wordsOf } from '../../render/words/choose.ts'
import type { ReadFileSpec } from '../../../model/openapi/file-specs.ts'
import type { Tools } from '../tools.ts'
import { ownPages } from './own-urls.ts'
import { languageOfSite } from '../../../model/sites/published/content/site-content.ts'

/** A page that takes longer is shown as its source. */
const TIME_MS = 10_000
/** So is a page with more HTML, in UTF-16 units. */
const MOST_HTML = 10_000_000

const module = new URL('../../render/body.ts', import.meta.url)
const RENDER_BODY: TaskKind<RenderTask, RenderedBody> = { module, name: 'renderBody', timeMs: TIME_MS }
const CODE_OF_BODY: TaskKind<RenderTask, ReturnType<typeof codeOfBody>> = {
  module,
  name: 'codeOfBody',
  timeMs: TIME_MS,
}
const UPDATES_OF_BODY: TaskKind<PrintTask & RenderTask, FeedEntry[]> = {
  module,
  name: 'updatesOfBody',
  timeMs: TIME_MS,
}

/**
 * The body of a page as HTML. It is not complete if some code is not highlighted yet, and holds as long as other sites
 * are as they were.
 */
export async function bodyOf(
  { db, urls, highlighter, readFile }: Pick<Tools, 'db' | 'urls' | 'highlighter' | 'readFile'>,
  content: SiteContent,
  page: PageRecord,
): Promise<RenderedBody & { complete: boolean; elsewhere?: Elsewhere }> {
  const { site, organizationHostname } = content.open
  const home = urls.site(site, organizationHostname)
  const task = await loadLook({ db, urls }, content, page, { home, readFile })
  const elsewhere = new Map<string, string>()
  await nameOtherSites({ db, urls }, content.open, task, elsewhere)
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
    return rendered.html.length > MOST_HTML ? asSource(task) : { ...rendered, complete, elsewhere }
  } catch (error) {
    if (tookTooMuch(error)) return asSource(task)
    throw error
  }
}

/** The dated entries of a page that a visitor may see; none if finding them takes too long. */
export async function updatesOf(
  services: SiteServices,
  content: SiteContent,
  page: PageRecord,
  home: string,
): Promise<FeedEntry[]> {
  const task = await loadLook(services, content, page)
  const printing = { ...task, title: page.title, base: content.open.base, home }
  try {
    return await inThread(UPDATES_OF_BODY, updatesOfBody, printing, workOn(services.db, content, task))
  } catch (error) {
    if (tookTooMuch(error)) return []
    throw error
  }
}

function hasCode({ page, included, specs, legacy }: RenderTask): boolean {
  if (specs.size > 0 || legacy) return true
  return [page, ...included.values()].some(({ source }) => /```|~~~|\{%\s*code|<pre/i.test(source))
}

function asSource({ page, language }: RenderTask): RenderedBody & { complete: boolean } {
  const body = html`<p><em>${wordsOf(language).content.takesTooLong}</em></p>
    <pre><code>${visibleSource(page)}</code></pre>`
  return { html: String(body), outline: [], needs: [], complete: true }
}

/** Gives the full URLs of the site itself the titles of their pages. */
async function nameOwnPages(
  services: SiteServices,
  content: SiteContent,
  { page, included, targets }: BodyTask,
  home: string,
): Promise<void> {
  const named = [page, ...included.values()].flatMap(({ references }) => [...references.values()])
  const own = named.flatMap((ref) => (ref.kind === 'url' ? [ref.url] : []))
  for (const [url, href] of await ownPages(services, content, own, home))
    targets.set(referenceKey({ kind: 'url', url }), { ...targetOfUrl({ kind: 'url', url }), href })
}

/**
 * Loads the content that a body shows, and the settings of the site that its HTML depends on.
 * @param home the public URL of the site, to give its own full URLs titles
 * @param readFile reads specifications that are files of the space
 */
async function loadLook(
  services: SiteServices,
  content: SiteContent,
  page: PageRecord,
  { home, readFile }: { home?: string; readFile?: ReadFileSpec | undefined } = {},
): Promise<RenderTask> {
  const { externalLinks, styling } = content.customization
  const task = await loadBody(services, content, page, readFile)
  if (home !== undefined) await nameOwnPages(services, content, task, home)
  return {
    ...task,
    title: page.title,
    language: languageOfSite(content),
    newWindow: externalLinks.target === 'blank',
    proxied: await proxiedSpecs(services.db, content.open.site.organizationId, [...task.specs.keys()]),
    icons: styling.icons,
  }
}
