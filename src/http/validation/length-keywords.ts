import { _, type Ajv, type CodeKeywordDefinition, type KeywordCxt, str } from 'ajv'

/**
 * The limits of the length of a text. Ajv counts the code points of each text, which takes 2 ms for a megabyte. A code
 * point has one or two UTF-16 units, whose number is known, so most texts need not be counted.
 */
const LENGTHS: CodeKeywordDefinition = {
  keyword: ['maxLength', 'minLength'],
  type: 'string',
  schemaType: 'number',
  // An empty text is too short rather than blank.
  before: 'pattern',
  error: {
    message: ({ keyword, schemaCode }) =>
      str`must NOT have ${keyword === 'maxLength' ? 'more' : 'fewer'} than ${schemaCode} characters`,
    params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
  },
  code(context: KeywordCxt) {
    const { gen, keyword, data, schemaCode } = context
    const isWithin = keyword === 'maxLength' ? isAtMost : isAtLeast
    const checked = gen.scopeValue('func', { ref: isWithin })
    context.fail$data(_`!${checked}(${data}, ${schemaCode})`)
  },
}

/** Makes the limits of lengths quick. */
export function addLengthKeywords(ajv: Ajv): void {
  ajv.removeKeyword('maxLength')
  ajv.removeKeyword('minLength')
  ajv.addKeyword(LENGTHS)
}

function isAtMost(text: string, limit: number): boolean {
  if (text.length <= limit) return true
  return text.length <= 2 * limit && codePoints(text) <= limit
}

function isAtLeast(text: string, limit: number): boolean {
  if (text.length < limit) return false
  return text.length >= 2 * limit || codePoints(text) >= limit
}

/** The code points of a text without lone surrogates. */
function codePoints(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd8_00 && unit <= 0xdb_ff) count -= 1
  }
  return count
}
