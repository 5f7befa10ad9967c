/** The part of Negotiator 1.1 that is used here; its published types are those of an earlier version. */
declare module 'negotiator' {
  interface Request {
    headers: { 'accept-encoding'?: string; 'accept-language'?: string }
  }

  export default class Negotiator {
    constructor(request: Request)
    encodings(offered: readonly string[], options: { preferred: readonly string[] }): string[]
    languages(): string[]
  }
}
