/**
 * Web addresses in Chinese, Japanese and Korean text, which has no spaces. GitHub Flavored Markdown ends an address at white
 * space, so the parser takes the text behind `https://example.com。` into the link.
 */
import { isCjkPunctuation } from './cjk.ts'

/** A part of what the parser took for one address: an address, or text. */
export type AddressPart = { address: string } | { text: string }

/** Signs that are punctuation between sentences, and a part of names such as `ジョン・レノン`. */
const JOINING = new Set('・･〜～')
const LETTER = /[\p{L}\p{N}]/u
const NEXT = /https?:\/\/(?=[\p{L}\p{N}])/giu

/**
 * Divides what the parser took for an address at CJK punctuation.
 * @returns undefined if all of it is one address
 */
export function splitAddress(written: string): AddressPart[] | undefined {
  const parts: AddressPart[] = []
  let done = 0
  for (let start = 0; start !== -1; start = nextAddress(written, done)) {
    const cut = endOfAddress(written, start)
    if (start === 0 && cut === written.length) return undefined
    const address = cut === written.length ? written.slice(start) : withoutTrail(written.slice(start, cut))
    if (done < start) parts.push({ text: written.slice(done, start) })
    parts.push({ address })
    done = start + address.length
  }
  if (done < written.length) parts.push({ text: written.slice(done) })
  return parts
}

function nextAddress(written: string, from: number): number {
  NEXT.lastIndex = from
  return NEXT.exec(written)?.index ?? -1
}

/** Where CJK punctuation ends an address. */
function endOfAddress(written: string, start: number): number {
  for (let at = start; at < written.length; at += 1) {
    const char = written.charAt(at)
    if (JOINING.has(char) ? !LETTER.test(written.charAt(at + 1)) : isCjkPunctuation(char)) return at
  }
  return written.length
}

/** An address without the punctuation at its end, as GitHub Flavored Markdown has it: a bracket that it has not opened, too. */
function withoutTrail(address: string): string {
  let excess = 0
  for (const char of address) excess += char === '(' ? -1 : char === ')' ? 1 : 0
  let end = address.length
  for (; end > 0; end -= 1) {
    const char = address.charAt(end - 1)
    if (char === ')' && excess > 0) excess -= 1
    else if (!/[?!.,:*_~'"]/.test(char)) break
  }
  return address.slice(0, end)
}
