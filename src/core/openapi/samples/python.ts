import { FILE, isText, literal, type SampleBody, type SampleRequest } from './request.ts'

/** A request by Requests. */
export function python({ method, url, headers, body }: SampleRequest): string {
  const named = headers.map(([name, value]) => `        ${literal(name)}: ${literal(value)},\n`).join('')
  return `import requests

response = requests.request(
    ${literal(method)},
    ${literal(url)},
${named === '' ? '' : `    headers={\n${named}    },\n`}${body === undefined ? '' : `    ${pythonBody(body)},\n`})
print(response.status_code, response.text)`
}

const OPENED = `open(${literal(FILE)}, "rb")`

function pythonBody(body: SampleBody): string {
  if (body.kind === 'text') return `data=${literal(body.text)}.encode()`
  if (body.kind === 'file') return `data=${OPENED}`
  if (body.kind === 'form') {
    const fields = body.fields.map(({ name, text }) => `        (${literal(name)}, ${literal(text)}),\n`)
    return `data=[\n${fields.join('')}    ]`
  }
  const fields = body.fields.map((field) => {
    const value = isText(field)
      ? `(None, ${literal(field.text)})`
      : field.type === undefined
        ? OPENED
        : `(${literal(FILE)}, ${OPENED}, ${literal(field.type)})`
    return `        (${literal(field.name)}, ${value}),\n`
  })
  return `files=[\n${fields.join('')}    ]`
}
