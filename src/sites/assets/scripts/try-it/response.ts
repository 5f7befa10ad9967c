import { element } from '../kit/element.ts'
import type { TryResponse } from './send.ts'
import { tryWords } from './words.ts'

/** Characters of a body that are shown. */
const MOST_SHOWN = 200_000

/** A paragraph that explains something. */
export const tryNote = (textContent: string) => element('p', { className: 'try-note', textContent })

/** The status, the time and the size of a response. */
export function responseSummary({ status, statusText, bytes }: TryResponse, ms: number): string {
  const size = bytes.length < 1000 ? `${bytes.length} B` : `${(bytes.length / 1000).toFixed(1)} kB`
  const line = `${tryWords.response}: ${status} ${statusText ?? ''}`
  return [line.trim(), `${Math.round(ms)} ms`, size].join(' · ')
}

/** The headers and the body of a response. */
export function responseContent({ headers, bytes, isCut }: TryResponse): HTMLElement[] {
  const body = bodyContent(bytes, isCut)
  if (headers.length === 0) return body
  const terms = headers.flatMap(([name, value]) => [
    element('dt', { textContent: name }),
    element('dd', { textContent: value }),
  ])
  const title = element('summary', { textContent: `${tryWords.responseHeaders} (${headers.length})` })
  return [element('details', { className: 'try-headers' }, title, element('dl', {}, ...terms)), ...body]
}

/** The body of a response as text, and never as anything that a browser runs. */
function bodyContent(bytes: Uint8Array, isCut: boolean): HTMLElement[] {
  if (bytes.length === 0) return [tryNote(tryWords.noBody)]
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return [tryNote(tryWords.binary)]
  }
  try {
    if (!isCut) text = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // A text that is no JSON is shown as it is.
  }
  const code = element('code', { textContent: text.slice(0, MOST_SHOWN) })
  const pre = element('pre', { tabIndex: 0 }, code)
  pre.setAttribute('role', 'group')
  pre.setAttribute('aria-label', tryWords.response)
  return isCut || text.length > MOST_SHOWN ? [pre, tryNote(tryWords.shortened)] : [pre]
}
