/** Something that is wrong in a specification: a code for programs, and words that name the place. */
export interface SpecProblem {
  code: string
  message: string
}

/** A specification that cannot be used. */
export class SpecFault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'SpecFault'
    this.code = code
  }
}
