/** Code that sends a request, in the languages that readers use most. */
import { cSharp } from './csharp.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javaScript } from './javascript.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import type { CodeSample, SampleRequest } from './request.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'
import { shell } from './shell.ts'
import { swift } from './swift.ts'

const LANGUAGES: readonly [title: string, syntax: string, write: (request: SampleRequest) => string][] = [
  ['Shell', 'bash', shell],
  ['JavaScript', 'javascript', javaScript],
  ['Python', 'python', python],
  ['Go', 'go', go],
  ['Java', 'java', java],
  ['PHP', 'php', php],
  ['Ruby', 'ruby', ruby],
  ['C#', 'csharp', cSharp],
  ['Rust', 'rust', rust],
  ['Swift', 'swift', swift],
]

/** How many languages come first that a page with many operations has: its samples are most of what it weighs. */
export const FEW_LANGUAGES = 5

/** The code that sends a request, in each of the languages or in the first ones. */
export function samplesOf(request: SampleRequest, count = LANGUAGES.length): CodeSample[] {
  return LANGUAGES.slice(0, count).map(([title, syntax, write]) => ({ title, syntax, code: write(request) }))
}
