import { encodedForm, FILE, isText, literal, type SampleBody, type SampleRequest } from './request.ts'
import { withFormType } from './form-type.ts'

interface Written {
  imports: string[]
  before: string
  reader: string
  /** Sets the header of a multipart body, whose boundary the program chooses. */
  after: string
}

/** A program of Go. */
export function go(request: SampleRequest): string {
  const { method, url, headers, body } = withFormType(request)
  const { imports, before, reader, after } = goBody(body)
  const named = headers.map(([name, value]) => `\trequest.Header.Set(${literal(name)}, ${literal(value)})\n`)
  const all = ['fmt', 'io', 'net/http', ...imports].toSorted().map((name) => `\t"${name}"\n`)
  return `package main

import (
${all.join('')})

func main() {
${before}\trequest, err := http.NewRequest(${literal(method)}, ${literal(url)}, ${reader})
${FAIL}${named.join('')}${after}\tresponse, err := http.DefaultClient.Do(request)
${FAIL}\tdefer response.Body.Close()
\tbody, _ := io.ReadAll(response.Body)
\tfmt.Println(response.Status, string(body))
}`
}

const FAIL = '\tif err != nil {\n\t\tpanic(err)\n\t}\n'
const OPEN = `\tfile, err := os.Open(${literal(FILE)})\n${FAIL}\tdefer file.Close()\n`

function goBody(body: SampleBody | undefined): Written {
  const written = { imports: [], before: '', reader: 'nil', after: '' }
  if (body === undefined) return written
  if (body.kind === 'file') return { ...written, imports: ['os'], before: OPEN, reader: 'file' }
  if (body.kind === 'multipart') return multipart(body.fields)
  const text = body.kind === 'form' ? encodedForm(body.fields) : body.text
  return { ...written, imports: ['strings'], reader: `strings.NewReader(${literal(text)})` }
}

function multipart(fields: (SampleBody & { kind: 'multipart' })['fields']): Written {
  const hasFile = !fields.every(isText)
  const lines = fields.map(({ name, ...field }) =>
    'text' in field
      ? `\twriter.WriteField(${literal(name)}, ${literal(field.text)})\n`
      : `\tif part, err := writer.CreateFormFile(${literal(name)}, ${literal(FILE)}); err == nil {\n\t\tio.Copy(part, file)\n\t}\n`,
  )
  const start = '\tvar form bytes.Buffer\n\twriter := multipart.NewWriter(&form)\n'
  return {
    imports: ['bytes', 'mime/multipart', ...(hasFile ? ['os'] : [])],
    before: `${hasFile ? OPEN : ''}${start}${lines.join('')}\twriter.Close()\n`,
    reader: '&form',
    after: '\trequest.Header.Set("Content-Type", writer.FormDataContentType())\n',
  }
}
