import { FILE, type FormField, isText, type SampleBody, type SampleRequest } from './request.ts'

/** In single quotes, a shell reads every character but the quote itself as it is. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A command of curl. */
export function shell({ method, url, headers, body }: SampleRequest): string {
  const lines = [
    `curl --request ${method} ${quoted(url)}`,
    ...headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : bodyLines(body)),
  ]
  return lines.join(' \\\n  ')
}

function bodyLines(body: SampleBody): string[] {
  if (body.kind === 'file') return [`--data-binary ${quoted(`@${FILE}`)}`]
  if (body.kind === 'multipart') return body.fields.map(fieldLine)
  if (body.kind === 'form')
    return body.fields.map(
      ({ name, text }) => `--data-urlencode ${quoted(`${encodeURIComponent(name)}=${text}`)}`,
    )
  // curl would read a file where a text begins with "@".
  return [`${body.text.startsWith('@') ? '--data-raw' : '--data'} ${quoted(body.text)}`]
}

function fieldLine(field: FormField): string {
  if (!isText(field)) {
    const type = field.type === undefined ? '' : `;type=${field.type}`
    return `--form ${quoted(`${field.name}=@${FILE}${type}`)}`
  }
  // curl would read a file or a type where a text has these characters.
  const option = /^[@<"]|;/.test(field.text) ? '--form-string' : '--form'
  return `${option} ${quoted(`${field.name}=${field.text}`)}`
}
