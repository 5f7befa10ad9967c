import { hash } from 'node:crypto'
import { folderOf, joinPath } from '../text/file-paths.ts'

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'image/bmp': 'bmp',
}

/** Stores the image in a `data:` address beside a page. @returns its path; undefined if it is no image */
export function storeDataUrl(
  address: string,
  page: string,
  files: Map<string, Uint8Array>,
): string | undefined {
  const comma = address.indexOf(',')
  const head = address.slice(0, Math.max(0, comma)).trim().toLowerCase()
  const type = /^data:(image\/[\w.+-]{1,30})(?:;[^,]{0,100})?$/.exec(head)?.[1]
  if (type === undefined || !Object.hasOwn(EXTENSIONS, type)) return undefined
  const data = address.slice(comma + 1)
  const bytes = head.endsWith(';base64') ? Buffer.from(data, 'base64') : Buffer.from(decoded(data))
  return storeImage(bytes, EXTENSIONS[type]!, page, files)
}

/** Stores an image that is part of a page, once even if the page shows it several times. @returns its path */
export function storeImage(
  bytes: Uint8Array,
  extension: string,
  page: string,
  files: Map<string, Uint8Array>,
): string | undefined {
  if (bytes.length === 0) return undefined
  const name = `images/${hash('sha1', bytes).slice(0, 16)}.${extension}`
  const path = joinPath(folderOf(page), name)
  if (path !== undefined) files.set(path, bytes)
  return path
}

/** The extension of an image of this type; undefined for a type that pages do not show. */
export function imageExtension(type: string): string | undefined {
  return Object.hasOwn(EXTENSIONS, type) ? EXTENSIONS[type] : undefined
}

function decoded(data: string): string {
  try {
    return decodeURIComponent(data)
  } catch {
    return data
  }
}
