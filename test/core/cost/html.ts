/** Elements, pieces and attributes of HTML, repeated, nested and unclosed. */
import { nested, repeated, type Families } from './growth.ts'

const TAGS =
  'a b i div p span ul li ol table tr td th tbody caption h2 details summary blockquote pre code figure picture ' +
  'form select option textarea script style svg math template iframe object noscript title plaintext dl dd ruby rt ' +
  'font nobr button frameset body html head x-a'

/** Pieces that are repeated alone, in an element, in an attribute, and after text. */
const PIECES = [
  '<br>',
  '<img src="a.png">',
  '<!-- a -->',
  '<!--',
  '-->',
  '<![CDATA[a]]>',
  '<!DOCTYPE html>',
  '<?a?>',
  '</',
  '<',
  '&amp;',
  '&',
  '&#65;',
  '&#x41;',
  '&notanentity;',
  '&am',
  '"',
  "'",
  '=',
  '>',
  'a ',
  ' ',
  '\n',
  '\0',
  '中',
  '😀',
  '<a b="c">',
  '<a href="javascript:a">',
  '<a href=x',
  '<b a',
  '</b a="c">',
  '<p style="text-align:left">',
]

/** Values that an element may have very long ones of. */
const VALUES: Record<string, [before: string, unit: string, after: string]> = {
  'an address': ['<a href="', 'a/', '">x</a>'],
  'an address of dots': ['<a href="', '../', '">x</a>'],
  'an address of colons': ['<a href="', 'a:', '">x</a>'],
  'an address of spaces': ['<a href="', ' ', ':x">x</a>'],
  'an address of hidden signs': ['<a href="', '\u200b', 'javascript:x">x</a>'],
  'a style': ['<p style="', 'a:b;', '">x</p>'],
  'a style of spaces': ['<p style="a:b;', ' ', 'text-align:left">x</p>'],
  'a style of semicolons': ['<p style="', ';', '">x</p>'],
  'a style of alignments': ['<p style="', 'text-align', '">x</p>'],
  classes: ['<p class="', 'a ', '">x</p>'],
  'a title': ['<p title="', '&quot;', '">x</p>'],
  attributes: ['<p ', 'a="b" ', '>x</p>'],
  'attributes without values': ['<p ', 'a ', '>x</p>'],
  'a name': ['<', 'a', '>x'],
  'an attribute name': ['<p ', 'a', '="b">x</p>'],
  'a comment': ['<!--', '-', '-->'],
}

/** Every family of HTML, by name. */
export const HTML: Families = {
  ...Object.fromEntries(
    TAGS.split(' ').flatMap((name) => [
      [`${name} in one another`, nested(`<${name}>`, `</${name}>`)],
      [`${name} one after the other`, repeated(`<${name}>x</${name}>`)],
      [`${name} without an end`, repeated(`<${name}>`)],
      [`${name} without a beginning`, repeated(`</${name}>`)],
      [`${name} that closes others`, repeated(`<b><${name}><i></b>`)],
    ]),
  ),
  ...Object.fromEntries(
    PIECES.flatMap((piece) => [
      [`${JSON.stringify(piece)} alone`, repeated(piece)],
      [`${JSON.stringify(piece)} in an element`, repeated(piece, '<div>', '</div>')],
      [`${JSON.stringify(piece)} in an attribute`, repeated(piece, '<p title="', '">x</p>')],
      [`${JSON.stringify(piece)} in a table`, repeated(piece, '<table>', '</table>')],
      [`${JSON.stringify(piece)} in a script`, repeated(piece, '<script>', '</script>')],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, [before, unit, after]]) => [name, repeated(unit, before, after)]),
  ),
  'different attributes': (size) =>
    `<p ${Array.from({ length: size / 10 }, (_, index) => `a${index}="b"`).join(' ')}>x</p>`,
}
