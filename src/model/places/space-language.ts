/** The language of a space: a code of the API, and a tag for the languages and varieties that the API has no code for. */
import { Type } from 'typebox'
import { canonicalTag, codeOfTag, LONGEST_TAG } from '../../core/languages/language-tag.ts'
import { because } from '../../core/languages/reasons.ts'
import { invalidField } from '../../http/errors.ts'

/** The field of a request that sets the tag. */
export const LanguageTagField = Type.String({
  minLength: 2,
  maxLength: LONGEST_TAG,
  description:
    'A language tag (BCP 47), such as `fa` or `zh-TW`, for a language or variety that `language` does not have. It also sets `language` to the code of the language, or clears it if there is no code. Setting only `language` clears the tag.',
})

interface LanguageFields {
  language?: string | null
  languageTag?: string | null
}

/**
 * The columns that a request sets, with the one that follows from the other.
 * @throws 400 if the tag is none, or of another language than the code
 */
export function languageColumns({ language, languageTag }: LanguageFields): LanguageFields {
  if (languageTag === undefined) return language === undefined ? {} : { language, languageTag: null }
  if (languageTag === null) return { ...(language === undefined ? {} : { language }), languageTag }
  const tag = canonicalTag(languageTag)
  if (tag === undefined) throw invalidField('body.languageTag', because('not-a-language-tag'))
  const code = codeOfTag(tag) ?? null
  if (language !== undefined && language !== code)
    throw invalidField('body.languageTag', because('language-tag-differs'))
  // A tag that is a code says nothing more.
  return { language: code, languageTag: code === tag.toLowerCase() ? null : tag }
}
