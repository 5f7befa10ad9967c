/** Tags of languages (BCP 47), and the codes of the languages of content that they have. */
import { LANGUAGES } from './content-languages.ts'

/** The most characters of a tag. */
export const LONGEST_TAG = 35

const CODES = new Set(LANGUAGES)

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * The usual spelling of a tag: `zh_tw` becomes `zh-TW`.
 * @returns undefined if it is no tag, or that of a language without a name
 */
export function canonicalTag(tag: string): string | undefined {
  const written = tag.replaceAll('_', '-')
  const [base] = /^[a-z]{2,3}(?=-|$)/i.exec(written) ?? []
  if (tag.length > LONGEST_TAG || base === undefined || NAMES.of(base) === undefined) return undefined
  try {
    return Intl.getCanonicalLocales(written)[0]
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The code of content for a tag: `pt-br` for `pt-BR`, `zh` for `zh-Hant-TW`, undefined for `fa`. */
export function codeOfTag(tag: string): string | undefined {
  const lower = tag.toLowerCase().replaceAll('_', '-')
  const base = lower.split('-', 1)[0] ?? ''
  return [lower, base, SAME[base]].find((code) => code !== undefined && CODES.has(code))
}

/** Languages whose tag differs from the code of content for it. */
const SAME: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', iw: 'he', in: 'id' }
