import type { TokenKind } from './renderer.ts'

/** The class of a token on the page. */
export const TOKEN_CLASS: Record<TokenKind, string> = {
  comment: 'tc',
  keyword: 'tk',
  string: 'ts',
  constant: 'tn',
  function: 'tf',
  type: 'ty',
  variable: 'tv',
  property: 'tp',
  tag: 'tt',
  inserted: 'ti',
  deleted: 'td',
  heading: 'th',
  emphasis: 'te',
  strong: 'tb',
}
