import {
  bracedLiteral,
  encodedForm,
  FILE,
  multipartPieces,
  type SampleBody,
  type SampleRequest,
} from './request.ts'
import { withFormTypes } from './form-type.ts'

/** A program of Swift. */
export function swift(request: SampleRequest): string {
  const { method, url, headers, body } = withFormTypes(request)
  const named = headers.map(
    ([name, value]) =>
      `request.setValue(${bracedLiteral(value)}, forHTTPHeaderField: ${bracedLiteral(name)})\n`,
  )
  return `import Foundation

var request = URLRequest(url: URL(string: ${bracedLiteral(url)})!)
request.httpMethod = ${bracedLiteral(method)}
${named.join('')}${body === undefined ? '' : bodyLines(body)}let (data, response) = try await URLSession.shared.data(for: request)
print((response as! HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self))`
}

const FROM_FILE = `try Data(contentsOf: URL(fileURLWithPath: ${bracedLiteral(FILE)}))`
const dataOf = (text: string) => `Data(${bracedLiteral(text)}.utf8)`

function bodyLines(body: SampleBody): string {
  if (body.kind === 'text') return `request.httpBody = ${dataOf(body.text)}\n`
  if (body.kind === 'file') return `request.httpBody = ${FROM_FILE}\n`
  if (body.kind === 'form') return `request.httpBody = ${dataOf(encodedForm(body.fields))}\n`
  const pieces = multipartPieces(body.fields).map((piece) => {
    return `body.append(${typeof piece === 'string' ? dataOf(piece) : FROM_FILE})\n`
  })
  return `var body = Data()\n${pieces.join('')}request.httpBody = body\n`
}
