/** A sign-in that is refused. The reason is for the log; the person gets the same page for every reason. */
export class SignInRefused extends Error {
  override name = 'SignInRefused'
}

/** Refuses a sign-in. @param reason without secrets and without what only a signature could prove */
export function refuse(reason: string): never {
  throw new SignInRefused(reason)
}

const LONGEST_QUOTE = 100

/** A text of a message for the log, shortened and on one line. */
export function quoted(text: string | null | undefined): string {
  return JSON.stringify((text ?? '').slice(0, LONGEST_QUOTE))
}
