import type { HintStyle } from '../model.ts'

/** The words that the renderer adds to the content of a page, in one language. */
export interface ContentWords {
  /** Names the kind of a hint, because not every reader sees its colour. */
  hint: Record<HintStyle, string>
  /** A tab without a title. */
  tab(number: number): string
  details: string
  done: string
  toDo: string
  yes: string
  no: string
  rating(stars: number, most: number): string
  /** A block of code. @param language undefined for plain text */
  code(language: string | undefined): string
  copyCode: string
  image: string
  drawing: string
  formula: string
  table: string
  file: string
  missingFile: string
  missingTarget: string
  unknown: string
  noAddress: string
  watchVideo: string
  webhook: string
  schemas: string
  description: string
  linkTo(title: string): string
  notes: string
  backToText: string
  includesItself: string
  nestedTooDeeply: string
  includesTooMuch: string
  takesTooLong: string
}

export const ENGLISH_CONTENT: ContentWords = {
  hint: { info: 'Note', success: 'Success', warning: 'Warning', danger: 'Danger' },
  tab: (number) => `Tab ${number}`,
  details: 'Details',
  done: 'Done',
  toDo: 'To do',
  yes: 'Yes',
  no: 'No',
  rating: (stars, most) => `${stars} of ${most}`,
  code: (language = 'Plain text') => `${language} code`,
  copyCode: 'Copy code',
  image: 'Image',
  drawing: 'Drawing',
  formula: 'Formula',
  table: 'Table',
  file: 'File',
  missingFile: 'This file is missing.',
  missingTarget: 'The target of this link does not exist',
  unknown: 'Unknown',
  noAddress: 'This embed has no valid address.',
  watchVideo: 'Watch the video',
  webhook: 'Webhook',
  schemas: 'Schemas',
  description: 'Description',
  linkTo: (title) => `Link to this section: ${title}`,
  notes: 'Notes',
  backToText: 'Back to the text',
  includesItself: 'This content includes itself and is left out here.',
  nestedTooDeeply: 'This content is nested too deeply and is left out here.',
  includesTooMuch: 'This page includes too much; this content is left out here.',
  takesTooLong: 'This page takes too long to be shown. This is its source.',
}
