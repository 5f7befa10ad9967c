/** Loads what the body of a page shows to a reader of a site, and makes texts of it where that delays nobody. */
import { scopeOf } from '../../../../access/visitors/visitors.ts'
import type { ContentRef, Document } from '../../../../core/document/model.ts'
import { referenceKey } from '../../../../core/document/links/references.ts'
import { anchorFinder, type FindAnchor } from '../../../../core/document/html/anchors.ts'
import { unconditionalText } from '../../../../core/document/markdown/reading.ts'
import type { PageRecord, ReusableRecord } from '../../../../core/content/revision.ts'
import {
  type BodySource,
  type BodyTask,
  type ReferenceTarget,
  targetOfUrl,
} from '../../../../core/reading/body.ts'
import { operationsOfBody, printBody, type PrintTask, readBody } from '../../../../core/reading/print.ts'
import { attributeUrls, descriptionsNaming, urlsOfDescriptions } from '../../../../core/reading/full-urls.ts'
import { wantedIn } from '../../../../core/openapi/described.ts'
import { hasLegacyBlocks } from '../../../../core/openapi/legacy.ts'
import { MOST_TRIED_EXAMPLES, operationToTry, type TryOperation } from '../../../../core/openapi/try-it.ts'
import { unavailable } from '../../../../http/errors.ts'
import { fromJson } from '../../../../http/response/json-parts.ts'
import { inThread, type TaskKind, tookTooMuch } from '../../../content/in-thread.ts'
import type { ReadFileSpec } from '../../../openapi/file-specs.ts'
import { loadParts } from '../../../openapi/stored-parts.ts'
import type { ResolvedSource } from '../../../content/resolved-source.ts'
import { linksOfDocuments } from '../../../content/stored-links.ts'
import {
  fileAddress,
  linkTo,
  type LinkSurroundings,
  loadContent,
  type SiteContent,
  type SiteServices,
  variantAddress,
} from './site-content.ts'
import { nameOtherSites } from '../resolve/elsewhere.ts'
import { decideOwnUrls, type OwnUrls } from './hidden-urls.ts'
import { URLS_OF_DESCRIPTIONS } from './described-urls.ts'
import { loadLegacySpecs } from './legacy-specs.ts'
import { namesOfMentioned } from './mentioned-users.ts'
import { loadSources, workOn } from './body-sources.ts'
import { because } from '../../../../core/languages/reasons.ts'

/** A page that takes longer is shown as its source. */
const TIME_MS = 10_000
/** A page that is shown as its source shows so many characters of it. */
const MOST_SOURCE = 200_000

const module = new URL('../../../../core/reading/print.ts', import.meta.url)
const PRINT_BODY: TaskKind<PrintTask, string> = { module, name: 'printBody', timeMs: TIME_MS }
const READ_BODY: TaskKind<PrintTask, string> = { module, name: 'readBody', timeMs: TIME_MS }

/**
 * The Markdown of a page as a visitor may see it.
 * @param home the public URL of the site's base
 * @param others for links to other sites, with what the text shows of them so far; absent to leave these links out
 */
export async function markdownOf(
  services: SiteServices,
  content: SiteContent,
  page: PageRecord,
  home: string,
  others?: { elsewhere: Map<string, string>; readFile?: ReadFileSpec | undefined },
): Promise<string> {
  const task = await printingOf(services, content, page, home, others?.readFile)
  if (others) await nameOtherSites(services, content.open, task, others.elsewhere)
  try {
    return await inThread(PRINT_BODY, printBody, task, workOn(services.db, content, task))
  } catch (error) {
    if (tookTooMuch(error)) return visibleSource(task.page)
    throw error
  }
}

/** The document of a page as a visitor may see it, as JSON. @throws 503 if it takes too long to read */
export async function visibleDocumentOf(
  services: SiteServices,
  content: SiteContent,
  page: PageRecord,
  home: string,
): Promise<Document> {
  return readVisible(services, content, await printingOf(services, content, page, home))
}

/** The document of a reusable content as a visitor may see it where a page includes it. @throws 503 if it takes too long */
export async function visibleReusableOf(
  services: SiteServices,
  content: SiteContent,
  { id, title, document, path }: ReusableRecord,
  home: string,
): Promise<Document> {
  const page = {
    id,
    type: 'document' as const,
    parent: null,
    order: '',
    title,
    slug: '',
    createdAt: '',
    updatedAt: '',
  }
  const place = { ...page, ...(document === undefined ? {} : { document }), file: path }
  const task = await printingOf(services, content, place, home)
  return readVisible(services, content, { ...task, isReusable: true })
}

async function readVisible(services: SiteServices, content: SiteContent, task: PrintTask): Promise<Document> {
  try {
    return fromJson(await inThread(READ_BODY, readBody, task, workOn(services.db, content, task)))
  } catch (error) {
    throw tookTooMuch(error) ? unavailable(because('read-too-slow')) : error
  }
}

const OPERATIONS_OF_BODY: TaskKind<PrintTask, ReturnType<typeof operationsOfBody>> = {
  module,
  name: 'operationsOfBody',
  timeMs: TIME_MS,
}

/** An operation that a visitor sees on a page, and can try; undefined for others. */
export async function operationOnPage(
  services: SiteServices,
  content: SiteContent,
  page: PageRecord,
  wanted: { spec: string; path: string; method: string },
): Promise<TryOperation | undefined> {
  const { spec, path, method } = wanted
  const task = await printingOf(services, content, page, '')
  try {
    const seen = await inThread(
      OPERATIONS_OF_BODY,
      operationsOfBody,
      task,
      workOn(services.db, content, task),
    )
    const isSame = (one: typeof wanted) =>
      one.spec === spec && one.path === path && one.method.toLowerCase() === method.toLowerCase()
    const parts = seen.some(isSame) ? task.specs.get(spec) : undefined
    return parts && operationToTry(parts, { path, method }, { schemas: MOST_TRIED_EXAMPLES })
  } catch (error) {
    if (tookTooMuch(error)) return undefined
    throw error
  }
}

async function printingOf(
  services: SiteServices,
  content: SiteContent,
  page: PageRecord,
  home: string,
  readFile?: ReadFileSpec,
): Promise<PrintTask> {
  const { title, description } = page
  return {
    ...(await loadBody(services, content, page, readFile)),
    title,
    description,
    base: content.open.base,
    home,
  }
}

/** The part of a source that is under no condition, for a page that takes too long. */
export function visibleSource({ source }: BodySource): string {
  return unconditionalText(source).slice(0, MOST_SOURCE)
}

/**
 * Loads everything that the body of a page shows to the reader of the content.
 * @param readFile reads specifications that are files of the space; if absent, the body only names their operations
 */
export async function loadBody(
  services: SiteServices,
  content: SiteContent,
  page: PageRecord,
  readFile?: ReadFileSpec,
): Promise<BodyTask> {
  const { db } = services
  const { page: main, included } = await loadSources(db, content.open.site, content, page)
  const loaded = [main, ...included.values()]
  const sources = loaded.map(({ source }) => source)
  const legacy = sources.some(hasLegacyBlocks)
    ? await loadLegacySpecs(db, content, loaded, readFile)
    : undefined
  const wanted = [...wantedIn(sources), ...(legacy?.wanted ?? [])]
  const specs = await loadParts(db, content.open.site.organizationId, wanted)
  for (const [name, parts] of legacy?.specs ?? []) specs.set(name, parts)
  const task = {
    page: main,
    included,
    ...(await targetsOf(services, content, page, loaded)),
    specs,
    ...(legacy ? { legacy: legacy.names } : {}),
    scope: scopeOf(content.open.visit.visitor, content.variables, page),
  }
  return withDescribedUrls(services, content, task)
}

/** Adds the targets of URLs of the site in descriptions. If finding them takes too long, they are shown as text. */
async function withDescribedUrls(
  { db, urls }: SiteServices,
  { open, variant }: SiteContent,
  task: BodyTask,
): Promise<BodyTask> {
  const texts = descriptionsNaming(task.specs, task.own ?? [])
  if (texts.length === 0) return task
  try {
    const work = { db, spaceId: variant.spaceId, sources: texts }
    const named = await inThread(URLS_OF_DESCRIPTIONS, urlsOfDescriptions, texts, work)
    const targets = new Map(task.targets)
    addOwnUrls(targets, await decideOwnUrls({ db, urls }, open, named))
    return { ...task, targets }
  } catch (error) {
    if (tookTooMuch(error)) return task
    throw error
  }
}

/** The targets of all references of a page and what it includes, except those that only a URL has. */
async function targetsOf(
  services: SiteServices,
  content: SiteContent,
  page: PageRecord,
  loaded: readonly ResolvedSource[],
): Promise<Pick<BodyTask, 'targets' | 'own'>> {
  const refs = new Map<string, ContentRef>()
  const named = new Set<string>()
  for (const { references } of loaded)
    for (const ref of references.values()) {
      if (ref.kind === 'url') named.add(ref.url)
      else refs.set(referenceKey(ref), ref)
    }
  for (const { source } of loaded) for (const url of attributeUrls(source)) named.add(url)
  const anchors = anchorFinder(loaded.flatMap((one) => one.anchors))
  const around = await surroundingsOf(services, content, page, [...refs.values()], anchors)
  const targets = new Map<string, ReferenceTarget>()
  const names = await namesOfMentioned(services.db, content.open.site.organizationId, refs.values())
  for (const [key, ref] of refs) {
    const person = ref.kind === 'user' ? names.get(ref.user) : undefined
    targets.set(key, person === undefined ? siteTarget(content, ref, around, anchors) : { person })
  }
  const decided = await decideOwnUrls(services, content.open, named)
  addOwnUrls(targets, decided)
  return { targets, own: decided.places }
}

/** Adds the targets of URLs of the site. One that the reader may not follow has none. */
function addOwnUrls(targets: Map<string, ReferenceTarget>, { seen, hidden }: OwnUrls): void {
  for (const url of seen) targets.set(referenceKey({ kind: 'url', url }), targetOfUrl({ kind: 'url', url }))
  for (const url of hidden) targets.set(referenceKey({ kind: 'url', url }), {})
}

function siteTarget(
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
  services: SiteServices,
  { open, variant, tree, revision }: SiteContent,
  page: PageRecord,
  refs: readonly ContentRef[],
  own: FindAnchor,
): Promise<LinkSurroundings> {
  const named = refs.flatMap((ref) => (ref.kind === 'anchor' ? (tree.get(ref.page ?? '') ?? []) : []))
  const hashes = named.flatMap((target) => target.document ?? [])
  const links = await linksOfDocuments(services.db, revision.spaceId, hashes)
  const anchors = new Map(
    named.map(
      (target) => [target.id, anchorFinder(links.get(target.document ?? '')?.anchors ?? [])] as const,
    ),
  )
  anchors.set(page.id, own)

  const spaces = new Map<string, SiteContent>()
  for (const other of open.variants) {
    if (other === variant || !refs.some((ref) => 'space' in ref && ref.space === other.spaceId)) continue
    spaces.set(other.spaceId, await loadContent(services, open, other, variantAddress(open, other)))
  }
  return { anchors, spaces }
}
