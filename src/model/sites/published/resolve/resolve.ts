import { prepare } from '../../../../db/prepare.ts'
import type { RedirectMatch } from '../../../../core/web/redirect-table.ts'
import type { Reader } from '../../../../db/schema.ts'
import { FORMER_DEFAULT } from '../../redirects/path-segments.ts'
import { OF_SPACE, type RedirectRule, redirectsOfSite } from '../../redirects/site-redirect.ts'
import type { OpenSite, ServedSite, Variant } from '../open-site.ts'

/** A space that a path within a site may belong to, and the rest of the path. */
export interface PathMatch {
  variant: Variant
  rest: string
  /** The path of the space on its host, with slashes at both ends. */
  base: string
  /** The path is not the one that links use: it names a default, or has other capitals. */
  moved: boolean
}

/**
 * The spaces that a path may belong to, the most likely first: a section or variant that it names, a page of a default
 * whose path begins with the same word, and last a default that it names although it has no segment.
 */
export function matchesOf(open: Pick<ServedSite, 'base' | 'variants'>, path: string): PathMatch[] {
  const names = path.split('/').map((segment) => decodePath(segment).toLowerCase())
  const sections = sectionsOf(open)
  const [main] = [sections.find(({ isDefault }) => isDefault) ?? sections[0]]
  const named = sections.find((section) => section !== main && isNamed(section.path, names[0]))

  const inSection = (id: string | undefined, from: number): PathMatch[] => {
    const inside = open.variants.filter(({ section }) => section?.id === id)
    const first = inside.find(({ isDefault }) => isDefault) ?? inside[0]
    const other = inside.find((variant) => variant !== first && isNamed(variant.path, names[from]))
    const called = first && isNamed(first.path, names[from]) ? first : undefined
    return [
      ...(other ? [placeAt(open, path, other, from + 1)] : []),
      ...(first ? [placeAt(open, path, first, from)] : []),
      ...(called ? [placeAt(open, path, called, from + 1)] : []),
    ]
  }
  return [
    ...(named ? inSection(named.id, 1) : []),
    ...inSection(main?.id, 0),
    ...(main && isNamed(main.path, names[0]) ? inSection(main.id, 1) : []),
  ]
}

/** The space that a path within a site belongs to, as far as its words tell. */
export function firstMatch(open: Pick<ServedSite, 'base' | 'variants'>, path: string): PathMatch | undefined {
  return matchesOf(open, path)[0]
}

function placeAt(open: Pick<ServedSite, 'base'>, path: string, variant: Variant, from: number): PathMatch {
  const segments = path.split('/')
  const given = segments.slice(0, from).map((segment) => `${segment}/`)
  return {
    variant,
    rest: segments.slice(from).join('/'),
    base: open.base + variant.home,
    moved: given.join('') !== variant.home,
  }
}

/** The sections of a site that have a space, in reading order. */
function sectionsOf({ variants }: Pick<ServedSite, 'variants'>) {
  return [...new Map(variants.flatMap(({ section }) => (section ? [[section.id, section]] : []))).values()]
}

const isNamed = (path: string, name: string | undefined) => name !== undefined && path.toLowerCase() === name

/** The former paths of sections and spaces of a site. */
const oldPaths = prepare((db, argument) =>
  db
    .selectFrom('siteOldPath')
    .select(['sectionId', 'path', 'kind', 'targetId'])
    .where('siteId', '=', argument(0)),
)

/** The path of the site that a path with former names of sections or spaces leads to now. */
export async function renamedPath(
  db: Reader,
  open: Pick<ServedSite, 'site' | 'variants'>,
  path: string,
): Promise<string | undefined> {
  const known = await oldPaths(db, open.site.id)
  if (known.length === 0) return undefined
  const segments = path.split('/')
  const names = segments.map((segment) => decodePath(segment).toLowerCase())
  const find = (sectionId: string, name: string | undefined, kind: string) =>
    known.find((old) => old.sectionId === sectionId && old.path === name && old.kind === kind)?.targetId

  const sections = sectionsOf(open)
  const main = sections.find(({ isDefault }) => isDefault)
  const oldSection = find('', names[0], 'site-section')
  const section =
    sections.find(({ id }) => id === oldSection) ??
    sections.find((one) => one !== main && isNamed(one.path, names[0]))
  const from = section ? 1 : 0
  const inside = open.variants.filter((variant) => variant.section?.id === (section ?? main)?.id)
  const target = find((section ?? main)?.id ?? '', names[from], 'site-space')
  const renamed = inside.find(({ siteSpaceId }) => siteSpaceId === target)
  if (renamed) return renamed.home + segments.slice(from + 1).join('/')
  if (!section || section.id !== oldSection) return undefined
  const variant =
    inside.find((one) => !one.isDefault && isNamed(one.path, names[1])) ??
    inside.find(({ isDefault }) => isDefault)
  return variant && variant.home + segments.slice(variant.isDefault ? 1 : 2).join('/')
}

/**
 * The paths that a path had in mind which was made when another section or space was the default: it names neither, because
 * a default has no segment. Whoever asks takes the first that has a page.
 */
export async function formerDefaultPaths(
  db: Reader,
  open: Pick<ServedSite, 'site' | 'variants'>,
  path: string,
): Promise<string[]> {
  const known = (await oldPaths(db, open.site.id)).filter((old) => old.path.startsWith(FORMER_DEFAULT))
  if (known.length === 0) return []
  const segments = path.split('/')
  const names = segments.map((segment) => decodePath(segment).toLowerCase())
  const rest = (from: number) => segments.slice(from).join('/')
  const wereDefault = (level: string, kind: string) =>
    new Set(known.filter((old) => old.sectionId === level && old.kind === kind).map((old) => old.targetId))

  const sections = sectionsOf(open)
  const main = sections.find(({ isDefault }) => isDefault)
  const named = sections.find((one) => one !== main && isNamed(one.path, names[0]))
  /** The paths in a section, whose own segments end at `from`. */
  const inSection = (id: string | undefined, from: number, isFormer: boolean): string[] => {
    const inside = open.variants.filter(({ section }) => section?.id === id)
    const first = inside.find(({ isDefault }) => isDefault) ?? inside[0]
    const other = inside.find((variant) => variant !== first && isNamed(variant.path, names[from]))
    const former = wereDefault(id ?? '', 'site-space')
    return [
      ...(isFormer && other ? [other.home + rest(from + 1)] : []),
      ...(isFormer && first ? [first.home + rest(from)] : []),
      ...inside
        .filter(({ siteSpaceId }) => former.has(siteSpaceId) && siteSpaceId !== first?.siteSpaceId)
        .map(({ home }) => home + rest(from)),
    ]
  }
  const formerSections = wereDefault('', 'site-section')
  return [
    ...(named ? inSection(named.id, 1, false) : []),
    ...inSection(main?.id, 0, false),
    ...sections
      .filter((one) => one !== main && formerSections.has(one.id))
      .flatMap(({ id }) => inSection(id, 0, true)),
  ]
}

/** A way in which a path of a site leads to something. */
export type PathWay =
  | { kind: 'redirect'; match: RedirectMatch<RedirectRule> }
  | { kind: 'place' | 'renamed' | 'former-default'; path: string }

/**
 * The ways in which a path of a site leads to something, in the order that every reader of paths follows: the redirect from
 * exactly this path, unless a page is there; what is there; the path with the present names of its sections and spaces; the
 * paths of the pages that it named when another space was the default; and the redirect of all below a path.
 * @param isPage whether the reader sees a page at a path
 */
export async function* waysAt(
  db: Reader,
  site: Pick<ServedSite, 'site' | 'variants'> & Partial<Pick<OpenSite, 'visit'>>,
  path: string,
  isPage: (path: string) => Promise<boolean>,
): AsyncGenerator<PathWay, undefined> {
  const redirects = await redirectsOfSite(db, site.site, { drafts: site.visit?.preview !== undefined })
  const exact = redirects.exact(path)
  if (exact && !(await isPage(path))) yield { kind: 'redirect', match: exact }
  yield { kind: 'place', path }
  const now = await renamedPath(db, site, path)
  if (now !== undefined) yield { kind: 'renamed', path: now }
  for (const former of await formerDefaultPaths(db, site, path))
    yield { kind: 'former-default', path: former }
  // Below `~`, a space has style sheets, files and previews.
  const wildcard = OF_SPACE.test(path) ? undefined : redirects.wildcard(path)
  if (wildcard) yield { kind: 'redirect', match: wildcard }
  return undefined
}

/**
 * Decodes the segments of a path. A path that is not valid percent-encoding, or that has the character NUL, which
 * PostgreSQL refuses in a query, is returned as it is: nothing has it.
 */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    const decoded = path.split('/').map(decodeURIComponent).join('/')
    return decoded.includes('\0') ? path : decoded
  } catch {
    return path
  }
}
