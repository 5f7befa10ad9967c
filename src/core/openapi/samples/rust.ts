import {
  bracedLiteral,
  encodedForm,
  FILE,
  isText,
  NAMED_METHODS,
  type SampleBody,
  type SampleRequest,
} from './request.ts'
import { withFormType } from './form-type.ts'

/** A program of Rust with reqwest. */
export function rust(request: SampleRequest): string {
  const { method, url, headers, body } = withFormType(request)
  const named = headers.map(
    ([name, value]) => `        .header(${bracedLiteral(name)}, ${bracedLiteral(value)})\n`,
  )
  return `fn main() -> Result<(), Box<dyn std::error::Error>> {
    let response = reqwest::blocking::Client::new()
        .request(${rustMethod(method)}, ${bracedLiteral(url)})
${named.join('')}${body === undefined ? '' : `        ${rustBody(body)}\n`}        .send()?;
    println!("{}", response.status());
    println!("{}", response.text()?);
    Ok(())
}`
}

const rustMethod = (method: string) =>
  NAMED_METHODS.has(method)
    ? `reqwest::Method::${method}`
    : `reqwest::Method::from_bytes(b${bracedLiteral(method)})?`

function rustBody(body: SampleBody): string {
  if (body.kind === 'text') return `.body(${bracedLiteral(body.text)})`
  if (body.kind === 'file') return `.body(std::fs::File::open(${bracedLiteral(FILE)})?)`
  if (body.kind === 'form') return `.body(${bracedLiteral(encodedForm(body.fields))})`
  const fields = body.fields.map((field) =>
    isText(field)
      ? `                .text(${bracedLiteral(field.name)}, ${bracedLiteral(field.text)})`
      : `                .file(${bracedLiteral(field.name)}, ${bracedLiteral(FILE)})?`,
  )
  return `.multipart(\n            reqwest::blocking::multipart::Form::new()\n${fields.join('\n')},\n        )`
}
