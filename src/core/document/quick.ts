/** Longer sources may take more than a few milliseconds to read and show. */
const MOST_CHARACTERS = 6_000
/** Each sign of the markup can become a node, which costs as much as a hundred characters of text. */
const MOST_SIGNS = 600
const SIGNS = /[|<>*_`~{}[\]!&:-]/g
/** Formulas and included content cost more than their source shows. */
const COSTLY = /\$\$|\{%\s*include/

/** Whether a source is known to be read, and rendered or printed, within a few milliseconds, so that it needs no thread. */
export function isQuick(source: string): boolean {
  if (source.length > MOST_CHARACTERS || COSTLY.test(source)) return false
  let signs = 0
  SIGNS.lastIndex = 0
  while (signs <= MOST_SIGNS && SIGNS.test(source)) signs++
  return signs <= MOST_SIGNS
}
