/** The folder of a path, without a trailing slash; empty at the top. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')

  return slash === -1 ? '' : path.slice(0, slash)
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Joins a path to a folder and removes `.` and `..`; undefined when the path leaves the repository. */
export function joinPath(folder: string, path: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/')

  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.length === 0) return undefined
      parts.pop()
      continue
    }
    parts.push(part)
  }

  return parts.join('/')
}

/** True for `https:`, `mailto:` and the like, and for `//host`. */
export function isAbsoluteAddress(address: string): boolean {
  return address.startsWith('//') || /^[a-z][a-z0-9+.-]{1,63}:/i.test(address)
}

/** True for a Markdown file by its name. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path)
}

/** True for every path in the folder, at any depth; the empty folder holds all. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** True where a folder on the way, or the file, is hidden by its leading dot. */
export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.')
}

/** Percent-decodes what can be decoded and leaves an address with stray percent signs as it is. */
export function decodeAddress(address: string): string {
  if (!address.includes('%')) return address

  try {
    return decodeURIComponent(address)
  } catch {
    // "100%.md" is a legal file name and not an encoded one.
    return address
  }
}

/** A title from a file or folder name: `getting-started.md` is "Getting started". */
export function titleOfName(name: string): string {
  const words = name
    .replace(/\.(?:md|markdown)$/i, '')
    .replace(/[-_\s]+/g, ' ')
    .trim()
  if (words === '') return name
  const title = words.replace(/[a-z]+/gi, (word) =>
    abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word,
  )

  return title.charAt(0).toUpperCase() + title.slice(1)
}

/** Words of folder names that nobody writes in lower case. */
const abbreviations = new Set([
  'api',
  'cli',
  'css',
  'faq',
  'html',
  'http',
  'json',
  'rest',
  'sdk',
  'sql',
  'ui',
  'url',
])

/** Orders names as a reader expects: `2-setup` before `10-usage`, upper and lower case together. */
export function compareNames(a: string, b: string): number {
  const order = naturalOrder.compare(a, b)
  if (order !== 0) return order

  return a < b ? -1 : Number(a > b)
}

const naturalOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
