/**
 * Web addresses in Chinese, Japanese and Korean text, which has no spaces. GitHub Flavored Markdown ends an address at white
 * space, so the parser would take the text behind `https://example.com。` into the link.
 */
import { isCjk, isCjkPunctuation } from './cjk.ts'
import type { Span } from '../model.ts'

const CJK_BEFORE = /[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff9f\uffe0-\uffe6]/
const START = new RegExp(
  `(?<![A-Za-z<])https?://(?=[\\p{L}\\p{N}])|(?<=${CJK_BEFORE.source})www\\.(?=[\\p{L}\\p{N}])`,
  'giu',
)
/** Signs that are punctuation between sentences, and a part of names such as `ジョン・レノン`. */
const JOINING = new Set('・･〜～')
/** Punctuation of Western and of Chinese text. */
const SHARED = new Set('“”‘’…—')
const CLOSING: Partial<Record<string, string>> = { '“': '”', '‘': '’' }
/** Signs at which the parser decides what is an address. */
const UNDECIDED = new Set('`"\\|[')
/** An entity, which the parser decodes in the destination of a link and not in an address in the text. */
const ENTITY = /&(?:#\w{1,8}|[A-Za-z]\w{0,40});/

/** The addresses in a source that end at CJK punctuation, or begin with `www.` behind a CJK letter, in order. */
export function cjkAddresses(source: string): Span[] {
  if (!CJK_BEFORE.test(source) && !/[“‘]/.test(source)) return []
  const found: Span[] = []
  let done = 0
  for (const { index, 0: beginning } of source.matchAll(START)) {
    if (index < done) continue
    const { end: stop, isCut } = stopOf(source, index + beginning.length, CLOSING[source[index - 1] ?? ''])
    const isKnown = beginning.toLowerCase() === 'www.' || isCut
    done = stop
    if (!isKnown) continue
    const address = withoutTrail(source.slice(index, stop))
    if (address.length > beginning.length && !ENTITY.test(address))
      found.push({ start: index, end: index + address.length })
  }
  return found
}

/** Where the characters end that can be in an address, and whether CJK text begins there. */
function stopOf(source: string, from: number, closing: string | undefined): { end: number; isCut: boolean } {
  for (let at = from; at < source.length; at += 1) {
    const char = source[at] ?? ''
    if (/[\s<>]/u.test(char) || UNDECIDED.has(char)) return { end: at, isCut: false }
    if (char === ']' && /[([]/.test(source[at + 1] ?? '')) return { end: at, isCut: false }
    if (char === closing || isEnd(char, at, source)) return { end: at, isCut: true }
  }
  return { end: source.length, isCut: false }
}

function isEnd(char: string, at: number, source: string): boolean {
  const next = source[at + 1] ?? ''
  if (JOINING.has(char)) return !/[\p{L}\p{N}]/u.test(next)
  if (char === '*' || char === '~') return isCjk(next)
  if (SHARED.has(char)) return isCjk(next) || SHARED.has(next)
  return isCjkPunctuation(char)
}

/** An address without the punctuation at its end, as GitHub Flavored Markdown has it: a bracket that it has not opened, too. */
function withoutTrail(address: string): string {
  const excess = { ')': 0, ']': 0 }
  for (const char of address) {
    if (char === '(') excess[')'] -= 1
    else if (char === '[') excess[']'] -= 1
    else if (char === ')' || char === ']') excess[char] += 1
  }
  let end = address.length
  for (; end > 0; end -= 1) {
    const char = address[end - 1] ?? ''
    if (char === ')' || char === ']') {
      if (excess[char] <= 0) break
      excess[char] -= 1
    } else if (!/[?!.,:;*_~'"]/.test(char)) break
  }
  return address.slice(0, end)
}
