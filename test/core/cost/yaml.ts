/** Pieces of YAML alone, after a key, by indentation, in lists, in brackets and in quotes. */
import { nested, repeated, type Families } from './growth.ts'

/** Pieces of YAML. Each is repeated alone, after a key, on indented lines, in a list and in brackets, and nested. */
export const YAML_PIECES = [
  'a: b|a|: |- b|? a|? - |? [|- - |- ? |!a |!!str x|!<|!<a> x|&a x|*a|[|]|{|}|[a]|{a: b}|, |[? !<]>|"'.split(
    '|',
  ),
  `'~"b" ~'b' ~|\n~>\n~|+1\n~# c~ ~\t~\n~\r~\r\n~%a~---\n~...\n~@~\`~<<: {a: b}~[a]: b~{a: b}: c~\\u0041`.split(
    '~',
  ),
  ['a: b: c', 'a: "x', "a: 'x", '\ufeff', '中: 文', '😀', '\0'],
].flat()
const lines = (unit: string, indent = '') => `${indent}${unit}\n`

/** Every family of YAML, by name. */
export const YAML: Families = Object.fromEntries(
  YAML_PIECES.flatMap((piece) => [
    [`${piece} repeated`, repeated(piece)],
    [`${piece} after a key`, repeated(piece, 'a: ')],
    [`lines of ${piece}`, repeated(lines(piece))],
    [`indented lines of ${piece}`, repeated(lines(piece, '  '), 'a:\n')],
    [`a list of ${piece}`, repeated(lines(piece, '- '), 'a:\n')],
    [`values ${piece}`, repeated(lines(piece, 'a: '))],
    [`${piece} in brackets`, repeated(`${piece}, `, 'a: [', ']')],
    [`${piece} in braces`, repeated(`a: ${piece}, `, 'a: {', '}')],
    [`${piece} in a block of text`, repeated(lines(piece, '  '), 'a: >\n')],
    [`${piece} in quotes`, repeated(lines(piece, '  '), 'a: "', '"')],
    [`${piece} by indentation`, deeper(piece)],
    [`${piece} nested`, nested(`[${piece}, `, ']')],
  ]),
)

function deeper(piece: string) {
  return (size: number) =>
    Array.from({ length: Math.sqrt(2 * size) }, (_, index) => ' '.repeat(index) + piece).join('\n')
}
