import {
  encodedForm,
  FILE,
  literal,
  multipartPieces,
  type SampleBody,
  type SampleRequest,
} from './request.ts'
import { withFormTypes } from './form-type.ts'

/** A request by the client of the JDK. */
export function java(request: SampleRequest): string {
  const { method, url, headers, body } = withFormTypes(request)
  const named = headers.map(([name, value]) => `    .header(${literal(name)}, ${literal(value)})\n`)
  return `HttpRequest request = HttpRequest.newBuilder(URI.create(${literal(url)}))
${named.join('')}    .method(${literal(method)}, ${publisherOf(body)})
    .build();
HttpResponse<String> response = HttpClient.newHttpClient()
    .send(request, BodyHandlers.ofString());
System.out.println(response.statusCode() + " " + response.body());`
}

const FROM_FILE = `BodyPublishers.ofFile(Path.of(${literal(FILE)}))`

function publisherOf(body: SampleBody | undefined): string {
  if (body === undefined) return 'BodyPublishers.noBody()'
  if (body.kind === 'file') return FROM_FILE
  if (body.kind === 'text') return `BodyPublishers.ofString(${literal(body.text)})`
  if (body.kind === 'form') return `BodyPublishers.ofString(${literal(encodedForm(body.fields))})`
  const pieces = multipartPieces(body.fields).map((piece) =>
    typeof piece === 'string' ? `BodyPublishers.ofString(${literal(piece)})` : FROM_FILE,
  )
  return `BodyPublishers.concat(\n        ${pieces.join(',\n        ')})`
}
