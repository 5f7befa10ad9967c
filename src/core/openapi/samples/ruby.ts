import {
  encodedForm,
  FILE,
  isText,
  NAMED_METHODS,
  type SampleBody,
  type SampleRequest,
  singleQuoted,
} from './request.ts'
import { withFormType } from './form-type.ts'

/** A script of Ruby. */
export function ruby(request: SampleRequest): string {
  const { method, url, headers, body } = withFormType(request)
  const named = headers.map(([name, value]) => `request[${singleQuoted(name)}] = ${singleQuoted(value)}\n`)
  return `require 'net/http'

uri = URI(${singleQuoted(url)})
request = ${requestOf(method)}
${named.join('')}${body === undefined ? '' : `${rubyBody(body)}\n`}response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == 'https') do |http|
  http.request(request)
end
puts response.code, response.body`
}

function requestOf(method: string): string {
  if (!NAMED_METHODS.has(method))
    return `Net::HTTPGenericRequest.new(${singleQuoted(method)}, true, true, uri)`
  return `Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`
}

function rubyBody(body: SampleBody): string {
  if (body.kind === 'text') return `request.body = ${singleQuoted(body.text)}`
  if (body.kind === 'file') return `request.body = File.binread(${singleQuoted(FILE)})`
  if (body.kind === 'form') return `request.body = ${singleQuoted(encodedForm(body.fields))}`
  const fields = body.fields.map((field) => {
    const value = isText(field) ? singleQuoted(field.text) : `File.open(${singleQuoted(FILE)})`
    const type =
      !isText(field) && field.type !== undefined ? `, { content_type: ${singleQuoted(field.type)} }` : ''
    return `  [${singleQuoted(field.name)}, ${value}${type}],\n`
  })
  return `request.set_form([\n${fields.join('')}], 'multipart/form-data')`
}
