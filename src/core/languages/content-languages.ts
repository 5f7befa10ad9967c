const CODES =
  'en fr de es it pt pt-br ru ja zh yue ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr lt lv et sl'

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text

/** The code of a language of content. */
export type Language = Words<typeof CODES>

const MORE_TAGS =
  'af am az bn bs ca cy de-AT de-CH en-GB en-US es-419 eu fa fil fr-CA ga gl gu hy is ka kk km kn lo mk ml mn mr my ne pa pt-PT si sq sr sw ta te ur uz zh-HK zh-TW'

/** Tags of languages and varieties that have no code of content, of which the console offers a choice. */
export const OTHER_LANGUAGE_TAGS: string[] = MORE_TAGS.split(' ')

/** The codes of the languages of content. */
export const LANGUAGES: string[] = CODES.split(' ')
