import { quoted, refuse } from './sign-in-refused.ts'

/** Real responses have a few kilobytes, and some ten with the groups of a person. */
export const MOST_BYTES = 128 * 1024
const MOST_TAGS = 3000
const MOST_LEVELS = 12
/** A namespace is looked up in all declarations around an element, so many of them would take quadratic time. */
const MOST_NAMESPACES = 20
const LONGEST_TAG = 8192

/** Whether a posted field can be a response that is read at all: it must be base64 of text of a bounded length. */
export function decodeMessage(field: string, name: 'SAMLResponse' | 'SAMLRequest'): string {
  const base64 = field.replace(/\s+/g, '')
  if (base64 === '') refuse(`The request has no ${name}`)
  if (base64.length > (MOST_BYTES * 4) / 3 + 4) refuse(`The response has more than ${MOST_BYTES} bytes`)
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) refuse('The response is not base64')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
    return withLineFeeds(text)
  } catch {
    return refuse('The response is not UTF-8')
  }
}

/** Parsers of XML read all line breaks as line feeds, and signatures cover what was read (XML 1.0, section 2.11). */
export const withLineFeeds = (xml: string): string => xml.replace(/\r\n?/g, '\n')

/**
 * Refuses text that XML allows and SAML does not need: a document type, which can define entities, comments, which can
 * split a name in two, CDATA, processing instructions, and any entity but the five of XML. What is left is read the same
 * by every parser. It also bounds how much there is to read.
 */
export function checkXmlText(xml: string): void {
  const text = xml.replace(/^\uFEFF?\s*<\?xml [^<>?]*\?>/, '')
  const [odd] = /<!.{0,20}|<\?.{0,20}/s.exec(text) ?? []
  if (odd !== undefined) refuse(`The response contains ${quoted(odd)}; it must consist of elements only`)
  // XML 1.0 allows no other control characters, and a parser may drop them.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(text))
    refuse('The response contains a control character')
  checkEntities(text)
  checkTags(text)
}

const ENTITY = /&(?:(?:amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));/y

function checkEntities(text: string): void {
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    ENTITY.lastIndex = at
    const found = ENTITY.exec(text)
    if (!found) return refuse(`The response contains the entity ${quoted(text.slice(at, at + 20))}`)
    const [, decimal, hex] = found
    const code = decimal ? Number.parseInt(decimal, 10) : hex ? Number.parseInt(hex, 16) : 0x20
    // Line breaks and tabs by number are not normalized, so signers and readers can differ about them.
    if (code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
      refuse(`The response contains the character ${found[0]}`)
  }
}

const NAME = '[A-Za-z_][\\w:.-]*'
const ATTRIBUTE = `\\s+${NAME}\\s*=\\s*(?:"[^"<>]*"|'[^'<>]*')`
/** A closing tag, or an opening or empty one. */
const TAG = new RegExp(`<(?:/(${NAME})\\s*|(${NAME})(?:${ATTRIBUTE})*\\s*(/?))>`, 'y')

/**
 * Checks that the tags are written as XML demands, with an end for each beginning and nothing outside of the first: the
 * parser would repair the text, each in its own way. Also bounds their number.
 */
function checkTags(text: string): void {
  const open: string[] = []
  let [tags, from] = [0, 0]
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', from)) {
    const isOutside = open.length === 0
    if (isOutside && (text.slice(from, at).trim() !== '' || tags > 0))
      refuse('The response is not well-formed XML: something is outside of its first element')
    TAG.lastIndex = at
    const [tag = '', closed, opened = '', empty] = TAG.exec(text) ?? []
    if (tag === '') refuse(`The response is not well-formed XML at ${quoted(text.slice(at, at + 40))}`)
    if (closed !== undefined && open.pop() !== closed)
      refuse(`The response is not well-formed XML: ${quoted(closed)} ends where another element does`)
    if (closed === undefined && empty === '') open.push(opened)
    from = at + tag.length
    tags += 1
    if (tag.length > LONGEST_TAG) refuse(`The response has a tag of more than ${LONGEST_TAG} bytes`)
    if (tag.split('xmlns').length > MOST_NAMESPACES + 1)
      refuse(`The response declares more than ${MOST_NAMESPACES} namespaces at once`)
    if (tags > MOST_TAGS) refuse(`The response has more than ${MOST_TAGS} tags`)
    if (open.length > MOST_LEVELS) refuse(`The response has more than ${MOST_LEVELS} levels`)
  }
  if (open.length > 0 || text.slice(from).trim() !== '')
    refuse('The response is not well-formed XML: its end is missing, or something follows it')
}
