/** What a book does not have as the site shows it, and why. */
export const BOOK_REASONS = {
  'page-set-as-plain-text': 'The page was set as plain text: {fault}',
  'page-without-font':
    'No font has the letters of {scripts}, so they cannot be read. An administrator of the server can put a font with this script, such as {font}, in the folder that LECTERN_FONTS names',

  // Why a page was set as plain text
  'page-costly-to-read': 'It took too much time or memory to read',
  'page-costly-to-set': 'It took too much time or memory to set',
} as const
