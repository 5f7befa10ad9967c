import { Mime } from 'mime'
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'

const TEXT = 'text/plain; charset=utf-8'
const BYTES = 'application/octet-stream'

// Some extensions have several registered types or none. These are the types that browsers know.
const types = () =>
  (registry ??= new Mime(standardTypes, otherTypes).define(
    {
      'image/jpeg': ['jfif'],
      'image/x-icon': ['ico'],
      'video/mp4': ['m4v'],
      'application/gzip': ['tgz'],
      'application/yaml': ['yaml', 'yml'],
    },
    true,
  ))

let registry: Mime | undefined

/** Source files. Most have no registered type, and some have the extension of another format, such as `ts` and `rs`. */
const SOURCES = new Set(
  `txt log html htm xhtml xml xsl js mjs cjs css ts jsx tsx cs java kt go rs py rb php c h cpp swift sh bat ps1 sql toml
  ini conf cfg env proto graphql tf drawio puml mmd`.split(/\s+/),
)

/** The types that a file keeps. None of them runs in the origin of a page when `nosniff` is set. */
const KEPT =
  /^(?:(?:image|audio|video|font)\/[\w.+-]+|text\/(?:csv|markdown|tab-separated-values)|application\/(?:pdf|json|yaml|rtf|msword|zip|gzip|x-(?:7z-compressed|bzip2|tar|xz)|vnd\.(?:ms-(?:excel|powerpoint)|openxmlformats-officedocument\.[\w.-]+|oasis\.opendocument\.[\w.-]+)))$/

/** The types of text that browsers and other programs run or parse: scripts, style sheets and markup. */
const TEXTUAL = /^(?:text\/|application\/(?:(?:java|ecma)script|(?:[\w.-]+\+)?xml)$)/

/**
 * The content type that a file is stored and served with, by its name. Markup, scripts and source files are plain text,
 * and a file of an unknown type is a download, so that no file runs in the origin of a page when `nosniff` is set. SVG
 * keeps its type, because images need it; its responses have a `sandbox` policy.
 */
export function contentTypeOf(name: string): string {
  return namedType(name) ?? BYTES
}

/** Facts about a file other than its name. */
interface Known {
  /** The type that the client declared. */
  declared?: string | undefined
  /** The type that the first bytes indicate (`signature.ts`). */
  shown?: string | undefined
}

/**
 * Chooses the content type of a file from its name, its bytes and the declared type. If the bytes contradict the name
 * of a binary format, the bytes decide. If neither the name nor the bytes give a type, the declared type decides.
 */
export function contentTypeFor(name: string, { declared = '', shown }: Known): string {
  const named = namedType(name)
  if (shown !== undefined && !fits(shown, named)) return shown
  if (named !== undefined) return named

  const [type = ''] = declared.toLowerCase().split(';')
  const isRegistered = types().getExtension(type.trim()) !== null
  return (isRegistered ? servedType(type.trim()) : undefined) ?? (TEXTUAL.test(type.trim()) ? TEXT : BYTES)
}

/** Returns true if a file with this name can have these bytes: the same type, a similar format, or text. */
function fits(shown: string, named: string | undefined): boolean {
  if (named === undefined) return false
  if (named === shown || named.startsWith('text/')) return true
  return ALIKE.some((group) => group.includes(named) && group.includes(shown))
}

const ALIKE = [
  ['image/png', 'image/apng'],
  ['image/heic', 'image/avif'],
  ['video/mp4', 'video/quicktime', 'audio/mp4'],
  ['video/webm', 'audio/webm'],
  ['audio/ogg', 'video/ogg'],
]

/** Returns true if the name has an extension that files in documentation have. A link to it is a link to a file. */
export function hasFileExtension(name: string): boolean {
  const extension = extensionOf(name)
  return SOURCES.has(extension) || KEPT.test(types().getType(extension) ?? '')
}

function namedType(name: string): string | undefined {
  const extension = extensionOf(name)
  if (SOURCES.has(extension)) return TEXT
  const type = types().getType(extension)
  return type === null ? undefined : servedType(type)
}

/** The type to serve a file of a registered type with; undefined if it is served as a download. */
function servedType(type: string): string | undefined {
  if (KEPT.test(type)) return type.startsWith('text/') ? `${type}; charset=utf-8` : type
  return TEXTUAL.test(type) ? TEXT : undefined
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')

  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
}
