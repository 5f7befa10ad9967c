import { encodedForm, FILE, isText, type SampleBody, type SampleRequest, singleQuoted } from './request.ts'
import { withFormType } from './form-type.ts'

/** A script of PHP. */
export function php(request: SampleRequest): string {
  const { method, url, headers, body } = withFormType(request)
  const named = headers.map(([name, value]) => `        ${singleQuoted(`${name}: ${value}`)},\n`).join('')
  return `<?php
$curl = curl_init(${singleQuoted(url)});
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => ${singleQuoted(method)},
    CURLOPT_RETURNTRANSFER => true,
${named === '' ? '' : `    CURLOPT_HTTPHEADER => [\n${named}    ],\n`}${body === undefined ? '' : `    CURLOPT_POSTFIELDS => ${phpBody(body)},\n`}]);
$text = curl_exec($curl);
echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $text;`
}

function phpBody(body: SampleBody): string {
  if (body.kind === 'text') return singleQuoted(body.text)
  if (body.kind === 'file') return `file_get_contents(${singleQuoted(FILE)})`
  if (body.kind === 'form') return singleQuoted(encodedForm(body.fields))
  const fields = body.fields.map((field) => {
    const type = !isText(field) && field.type !== undefined ? `, ${singleQuoted(field.type)}` : ''
    const value = isText(field) ? singleQuoted(field.text) : `new CURLFile(${singleQuoted(FILE)}${type})`
    return `        ${singleQuoted(field.name)} => ${value},\n`
  })
  return `[\n${fields.join('')}    ]`
}
