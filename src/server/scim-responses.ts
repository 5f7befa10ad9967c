import { ScimFault } from '../core/scim/fault.ts'

/** The media type of SCIM (RFC 7644, section 8.1). */
export const SCIM_TYPE = 'application/scim+json'

const ERROR_SCHEMA_ID = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Whether a path belongs to SCIM, which has its own media type and errors. */
export const isScimPath = (path: string) => /^\/scim\/v2(?:[/?]|$)/.test(path)

/** The body of an error of SCIM (RFC 7644, section 3.12). */
export function scimErrorBody(status: number, detail: string, error: unknown) {
  const scimType = scimTypeOf(status, error)
  return { schemas: [ERROR_SCHEMA_ID], status: String(status), ...(scimType ? { scimType } : {}), detail }
}

function scimTypeOf(status: number, error: unknown): string | undefined {
  if (error instanceof ScimFault) return error.scimType
  if (status !== 400) return undefined
  return error instanceof SyntaxError ? 'invalidSyntax' : 'invalidValue'
}
