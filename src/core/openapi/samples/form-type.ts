import { MULTIPART_TYPE, type SampleRequest } from './request.ts'

const ENCODED_TYPE = 'application/x-www-form-urlencoded'

/** A request whose program writes an encoded form as a text, and so has to say that it is a form. */
export function withFormType(request: SampleRequest): SampleRequest {
  return request.body?.kind === 'form' ? withType(request, ENCODED_TYPE) : request
}

/** A request whose program writes forms of both codings as texts. */
export function withFormTypes(request: SampleRequest): SampleRequest {
  return request.body?.kind === 'multipart' ? withType(request, MULTIPART_TYPE) : withFormType(request)
}

function withType(request: SampleRequest, type: string): SampleRequest {
  return { ...request, headers: [...request.headers, ['Content-Type', type]] }
}
