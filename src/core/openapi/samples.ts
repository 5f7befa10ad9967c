/** Code that sends a request, in the languages that readers use most. */

/** A request to show. */
export interface SampleRequest {
  /** In upper case. */
  method: string
  url: string
  headers: [name: string, value: string][]
  /** The body as text. */
  body?: string
}

/** Code in one language. */
export interface CodeSample {
  title: string
  syntax: string
  code: string
}

/** The code that sends a request in shell, JavaScript, Python, Go and Java. */
export function samplesOf(request: SampleRequest): CodeSample[] {
  return [
    { title: 'Shell', syntax: 'bash', code: shell(request) },
    { title: 'JavaScript', syntax: 'javascript', code: javaScript(request) },
    { title: 'Python', syntax: 'python', code: python(request) },
    { title: 'Go', syntax: 'go', code: go(request) },
    { title: 'Java', syntax: 'java', code: java(request) },
  ]
}

/** In single quotes, a shell reads every character but the quote itself as it is. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
/** A literal of all the other languages: JSON escapes what they escape, and nothing that they do not know. */
const literal = (text: string) => JSON.stringify(text)

function shell({ method, url, headers, body }: SampleRequest): string {
  const lines = [
    `curl --request ${method} ${quoted(url)}`,
    ...headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quoted(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

function javaScript({ method, url, headers, body }: SampleRequest): string {
  const named = headers.map(([name, value]) => `    ${literal(name)}: ${literal(value)},\n`).join('')
  return `const response = await fetch(${literal(url)}, {
  method: ${literal(method)},
${named === '' ? '' : `  headers: {\n${named}  },\n`}${body === undefined ? '' : `  body: ${literal(body)},\n`}})
console.log(response.status, await response.text())`
}

function python({ method, url, headers, body }: SampleRequest): string {
  const named = headers.map(([name, value]) => `        ${literal(name)}: ${literal(value)},\n`).join('')
  return `import requests

response = requests.request(
    ${literal(method)},
    ${literal(url)},
${named === '' ? '' : `    headers={\n${named}    },\n`}${body === undefined ? '' : `    data=${literal(body)}.encode(),\n`})
print(response.status_code, response.text)`
}

function go({ method, url, headers, body }: SampleRequest): string {
  const content = body === undefined ? 'nil' : `strings.NewReader(${literal(body)})`
  const named = headers.map(([name, value]) => `\trequest.Header.Set(${literal(name)}, ${literal(value)})\n`)
  return `package main

import (
\t"fmt"
\t"io"
\t"net/http"
${body === undefined ? '' : '\t"strings"\n'})

func main() {
\trequest, err := http.NewRequest(${literal(method)}, ${literal(url)}, ${content})
\tif err != nil {
\t\tpanic(err)
\t}
${named.join('')}\tresponse, err := http.DefaultClient.Do(request)
\tif err != nil {
\t\tpanic(err)
\t}
\tdefer response.Body.Close()
\tbody, _ := io.ReadAll(response.Body)
\tfmt.Println(response.Status, string(body))
}`
}

function java({ method, url, headers, body }: SampleRequest): string {
  const publisher =
    body === undefined ? 'BodyPublishers.noBody()' : `BodyPublishers.ofString(${literal(body)})`
  const named = headers.map(([name, value]) => `    .header(${literal(name)}, ${literal(value)})\n`)
  return `HttpRequest request = HttpRequest.newBuilder(URI.create(${literal(url)}))
${named.join('')}    .method(${literal(method)}, ${publisher})
    .build();
HttpResponse<String> response = HttpClient.newHttpClient()
    .send(request, BodyHandlers.ofString());
System.out.println(response.statusCode() + " " + response.body());`
}
