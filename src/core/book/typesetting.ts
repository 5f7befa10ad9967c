/** Prepares a book for the typesetter: long words may break, and text of right-to-left scripts is marked. */
import type { Book, BookBlock, BookInline } from './model.ts'

/** Where a line may break without a hyphen: the zero width space. */
export const BREAK = '\u200b'

/** A run without spaces that is longer than this may break. */
const LONG_WORD = 16
/** Such a run breaks after so many characters, if it has no punctuation before. */
const PIECE = 8

/** In a cell of a table with many columns, a word has less room. */
const LONG_WORD_OF_CELL = 8
const MANY_COLUMNS = 5

const runPattern = (least: number) => new RegExp(`[!-~\u00a1-\u024f]{${least},}`, 'g')
const LONG_RUN = runPattern(LONG_WORD)
const LONG_RUN_OF_CELL = runPattern(LONG_WORD_OF_CELL)
/**
 * A run of letters that is longer than any word, and has no place to break by the rules of Unicode (UAX #14): ideographs and the
 * scripts without spaces have such places.
 */
const LONGER_RUN =
  /(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\u200b])[\p{L}\p{M}\p{N}\p{P}\p{S}]){40,}/gu
const OTHER_PIECES = /(?:\P{M}\p{M}*){1,20}/gu
const PIECES = new RegExp(`[^/._,;:&?=#-]{1,${PIECE}}[/._,;:&?=#-]*|[/._,;:&?=#-]+`, 'g')

/** The text with places where a long word may break. */
function breakable(text: string, long = LONG_RUN): string {
  const clean = text.includes(BREAK) ? text.replaceAll(BREAK, '') : text
  if (clean.length < LONG_WORD_OF_CELL) return clean
  const broken = clean.replace(long, (run) => (run.match(PIECES) ?? [run]).join(BREAK))
  return broken.replace(LONGER_RUN, (run) => (run.match(OTHER_PIECES) ?? [run]).join(BREAK))
}

/** The strong characters of right-to-left scripts: Hebrew, Arabic and their neighbours, and their presentation forms. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const STRONG = /\p{L}/u

/** Whether the first letter of a text is written from right to left. */
function isRightToLeft(text: string): boolean {
  const letter = STRONG.exec(text)?.[0]
  return letter !== undefined && RIGHT_TO_LEFT.test(letter)
}

/** Makes the texts of a book ready for the typesetter, in place. */
export function prepareForTypesetter(book: Book): void {
  for (const chapter of book.chapters) prepareBlocks(chapter.blocks, book.direction)
}

function prepareBlocks(blocks: BookBlock[], direction: 'ltr' | 'rtl', long?: RegExp): void {
  for (const block of blocks) {
    switch (block.t) {
      case 'p':
      case 'h':
        if (direction === 'ltr' && isRightToLeft(firstText(block.c))) block.rtl = true
        prepareInlines(block.c, long)
        break
      case 'list':
      case 'cards':
      case 'columns':
        for (const item of block.items) prepareBlocks(item.b, direction, long)
        break
      case 'quote':
      case 'hint':
        prepareBlocks(block.b, direction, long)
        break
      case 'part':
        prepareInlines(block.title, long)
        prepareBlocks(block.b, direction, long)
        break
      case 'code':
        for (const line of block.lines) for (const run of line.c) run[0] = breakable(run[0], long)
        break
      case 'image':
        if (block.c) prepareInlines(block.c, long)
        break
      case 'table':
        for (const row of [...(block.head ? [block.head] : []), ...block.rows])
          for (const cell of row)
            prepareBlocks(cell.b, direction, row.length > MANY_COLUMNS ? LONG_RUN_OF_CELL : long)
        break
      case 'math':
      case 'rule':
    }
  }
}

function prepareInlines(inlines: BookInline[], long: RegExp | undefined): void {
  for (const one of inlines) {
    if (one.t === 's') one.s = breakable(one.s, long)
    else if (one.t === 'a') prepareInlines(one.c, long)
  }
}

function firstText(inlines: readonly BookInline[]): string {
  for (const one of inlines) {
    const text = one.t === 's' ? one.s : one.t === 'a' ? firstText(one.c) : ''
    if (STRONG.test(text)) return text
  }
  return ''
}
