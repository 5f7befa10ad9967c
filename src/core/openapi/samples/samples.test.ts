import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FormField, SampleBody, SampleRequest } from './request.ts'
import { samplesOf } from './samples.ts'

const HOSTILE = `it's "quoted" \\ $(rm -rf ~) \`x\` #{y} \n \u0001\f end`
const request = (body?: SampleBody, rest: Partial<SampleRequest> = {}): SampleRequest => ({
  method: 'POST',
  url: 'https://example.com/a',
  headers: [['X-A', HOSTILE]],
  body,
  ...rest,
})
const code = (sample: SampleRequest) =>
  Object.fromEntries(samplesOf(sample).map(({ title, code: written }) => [title, written])) as Record<
    string,
    string
  >

/** How a language writes the hostile text. */
const WRITTEN: Record<string, string> = {
  Shell: HOSTILE.replaceAll("'", String.raw`'\''`),
  PHP: HOSTILE.replaceAll(/['\\]/g, String.raw`\$&`),
  Ruby: HOSTILE.replaceAll(/['\\]/g, String.raw`\$&`),
  Rust: JSON.stringify(HOSTILE)
    .replace(String.raw`\u0001`, String.raw`\u{0001}`)
    .replace(String.raw`\f`, String.raw`\u{c}`),
  Swift: JSON.stringify(HOSTILE)
    .replace(String.raw`\u0001`, String.raw`\u{0001}`)
    .replace(String.raw`\f`, String.raw`\u{c}`),
}

test('samples quote what ends a text or means something in it', () => {
  for (const [title, written] of Object.entries(code(request({ kind: 'text', text: HOSTILE })))) {
    const quoted = WRITTEN[title] ?? JSON.stringify(HOSTILE)
    assert.equal(written.split(quoted).length, 3, `${title}: ${written}`)
  }
})

const FIELDS: FormField[] = [
  { name: 'cover', type: 'image/png' },
  { name: 'raw' },
  { name: 'note', text: 'Hello' },
]

test('samples send the files and texts of a form', () => {
  const samples = code(request({ kind: 'multipart', fields: FIELDS }, { headers: [] }))
  for (const [title, written] of Object.entries(samples)) {
    for (const part of ['cover', 'raw', 'note', 'Hello'])
      assert.ok(written.includes(part), `${title} has no ${part}: ${written}`)
    assert.match(written, title === 'JavaScript' ? /\bfile\b/ : /["'@]file\b/, title)
  }
  assert.equal(
    samples['Shell'],
    String.raw`curl --request POST 'https://example.com/a' \
  --form 'cover=@file;type=image/png' \
  --form 'raw=@file' \
  --form 'note=Hello'`,
  )
  assert.match(samples['JavaScript'] ?? '', /new FormData\(\)[^]*form.append\("cover", file\)[^]*body: form,/)
  assert.match(
    samples['Python'] ?? '',
    /files=\[\n {8}\("cover", \("file", open\("file", "rb"\), "image\/png"\)\),/,
  )
})

test('curl reads no file and no type where a field is a text', () => {
  for (const text of ['@/etc/passwd', '<secret', 'a;type=x', '"a"']) {
    const { Shell = '' } = code(request({ kind: 'multipart', fields: [{ name: 'a', text }] }))
    assert.ok(Shell.includes(`--form-string 'a=${text}'`), Shell)
  }
  assert.match(code(request({ kind: 'text', text: '@x' }))['Shell'] ?? '', /--data-raw '@x'/)
})

test('samples send encoded forms', () => {
  const fields = [
    { name: 'a b', text: 'x & y' },
    { name: 'c', text: 'z' },
  ]
  const samples = code(request({ kind: 'form', fields }, { headers: [] }))
  assert.match(samples['Shell'] ?? '', /--data-urlencode 'a%20b=x & y' \\\n {2}--data-urlencode 'c=z'$/)
  assert.match(samples['Python'] ?? '', /data=\[\n {8}\("a b", "x & y"\),/)
  assert.match(samples['JavaScript'] ?? '', /new URLSearchParams\(\)/)
  for (const title of ['PHP', 'Ruby', 'Go', 'Java', 'C#', 'Rust', 'Swift']) {
    assert.match(samples[title] ?? '', /a\+b=x\+%26\+y&c=z/, title)
    assert.match(samples[title] ?? '', /application\/x-www-form-urlencoded/, title)
  }
})

test('samples send a file as the whole body', () => {
  const sample = request({ kind: 'file' }, { headers: [['Content-Type', 'image/png']] })
  for (const [title, written] of Object.entries(code(sample))) {
    assert.match(written, title === 'JavaScript' ? /body: file,/ : /["'@]file["']/, title)
    assert.match(written, /image\/png/, title)
  }
})

test('methods that a library has no name for are sent too', () => {
  const samples = code({ method: 'QUERY', url: 'https://example.com/a', headers: [] })
  for (const [title, written] of Object.entries(samples)) assert.match(written, /["' ]QUERY\b/, title)
})
