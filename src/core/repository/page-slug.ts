import { slugify } from '../slug.ts'
import { folderOf, nameOf } from './paths.ts'

/** Longest slug that the API takes (api-facts 4.2). */
const longest = 100

/**
 * The slug that a page's file gives it: the name of the file, or of its folder where the file is the folder's page.
 * What the file name spells is kept (`update-from-v0.12`, `monitor_agent`), for published addresses follow it.
 */
export function slugOfFile(file: string, root: string): string {
  const folder = folderOf(file)
  const name = nameOf(file).replace(/\.(?:md|markdown)$/i, '')
  if (isFolderPage(file) && folder !== root && folder !== '') return cleanSlug(nameOf(folder))

  return cleanSlug(name)
}

/** True for the page that stands for its folder: `README.md`, `index.md`, `_index.md`. */
export function isFolderPage(file: string): boolean {
  return /^(?:readme|_?index)\.(?:md|markdown)$/i.test(nameOf(file))
}

/** Lower case, letters and digits of every script, `.`, `_`, `+` and `-`; never empty, never dots alone. */
export function cleanSlug(text: string): string {
  const slug = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}._+-]/gu, '')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+/, '')

  return withoutTail(slug.slice(0, longest)) || 'page'
}

/** The slug of a page or group that only its title names; never empty. */
export function slugOfTitle(title: string): string {
  return withoutTail(slugify(title).slice(0, longest)) || 'page'
}

/** A map from each slug that is taken among siblings to the number to try next. */
export type TakenSlugs = Map<string, number>

/** The slug, or the slug with the first free number: `setup`, `setup-1`. What is returned is taken from then on. */
export function takeSlug(slug: string, taken: TakenSlugs): string {
  let free = slug
  let number = taken.get(slug) ?? 0

  while (taken.has(free)) {
    number++
    const suffix = `-${number}`
    free = withoutTail(slug.slice(0, longest - suffix.length)) + suffix
  }
  taken.set(slug, number)
  taken.set(free, taken.get(free) ?? 0)

  return free
}

/** Without dashes, dots and half characters at the end. A loop, for /[-.]+$/ takes quadratic time on long runs. */
function withoutTail(slug: string): string {
  let end = slug.length
  while (end > 0 && /[-.\ud800-\udbff]/.test(slug[end - 1] ?? '')) end--

  return slug.slice(0, end)
}
