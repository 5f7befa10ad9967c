/** Why a change of a batch is refused, as the end of a sentence that the place of the change begins, or as a whole one. */
export const BATCH_REASONS = {
  // What a change names
  'page-unknown': '"{name}" is not a page of this content, nor the "ref" of an earlier change',
  'page-of-neither': '"{id}" is neither a page of this content nor of the revision',
  'page-not-in-base':
    '"{id}" is not in the revision "{revision}" that the batch is based on: read the page, and send the revision that has it',
  'page-computed':
    '"{id}" is computed from an OpenAPI specification, so it cannot be changed: change the specification, or the computed page, which the page tree has with "computed=false"',
  'page-without-body': 'must be a page with a body, but "{id}" is a {type} page',
  'page-changed-earlier': 'an earlier change of the batch changes the page; send two batches',
  'file-unknown': '"{id}" is not a file of this content',
  'file-not-in-base':
    '"{id}" is not in the revision "{revision}" that the batch is based on: read the file, and send the revision that has it',
  'cover-file-unknown': '"{name}" must be a file of this content, but was "{id}"',
  'reusable-content-unknown': '"{id}" is not a reusable content of this content',
  'revision-not-named':
    'must name the revision to go back to: only a change request has one that it began with',
  'revision-unknown': 'must be the id of a revision of this space, but was "{id}"',
  'name-used-twice': '"{name}" is the name of something else in this batch',

  // Where a page goes
  'no-pages-below': '"{id}" is a {type} page, which has no pages below it',
  'group-not-at-top': 'a group can only be at the top level; use null',
  'page-below-itself': 'a page cannot be below itself',
  'slug-taken': '"{slug}" is taken by another page there, or by what a site makes itself',
  'slug-invalid': 'can hold lower-case letters, digits, ".", "_", "+" and "-"; use "{slug}"',

  // Documents
  'page-type-without': 'a {type} page has none',
  'computed-without-document': 'a computed reusable content has none',
  'document-two-forms': 'must have "markdown" or "document", not both',
  'document-three-forms': 'must have "markdown", "document" or "blocks", not more than one',
  'document-field-unknown':
    'has no field "{field}": send "markdown", "document" or "blocks", or {} for an empty page',
  'blocks-of-other-operation': 'belongs to "update_page" and "update_reusable_content"',
  'blocks-without-page': 'needs a page or reusable content that existed before the batch',
  'block-page-not-in-revision': 'the revision does not have this page; leave "block" out to take it away',
  'revert-block-unknown': '"{key}" is not a block of the page, now or in the revision',

  // Variables and redirects
  'variable-name-invalid': '"{name}" must be a letter, followed by letters, digits and "_"',
  'variable-value-invalid': 'must be a text of at most 256 characters, a number or a boolean',
  'too-many-values-of-space': 'would make {size} {field} of the space; at most {limit} are allowed',
  'not-page-or-url': 'must be a page of the space, or a URL with http or https',
} as const
