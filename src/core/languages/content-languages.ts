const CODES =
  'en fr de es it pt pt-br ru ja zh yue ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr lt lv et sl'

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text

/** The code of a language of content. */
export type Language = Words<typeof CODES>

/** The codes of the languages of content. */
export const LANGUAGES: string[] = CODES.split(' ')
