/** Makes one site of the documentation trees of a source: a section for each documentation, with its translations. */
import { shorten } from '../../core/text/shorten.ts'
import { type Call } from '../client.ts'
import { UsageError } from '../usage.ts'

/** What a tree is among the trees of a site. */
export interface TreeVariant {
  /** The trees of one documentation are its variants; they share a section. */
  documentation: string
  /** The path of its space in the section; without it, that of the title. */
  path?: string
  /** The name by which readers choose it, such as `Deutsch` or `2.x`. */
  name?: string
  /** Whether the section begins with it. Without one, it begins with English. */
  isFront?: boolean
  /** The path below which the site of its tool has its pages. */
  base?: string
}

/** A tree that was imported into a space. */
export interface SiteTree {
  spaceId: string
  title: string
  variant: TreeVariant
}

/** The trees of one documentation: its languages and versions. */
export interface TreeSection<T extends { variant: TreeVariant }> {
  documentation: string
  /** The one at the front comes first, because a section opens with its first space. */
  trees: T[]
}

const LONGEST_SITE_TITLE = 128
const LONGEST_SECTION_TITLE = 64
const AT_ONCE = 1000

/** Groups trees that differ only in their languages and versions. */
export function treeSections<T extends { variant: TreeVariant }>(trees: readonly T[]): TreeSection<T>[] {
  const groups = Map.groupBy(trees, ({ variant }) => variant.documentation)
  const isFirst = ({ variant: { isFront, path = '' } }: T) => isFront ?? /^en(?:-|$)/.test(path)
  return [...groups].map(([documentation, all]) => ({
    documentation,
    trees: all.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a))),
  }))
}

/** The title of a space among the variants of its documentation, so that readers can choose: "Acme (Deutsch)". */
export function variantTitle(title: string, { name }: Pick<TreeVariant, 'name'>, longest: number): string {
  const suffix = name === undefined || name === '' ? '' : ` (${shorten(name, MOST_OF_TITLE)})`
  return `${shorten(title, longest - suffix.length)}${suffix}`
}

/** The most characters of a title that are the name of a variant. */
const MOST_OF_TITLE = 25

/** The name of a language in itself. A project may write a language in a way that is no tag, which is the name then. */
export function nameInItself(tag: string): string {
  try {
    const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
  } catch (error) {
    if (error instanceof RangeError) return tag
    throw error
  }
}

interface SiteSpaceItem {
  id: string
  section?: string
  path: string
  space: { id: string }
}

type SiteItem = { id: string; published: boolean; urls: { published?: string } }

/**
 * Adds spaces to the site that has most of them, or to a new one, which is published. Spaces that the site has stay where
 * they are.
 * @returns the address of the site; undefined if it is not published
 */
export async function siteOfTrees(
  call: Call,
  organization: string,
  title: string,
  sections: readonly TreeSection<SiteTree>[],
): Promise<string | undefined> {
  const sites = `/orgs/${encodeURIComponent(organization)}/sites`
  const trees = sections.flatMap((section) => section.trees)
  const known = await siteWith(call, sites, trees)
  const named = title.length < 2 ? 'Documentation' : shorten(title, LONGEST_SITE_TITLE)
  const site = known ?? ((await call('POST', sites, { title: named })) as unknown as SiteItem)
  const at = `${sites}/${site.id}`
  for (const section of sections) await addSection(call, at, section, sections.length > 1)
  await redirectBases(call, at, trees)
  const { urls } = (known
    ? await call('GET', at)
    : await call('POST', `${at}/publish`)) as unknown as SiteItem
  return urls.published
}

/** The site that has most of these spaces. Of several, the oldest. */
async function siteWith(
  call: Call,
  sites: string,
  trees: readonly SiteTree[],
): Promise<SiteItem | undefined> {
  const found = new Map<string, { site: SiteItem; count: number }>()
  for (const { spaceId } of trees) {
    const { items } = await call('GET', `${sites}?space=${spaceId}&limit=${AT_ONCE}`)
    for (const site of items as SiteItem[]) {
      const known = found.get(site.id)
      found.set(site.id, { site, count: (known?.count ?? 0) + 1 })
    }
  }
  const [first] = [...found.values()].toSorted(
    (a, b) => b.count - a.count || (a.site.id < b.site.id ? -1 : 1),
  )
  return first?.site
}

async function addSection(
  call: Call,
  site: string,
  { trees }: TreeSection<SiteTree>,
  hasSections: boolean,
): Promise<void> {
  const { items } = await call('GET', `${site}/site-spaces?limit=${AT_ONCE}`)
  const all = items as SiteSpaceItem[]
  const shown = new Map(all.map((one) => [one.space.id, one]))
  const missing = trees.filter(({ spaceId }) => !shown.has(spaceId))
  const beside = trees.map(({ spaceId }) => shown.get(spaceId)).find((one) => one)
  let sectionId = beside?.section
  for (const tree of missing) {
    const isNewSection = hasSections && !beside && sectionId === undefined
    if (isNewSection) sectionId = await startSection(call, site, tree)
    else await addVariant(call, site, tree, sectionId)
  }
}

/** @returns the id of the section */
async function startSection(call: Call, site: string, tree: SiteTree): Promise<string> {
  const { spaceId, title } = tree
  const named = { spaceId, title: shorten(title, LONGEST_SECTION_TITLE) }
  const { id, siteSpaces } = await call('POST', `${site}/sections`, named)
  const [first] = siteSpaces as SiteSpaceItem[]
  if (first) await nameVariant(call, site, tree, first.id)
  return id as string
}

async function addVariant(
  call: Call,
  site: string,
  tree: SiteTree,
  sectionId: string | undefined,
): Promise<void> {
  const { id } = await call('POST', `${site}/site-spaces`, {
    spaceId: tree.spaceId,
    ...(sectionId === undefined ? {} : { sectionId }),
  })
  await nameVariant(call, site, tree, id as string)
}

/** Gives a space the path of its variant. If another space has it, this one keeps the path of its title. */
async function nameVariant(
  call: Call,
  site: string,
  { variant: { path } }: SiteTree,
  siteSpace: string,
): Promise<void> {
  if (path === undefined || path === '') return
  await call('PATCH', `${site}/site-spaces/${siteSpace}`, { path }).catch(orRefused)
}

/** Redirects the addresses that each variant had on the site of its tool, unless the site has these redirects. */
async function redirectBases(call: Call, site: string, trees: readonly SiteTree[]): Promise<void> {
  const based = trees.filter(
    ({ variant: { isFront = true, base = '', path } }) => !isFront && base !== '' && base !== path,
  )
  if (based.length === 0) return
  const { items } = await call('GET', `${site}/site-spaces?limit=${AT_ONCE}`)
  const ids = new Map((items as SiteSpaceItem[]).map((one) => [one.space.id, one.id]))
  for (const { spaceId, variant } of based) {
    const siteSpaceId = ids.get(spaceId)
    const redirect = {
      source: encodeURI(`/${variant.base}/*`),
      destination: { kind: 'site-space', siteSpaceId },
      captureWildcard: true,
      permanent: true,
    }
    if (siteSpaceId !== undefined) await call('POST', `${site}/redirects`, redirect).catch(orRefused)
  }
}

/** A site keeps what somebody has changed there since the first import. */
function orRefused(error: unknown): void {
  if (!(error instanceof UsageError)) throw error
}
