import { encodedForm, FILE, isText, literal, type SampleBody, type SampleRequest } from './request.ts'
import { withFormType } from './form-type.ts'

/** A program of C#. */
export function cSharp(request: SampleRequest): string {
  const { method, url, headers, body } = withFormType(request)
  const isOfContent = ([name]: [string, string]) => name.toLowerCase() === 'content-type'
  const named = headers
    .filter((header) => !isOfContent(header))
    .map(([name, value]) => `request.Headers.TryAddWithoutValidation(${literal(name)}, ${literal(value)});\n`)
  const typed = headers
    .filter((header) => body !== undefined && isOfContent(header))
    .map(
      ([, value]) => `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${literal(value)});\n`,
    )
  return `${typed.length > 0 ? 'using System.Net.Http.Headers;\n\n' : ''}using var client = new HttpClient();
using var request = new HttpRequestMessage(new HttpMethod(${literal(method)}), ${literal(url)});
${named.join('')}${body === undefined ? '' : `request.Content = ${contentOf(body)};\n`}${typed.join('')}using var response = await client.SendAsync(request);
Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");`
}

const FROM_FILE = `new StreamContent(File.OpenRead(${literal(FILE)}))`

function contentOf(body: SampleBody): string {
  if (body.kind === 'text') return `new StringContent(${literal(body.text)})`
  if (body.kind === 'file') return FROM_FILE
  if (body.kind === 'form') return `new StringContent(${literal(encodedForm(body.fields))})`
  const fields = body.fields.map((field) =>
    isText(field)
      ? `    { new StringContent(${literal(field.text)}), ${literal(field.name)} },\n`
      : `    { ${FROM_FILE}, ${literal(field.name)}, ${literal(FILE)} },\n`,
  )
  return `new MultipartFormDataContent\n{\n${fields.join('')}}`
}
