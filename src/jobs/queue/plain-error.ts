import { type Reasoned, ReasonedError } from '../../core/languages/reasoned.ts'
import type { TextValues } from '../../core/languages/wording.ts'

/** The longest error that a job keeps, in characters. */
const LONGEST = 500

/** What can be a secret in the message of an error, and what stands for it. The log of the server has the whole error. */
const SECRETS: [pattern: RegExp, instead: string][] = [
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]{1,500}@/gi, '$1[secret]@'],
  [/\b(https?:\/\/[^\s?#"'<>]{1,2000})[?#][^\s"'<>]*/gi, '$1?[secret]'],
  [/\b(bearer|basic) [^\s"',;]+/gi, '$1 [secret]'],
  [
    /\b(password|passwd|secret|token|signature|credential|api[-_]?key)(["']?\s?[:=]\s?)[^\s,;]+/gi,
    '$1$2[secret]',
  ],
  // Long random texts, but not the hashes of files.
  [/\b(?![0-9a-f]{64}\b)(?=[\w-]*\d)[\w-]{40,}/g, '[secret]'],
]

/** Why a job failed, as programs read it. */
export interface JobFault extends Pick<Reasoned, 'parameters'> {
  reason: string
}

/** The reason of an error with its parameters, without what can be a secret; undefined if it has no reason. */
export function faultOfError(error: unknown): JobFault | undefined {
  const { reason, parameters } = error instanceof ReasonedError ? error : {}
  if (reason === undefined) return undefined
  if (!parameters) return { reason }
  const plain = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? plainError(value) : value,
  ])
  return { reason, parameters: Object.fromEntries(plain) as TextValues }
}

/** The error of a job in one line for the administrator: the message without its stack, and without what can be a secret. */
export function plainError(error: unknown): string {
  const text = errorMessage(error)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 4 * LONGEST)
  const plain = SECRETS.reduce((left, [pattern, instead]) => left.replaceAll(pattern, instead), text)
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST - 1)}…` : plain
}

function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Node reports one error for each address of a host, with an empty message above them.
  if (error instanceof AggregateError && !error.message) return error.errors.map(errorMessage).join('; ')
  return error.message || error.name
}
