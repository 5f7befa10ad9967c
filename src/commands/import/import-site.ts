/** Makes one site of the documentation trees of a source: a section for each documentation, with its translations. */
import { translationOf } from '../../core/repository/trees.ts'
import { shorten } from '../../core/text/shorten.ts'
import { type Call } from '../client.ts'
import { UsageError } from '../usage.ts'

/** A tree that was imported into a space. */
export interface SiteTree {
  folder: string
  spaceId: string
  title: string
}

/** The trees of one documentation: translations of each other. */
export interface TreeSection<T extends { folder: string }> {
  documentation: string
  /** English comes first, because a section opens with its first space. */
  trees: T[]
}

const LONGEST_SITE_TITLE = 128
const LONGEST_SECTION_TITLE = 64
const AT_ONCE = 1000

/** Groups trees that differ only in the languages of their folders, in the order of the folders. */
export function treeSections<T extends { folder: string }>(trees: readonly T[]): TreeSection<T>[] {
  const groups = Map.groupBy(trees, ({ folder }) => translationOf(folder).documentation)
  const isEnglish = ({ folder }: T) => /^en(?:-|$)/.test(translationOf(folder).tag ?? '')
  return [...groups].map(([documentation, all]) => ({
    documentation,
    trees: all.toSorted((a, b) => Number(isEnglish(b)) - Number(isEnglish(a))),
  }))
}

/** The title of a space among its translations, so that readers can choose between them: "Acme (Deutsch)". */
export function variantTitle(title: string, folder: string, longest: number): string {
  const { tag } = translationOf(folder)
  const suffix = tag === undefined ? '' : ` (${languageName(tag)})`
  return `${shorten(title, longest - suffix.length)}${suffix}`
}

/** The name of a language in itself. */
function languageName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
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
  const known = await siteWith(
    call,
    sites,
    sections.flatMap(({ trees }) => trees),
  )
  const named = title.length < 2 ? 'Documentation' : shorten(title, LONGEST_SITE_TITLE)
  const site = known ?? ((await call('POST', sites, { title: named })) as unknown as SiteItem)
  const at = `${sites}/${site.id}`
  for (const section of sections) await addSection(call, at, section, sections.length > 1)
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

/** Gives a translation the path of its language. If another space has it, this one keeps the path of its title. */
async function nameVariant(call: Call, site: string, { folder }: SiteTree, siteSpace: string): Promise<void> {
  const { tag } = translationOf(folder)
  if (tag === undefined) return
  await call('PATCH', `${site}/site-spaces/${siteSpace}`, { path: tag }).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
  })
}
