/** Why a value of a document does not have the shape that it should. The editor of the console loads only this table. */
export const SHAPE_REASONS = {
  'not-text': 'must be text',
  'not-object': 'must be an object',
  'not-list': 'must be a list',
  'not-number': 'must be a number',
  'not-flag': 'must be true or false',
  'not-texts': 'must be a list of texts',
  'not-anchor': 'must be of a-z, 0-9 and - . + _',
  'not-code-point': 'must be a code point in hexadecimal',
  'column-name-differs': 'must be the name that the column has',
  'column-unknown': 'must be of a column that the table has',
  'cell-does-not-fit': 'must be what a column of the type "{type}" holds',
  'wrong-value': 'must be {options}',
} as const
