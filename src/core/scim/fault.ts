/** The kinds of errors of SCIM (RFC 7644, section 3.12) that a request can have. */
export type ScimErrorType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** A SCIM request that is refused. The response is 409 for `uniqueness`, and 400 for the other kinds. */
export class ScimFault extends Error {
  readonly scimType: ScimErrorType

  constructor(scimType: ScimErrorType, message: string) {
    super(message)
    this.scimType = scimType
  }
}
