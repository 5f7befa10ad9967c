/**
 * The content type that a file is stored and served with, by its name. None of them runs in the origin of a page
 * when `nosniff` is set: markup and scripts are plain text, and what is not listed is a download.
 * SVG keeps its type, for images need it; whoever serves it adds a `sandbox` policy.
 */
export function contentTypeOf(name: string): string {
  return contentTypes.get(extensionOf(name)) ?? 'application/octet-stream'
}

/** What is known of a file's type beside its name. */
interface Known {
  /** What whoever sent it says. */
  declared?: string | undefined
  /** What its bytes show (`signature.ts`). */
  shown?: string | undefined
}

/**
 * The same for a file of which more is known. Its bytes count where the name says something else that is not text; what
 * it was declared to be counts where neither says anything, and nothing runs by it.
 */
export function contentTypeFor(name: string, { declared = '', shown }: Known): string {
  const named = contentTypes.get(extensionOf(name))
  if (shown !== undefined && !fits(shown, named)) return shown
  if (named !== undefined) return named

  const [type = ''] = declared.toLowerCase().split(';')
  const same = [...contentTypes.values()].find((one) => one.split(';')[0] === type.trim())
  return (
    same ??
    (/^(?:text\/|application\/(?:java|ecma)script|application\/(?:\w+\+)?xml)/.test(type.trim())
      ? text
      : 'application/octet-stream')
  )
}

/** Whether a name says what the bytes show: the same, one of the formats that begin alike, or that it is text. */
function fits(shown: string, named: string | undefined): boolean {
  if (named === undefined) return false
  if (named === shown || named.startsWith('text/')) return true
  return ALIKE.some((types) => types.includes(named) && types.includes(shown))
}

const ALIKE = [
  ['image/png', 'image/apng'],
  ['image/heic', 'image/avif'],
  ['video/mp4', 'video/quicktime', 'audio/mp4'],
  ['video/webm', 'audio/webm'],
  ['audio/ogg', 'video/ogg'],
]

/** True when the name has an extension that files in documentation have, so that a link to it means a file. */
export function hasFileExtension(name: string): boolean {
  return contentTypes.has(extensionOf(name))
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')

  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
}

const text = 'text/plain; charset=utf-8'

const contentTypes = new Map(
  Object.entries({
    // Images
    png: 'image/png',
    apng: 'image/apng',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    jfif: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    avif: 'image/avif',
    heic: 'image/heic',
    svg: 'image/svg+xml',
    bmp: 'image/bmp',
    ico: 'image/x-icon',
    tif: 'image/tiff',
    tiff: 'image/tiff',

    // Sound and film
    mp3: 'audio/mpeg',
    ogg: 'audio/ogg',
    wav: 'audio/wav',
    m4a: 'audio/mp4',
    mp4: 'video/mp4',
    m4v: 'video/mp4',
    webm: 'video/webm',
    mov: 'video/quicktime',

    // Documents
    pdf: 'application/pdf',
    doc: 'application/msword',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    xls: 'application/vnd.ms-excel',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ppt: 'application/vnd.ms-powerpoint',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    odt: 'application/vnd.oasis.opendocument.text',
    ods: 'application/vnd.oasis.opendocument.spreadsheet',
    odp: 'application/vnd.oasis.opendocument.presentation',
    rtf: 'application/rtf',

    // Archives
    zip: 'application/zip',
    gz: 'application/gzip',
    tgz: 'application/gzip',
    bz2: 'application/x-bzip2',
    xz: 'application/x-xz',
    tar: 'application/x-tar',
    '7z': 'application/x-7z-compressed',

    // Fonts
    woff: 'font/woff',
    woff2: 'font/woff2',
    ttf: 'font/ttf',
    otf: 'font/otf',

    // Data
    json: 'application/json',
    yaml: 'application/yaml',
    yml: 'application/yaml',
    csv: 'text/csv; charset=utf-8',
    tsv: 'text/tab-separated-values; charset=utf-8',

    // Text, and what a browser would run if it had its own type
    txt: text,
    log: text,
    md: 'text/markdown; charset=utf-8',
    markdown: 'text/markdown; charset=utf-8',
    html: text,
    htm: text,
    xhtml: text,
    xml: text,
    xsl: text,
    js: text,
    mjs: text,
    cjs: text,
    css: text,
    ts: text,
    jsx: text,
    tsx: text,
    cs: text,
    java: text,
    kt: text,
    go: text,
    rs: text,
    py: text,
    rb: text,
    php: text,
    c: text,
    h: text,
    cpp: text,
    swift: text,
    sh: text,
    bat: text,
    ps1: text,
    sql: text,
    toml: text,
    ini: text,
    conf: text,
    cfg: text,
    env: text,
    proto: text,
    graphql: text,
    tf: text,
    drawio: text,
    puml: text,
    mmd: text,
  }),
)
