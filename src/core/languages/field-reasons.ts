/** Why a value of a field of a page or a space is refused, and why a conflict is not resolved with it. */
export const FIELD_REASONS = {
  // Texts
  'field-needed': 'cannot be null',
  'not-one-line': 'must be one line of text that is not empty',
  'field-not-text': 'must be a string',
  'field-too-long': 'can have at most {limit} characters, but has {size}',

  // Fields with parts
  'not-tags': 'must be at most {limit} of {shape}, "primary" being optional',
  'not-variables': 'must be variables by their names',
  'too-many-variables': 'can have at most {limit} variables',
  'variable-name-not-allowed':
    'has the name "{name}", which must be a letter, followed by letters, digits and "_"',
  'part-refused': '"{name}" {fault}',
  'value-refused': '{name} {fault}',
  'layout-setting-unknown': 'has no setting "{name}"; its settings are {names}',
  'cover-without-picture': 'must have "ref" or "refDark"; use null to remove the cover',
  'not-file-or-url': 'must be of the kind "file" or "url"',
  'not-picture-url': 'must be a URL with http or https',
  'target-without-url': 'must have a URL',
  'not-link-target': 'must be a path, or a URL with http, https, mailto or tel',
  'reference-too-long': 'can have at most {limit} characters',
  'not-address': 'must be an address of at most {limit} characters',
  'redirect-path-empty': 'must be a path that is not empty',
  'redirect-path-form': 'must be a path of the space, without a host, "?" and "#"',
  'redirect-path-relative': 'must be a path from the root of the space, without "." and ".."',
  'not-redirect-target': 'must be a path of a page or a URL with http or https, but was {value}',

  // Resolving a conflict
  'content-refused': '"content": {fault}',
  'conflict-without-content':
    'this conflict does not accept content; send a side. Content is accepted for blocks of a body and for the fields {names}',
  'content-not-block': '"content" must be Markdown, or null for no block',
  'content-too-long': '"content" may have {limit} characters in front matter',
  'content-not-comments': '"content" must be comments, or null for none',
  'content-not-key':
    '"content" must be the lines of the front matter\'s key "{key}" and of nothing else, or null for none',
  'conflict-block-changed':
    'The block was changed since the conflict was found; edit the page "{title}" and settle the conflict with the own side',
  'conflict-gone-page': 'The page "{title}" is not there any more; settle the conflict with the own side',
  'conflict-gone-file': 'The file "{title}" is not there any more; settle the conflict with the own side',
  'conflict-gone-reusable-content':
    'The reusable content "{title}" is not there any more; settle the conflict with the own side',
  'conflict-gone-space': 'The space "{title}" is not there any more; settle the conflict with the own side',
  'conflict-not-reopened':
    'The content has changed since the conflict was resolved; edit it instead, or restore it from the history',
  'other-place-gone': 'The page above the other place is not there any more',
  'other-place-below': 'The other place is below the page itself; move the page that is above it first',
  'pages-below-now':
    'Below the page "{title}" there is now what the conflict is not about: {names}; move that elsewhere first',
  'more-pages-below-now':
    'Below the page "{title}" there is now what the conflict is not about: {names} and {count} more; move that elsewhere first',
} as const
