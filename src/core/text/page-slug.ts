import { LONGEST_SLUG, slugify, withoutTail } from './slug.ts'
import { folderOf, lastSegment } from './file-paths.ts'

/**
 * Derives the slug of a page from its file: the name of the file, or of its folder if the file is the page of the
 * folder. The slug keeps the spelling of the name (`update-from-v0.12`, `monitor_agent`), because published addresses
 * follow it.
 */
export function slugOfFile(file: string, root: string): string {
  const folder = folderOf(file)
  const name = lastSegment(file).replace(/\.(?:md|markdown)$/i, '')
  if (isFolderPage(file) && folder !== root && folder !== '') return cleanSlug(lastSegment(folder))

  return cleanSlug(name)
}

/** Returns true if a file is the page of its folder: `README.md`, `index.md`, `_index.md`. */
export function isFolderPage(file: string): boolean {
  return /^(?:readme|_?index)\.(?:md|markdown)$/i.test(lastSegment(file))
}

/** Keeps letters and digits of every script in lower case, `.`, `_`, `+` and `-`, also at the end. Never empty, never only dots. */
export function cleanSlug(text: string): string {
  const slug = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}._+-]/gu, '')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+/, '')

  return (slug.length > LONGEST_SLUG ? withoutTail(slug.slice(0, LONGEST_SLUG)) : slug) || 'page'
}

/** Derives the slug of a page or group without a file from its title. Never empty. */
export function slugOfTitle(title: string): string {
  return withoutTail(slugify(title).slice(0, LONGEST_SLUG)) || 'page'
}
