/** Returns the folder of a path, without a trailing slash. Empty at the top level. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')

  return slash === -1 ? '' : path.slice(0, slash)
}

/** Returns the last segment of a path. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Joins a path to a folder and resolves `.` and `..`. Returns undefined if the result is outside the repository. */
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

/** Returns true for `https:`, `mailto:` and similar schemes, and for `//host`. */
export function isAbsoluteAddress(address: string): boolean {
  return address.startsWith('//') || /^[a-z][a-z0-9+.-]{1,63}:/i.test(address)
}

/** Returns true for a valid URL with the scheme http or https, as a redirect to another host needs. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address)
}

/** Returns true if the name is that of a Markdown file. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path)
}

/** Returns true for every path in the folder, at any depth. The empty folder contains every path. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** Returns the path of a file relative to a folder that it is below. */
export function pathBelow(path: string, folder: string): string {
  return folder === '' ? path : path.slice(folder.length + 1)
}

/** Returns true if the file or one of its folders is hidden: its name starts with a dot. */
export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.')
}

/** Whether a file is never documentation of its archive: it is hidden, or belongs to another package. */
export function isLeftAlone(path: string): boolean {
  return isHidden(path) || /(?:^|\/)node_modules\//.test(path)
}

/** Percent-decodes an address. Returns it unchanged if it contains stray percent signs. */
export function decodeAddress(address: string): string {
  if (!address.includes('%')) return address

  try {
    return decodeURIComponent(address)
  } catch {
    // "100%.md" is a valid file name that is not percent-encoded.
    return address
  }
}

/** Makes a title from the name of a file or folder: `getting-started.md` becomes "Getting started". */
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

/** Words in folder names that are usually written in upper case. */
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

/** Compares names in natural order: `2-setup` before `10-usage`, and case is ignored. */
export function compareNames(a: string, b: string): number {
  const order = naturalOrder.compare(a, b)
  if (order !== 0) return order

  return a < b ? -1 : Number(a > b)
}

const naturalOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
