/** A request to show. */
export interface SampleRequest {
  /** In upper case. */
  method: string
  url: string
  /** A body with a text or a file has its `Content-Type` here. */
  headers: [name: string, value: string][]
  body?: SampleBody | undefined
}

/** What a request sends: a text, a file, or a form in one of the two codings of HTML. */
export type SampleBody =
  | { kind: 'text'; text: string }
  | { kind: 'file' }
  | { kind: 'form'; fields: FormText[] }
  | { kind: 'multipart'; fields: FormField[] }

/** A field of a form with a text. */
export interface FormText {
  name: string
  text: string
}

/** A field of a form with a text or a file. `type` is the only media type that the file may have. */
export type FormField = FormText | { name: string; type?: string | undefined }

/** The name of the file that samples send. */
export const FILE = 'file'

/** Code in one language. */
export interface CodeSample {
  title: string
  syntax: string
  code: string
}

/** A literal of most languages: JSON escapes what they escape, and nothing that they do not know. */
export const literal = (text: string) => JSON.stringify(text)

/** A literal in single quotes, in which Ruby and PHP replace nothing. */
export const singleQuoted = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

/** A literal of Rust and Swift, which write characters by their numbers in braces. */
export function bracedLiteral(text: string): string {
  return JSON.stringify(text).replaceAll(/\\(?:u([0-9a-f]{4})|([bf])|\\)/g, (whole, code, short) => {
    if (code !== undefined) return String.raw`\u{${code}}`
    return short === 'b' ? String.raw`\u{8}` : short === 'f' ? String.raw`\u{c}` : whole
  })
}

/** Whether a field has a text. */
export const isText = (field: FormField): field is FormText => 'text' in field

/** The fields of a form as the text that `application/x-www-form-urlencoded` is. */
export function encodedForm(fields: readonly FormText[]): string {
  return new URLSearchParams(fields.map(({ name, text }): [string, string] => [name, text])).toString()
}

const BOUNDARY = 'form-boundary'

/** The header of a multipart body that a program writes itself. */
export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** The place of a file between the texts of a body. */
const FILE_PLACE = Symbol('a file')

/** A multipart body that a program writes itself: texts, and between them the place of each file. */
export function multipartPieces(fields: readonly FormField[]): (string | typeof FILE_PLACE)[] {
  const pieces: (string | typeof FILE_PLACE)[] = []
  let text = ''
  for (const field of fields) {
    const name = field.name.replaceAll('"', '%22').replaceAll(/[\r\n]/g, ' ')
    text += `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`
    if (isText(field)) text += `\r\n\r\n${field.text}\r\n`
    else {
      text += `; filename="${FILE}"\r\nContent-Type: ${field.type ?? 'application/octet-stream'}\r\n\r\n`
      pieces.push(text, FILE_PLACE)
      text = '\r\n'
    }
  }
  return [...pieces, `${text}--${BOUNDARY}--\r\n`]
}

/** The methods for which libraries have a name. */
export const NAMED_METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE'.split(' '),
)
