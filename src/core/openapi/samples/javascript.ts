import { type FormField, isText, literal, type SampleBody, type SampleRequest } from './request.ts'

/** A request by fetch. */
export function javaScript({ method, url, headers, body }: SampleRequest): string {
  const named = headers.map(([name, value]) => `    ${literal(name)}: ${literal(value)},\n`).join('')
  const { before = '', sent } = body === undefined ? {} : javaScriptBody(body)
  return `${before}const response = await fetch(${literal(url)}, {
  method: ${literal(method)},
${named === '' ? '' : `  headers: {\n${named}  },\n`}${sent === undefined ? '' : `  body: ${sent},\n`}})
console.log(response.status, await response.text())`
}

const CHOSEN = `const file = document.querySelector('input[type="file"]').files[0]\n`

function javaScriptBody(body: SampleBody): { before?: string; sent: string } {
  if (body.kind === 'text') return { sent: literal(body.text) }
  if (body.kind === 'file') return { before: `${CHOSEN}\n`, sent: 'file' }
  const isEncoded = body.kind === 'form'
  const fields: readonly FormField[] = body.fields
  const lines = fields.map((field) => {
    const value = isText(field) ? literal(field.text) : 'file'
    return `form.append(${literal(field.name)}, ${value})\n`
  })
  const form = `const form = new ${isEncoded ? 'URLSearchParams' : 'FormData'}()\n`
  const file = fields.every(isText) ? '' : CHOSEN
  return { before: `${file}${form}${lines.join('')}\n`, sent: 'form' }
}
