/** Shows the code that sends a request to an operation. */
import { block } from '../../document/build.ts'
import type { Block } from '../../document/model.ts'
import { isRecord } from '../../data/is-record.ts'
import { bold, codeBlock, said } from './blocks.ts'
import type { Describing } from './describing.ts'
import { exampleOf } from '../schemas/example.ts'
import { exampleTexts } from '../schemas/example-text.ts'
import { formFields, formOf, isFileBody } from '../schemas/forms.ts'
import { authenticationOf, queryOf, schemaOfParameter, urlAt } from '../request.ts'
import { isText, type SampleBody, type SampleRequest } from '../samples/request.ts'
import { FEW_LANGUAGES, samplesOf } from '../samples/samples.ts'

type Fields = Record<string, unknown>

/** What a sample is made of: an operation, what its specification says of all, and its parts without references. */
export interface SampledOperation {
  operation: Fields
  info: Fields
  server: string | undefined
  path: string
  method: string
  parameters: Fields[]
  body: unknown
}

/** The samples of an operation, one in a tab. */
export function sampleBlocks(sampled: SampledOperation, describing: Describing): Block[] {
  const { operation, info, server, path, method, parameters } = sampled
  const { body, type } = sentBody(sampled, describing)
  const [authorization] = authenticationOf(operation, info).flatMap(({ header }) => (header ? [header] : []))
  // One of the ways to authenticate is enough.
  const headers: SampleRequest['headers'] = authorization ? [authorization] : []
  if (type !== undefined) headers.push(['Content-Type', type])
  const query = queryOf(parameters, (one) => exampleOf(describing, schemaOfParameter(one)))
  const request: SampleRequest = {
    method: method.toUpperCase(),
    url: urlAt(server, path) + query,
    headers,
    body,
  }
  const items = samplesOf(request, describing.hasManyOperations ? FEW_LANGUAGES : undefined).map(
    ({ title, syntax, code: written }) => block('tabs-item', { title }, [codeBlock(written, syntax)]),
  )
  return [said([bold(describing.words.samples)]), block('tabs', {}, items as never)]
}

/** The body of a sample. @returns also its media type, if no client sets that of such a body */
function sentBody({ body }: SampledOperation, describing: Describing): { body?: SampleBody; type?: string } {
  const content = isRecord(body) && isRecord(body['content']) ? Object.entries(body['content']) : []
  const [type, media] = content[0] ?? []
  if (type === undefined || !isRecord(media)) return {}
  const context = { ...describing, direction: 'request' as const }
  const form = formOf(type)
  if (form !== undefined) {
    const fields = formFields(media, type, context)
    if (fields.length === 0) return {}
    return { body: form === 'form' ? { kind: form, fields: fields.filter(isText) } : { kind: form, fields } }
  }
  const [example] = exampleTexts(media, type, context)
  if (example) return { body: { kind: 'text', text: example.text }, type }
  return isFileBody(describing.parts, media, type) ? { body: { kind: 'file' }, type: typeToSend(type) } : {}
}

/** A media type that can be sent; the specification may have a range such as `image/*`. */
const typeToSend = (type: string) => (type.includes('*') ? 'application/octet-stream' : type)
