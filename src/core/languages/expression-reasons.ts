/** Why an expression is refused when it is set, and why it has no value when it is evaluated. */
export const EXPRESSION_REASONS = {
  // The place of a fault in an expression
  'expression-at-column': '{fault} at column {column}',
  'expression-at-line': '{fault} at line {line}, column {column}',

  // Text that is no expression
  'expression-too-long': 'An expression has at most {limit} characters',
  'expression-not-one': 'This is not one expression: unexpected text',
  'expression-unexpected': 'Unexpected token',
  'expression-unexpected-character': "Unexpected character '{character}'",
  'expression-text-open': 'Unterminated string constant',
  'expression-template-open': 'Unterminated template',
  'expression-pattern-open': 'Unterminated regular expression',

  // Syntax that expressions do not have
  'expression-unsupported': '{syntax} is not supported',
  'expression-step': '++ or -- is not supported',
  'expression-assignment': 'An assignment is not supported',
  'expression-tagged-template': 'A tagged template is not supported',
  'expression-meta-property': 'A meta property is not supported',
  'expression-private-name': 'A private name is not supported',
  'expression-method-definition': 'A method is not supported',
  'expression-large-number': 'Numbers that end in n are not supported',
  'expression-pattern-not-searched': 'A regular expression can only be searched for, as in /a/.test(text)',
  'expression-function-not-given':
    'A function can only be given to a method, as in list.some((item) => item > 1)',
  'expression-function-form': 'Only functions like (item) => item > 1 are supported',
  'expression-function-parameters': 'Only plain parameters of a function are supported',
  'expression-no-functions': 'Only methods can be called: there are no functions',
  'expression-variable-unknown': '"{name}" is not a variable ({names})',
  'condition-in-quotes':
    'This text is the same for every visitor, so nobody meets the condition: remove the quotes around it',
  'condition-in-brackets':
    'An array or object is true for every visitor, so nobody meets the condition: remove the brackets around it',

  // Regular expressions
  'pattern-flags': 'The flags "{flags}" of a regular expression are not supported',
  'pattern-repeats': 'A regular expression repeats something more than {limit} times',
  'pattern-repeats-varying':
    'A regular expression repeats a group that itself varies; write a class, as in [ab]*, instead',
  'pattern-looks-around': 'A regular expression looks around or back, which is not supported',

  // Evaluating
  'expression-too-deep': 'The expression is nested more than {limit} levels deep',
  'expression-too-slow': 'The expression takes too many steps',
  'expressions-too-slow': 'The expressions of this response take too many steps together',
  'expression-text-too-long': 'A text is longer than {limit} characters',
  'expression-array-too-long': 'An array has more than {limit} items',
  'expression-array-too-deep': 'An array is nested too deeply',
  'expression-not-data': 'Only data can become text',
  'expression-not-spread': 'Only arrays and texts can be spread into an array',
  'expression-function-as-value': 'A function or regular expression cannot be used as a value',
  'expression-function-needed': 'An arrow function is needed, as in list.some((item) => item > 1)',
  'expression-pattern-needed': 'A regular expression literal is needed',
} as const
