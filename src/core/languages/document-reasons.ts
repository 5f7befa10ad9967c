/** Why a change of a document or a batch is refused, and what the source of a page hides from its readers. */
export const DOCUMENT_REASONS = {
  // Conditions in the source of a page
  'condition-tag-open':
    'a tag that begins like a condition has no end in its line, so what follows it is hidden from everybody; write "{% if … %}" and "{% endif %}" as the manual shows, or put a backslash before the tag',
  'condition-lookalike':
    '{tag} is no condition, so what follows it is hidden from everybody; write "{% if … %}" and "{% endif %}" as the manual shows, or put a backslash before the tag',
  'condition-in-front-matter':
    '"{key}" of the front matter has {tag}, which is no condition there, so what follows it is hidden from everybody; put the condition around a whole block, or write it as "if" of the front matter',
  'condition-in-title':
    'the title has {tag}, which is no condition there, so what follows it in the title is hidden from everybody; put the condition around a whole block, or write it as "if" of the front matter',
  'condition-in-label':
    '{tag} is in a text that everybody sees whole, such as the label of a button or the title of a column, so its words are hidden from everybody; put the condition around the whole block',
  'condition-of-page-misspelled':
    '{entry} of the front matter is no condition, so the page is hidden from everybody; write it once, as "if: " and the condition in single quotes',
  'condition-of-page-invalid':
    '"if" of the front matter is not a valid condition, so the page is hidden from everybody: {fault}',
  'condition-invalid-in-page':
    '{tag} is not a valid condition, so what follows it is hidden from everybody: {fault}',
  'condition-unclosed':
    '{tag} has no "{% endif %}", so the rest of the page is hidden from everybody who does not meet it; write "{% endif %}" where the condition ends',
  'condition-in-value':
    'a value of the tag "{tag}" has a condition, which is none there, so what follows it in the value, or the block around a tag within a line, is hidden from everybody; put the condition around the whole block',
  'condition-in-attribute':
    '{tag} has a condition, which is none there, so what belongs to the tag is hidden from everybody; write "{% if … %}" before the block and "{% endif %}" after it',
  'condition-unopened':
    '{tag} ends no condition, so what is before it is shown to everybody; write "{% if … %}" where the condition begins, or put a backslash before the tag',
  'condition-end-ignored':
    '{tag} does not end the condition before it, because it is where no condition can end, such as a value of another tag, an address, a comment, a formula, code or a cell without text, so what follows stays hidden; write "{% endif %}" below the block if the condition ends there, or put a backslash before the tag',
  'condition-misbegun':
    '{tag} ends a condition that begins in a value of another tag, in a formula, in the front matter or in an included page, where it is none, so what is between them is hidden from readers who do not meet it; write "{% if … %}" before the first block that it hides',
  'condition-in-formula':
    '{tag} is in a formula, where it is text, so readers may see what a condition would hide there; end the formula before it, and write "\\$" for a dollar sign that begins no formula',
  'condition-in-open-code':
    '{tag} is in or below a block of code that has no end, so readers may see what conditions would hide there; end the code in a line that has only the sign of its beginning, and write an empty line between HTML and code',
  'condition-named':
    '{tag} has no end and no condition, so it hides nothing and everybody sees it as text; write "{% if … %}" and "{% endif %}" as the manual shows to hide what follows it, or write the tag as code',
  'condition-in-html-fence':
    '{text} is between fences directly below HTML, which Markdown reads as HTML and not as code, so it looks like a condition that hides nothing; write an empty line between the HTML and the fence',
  'condition-public':
    '{text} seems to be meant as a condition, but is none, so everybody sees what it should hide; write "{% if … %}" and "{% endif %}" as the manual shows, or write the text as code',
  'expression-in-title':
    'the title has the expression {expression}, which readers see as its source; write the expression in the text of the page instead',
  'expression-in-label':
    'the expression {expression} is in a label, a title or an alternative text, where readers see its source; write it in the text of a block instead',
  'shown-as-source': 'cannot be read as Markdown and is shown as its source: {fault}',

  // Documents
  'not-document': 'must be "document"',
  'html-against-conditions':
    'has HTML, because of which a condition would not hide what it hides: it cannot have tags of conditions, comments without an end or Markdown',
  'nested-too-deep': 'is nested deeper than {limit} levels',
  'group-empty': 'must hold at least one "{type}"',
  'not-block': 'must be "block"',
  'block-type-unknown': 'must be the type of a block',
  'group-member-wrong': 'must be "{type}" in "{group}"',
  'group-member-outside': '"{type}" is allowed only in its own group',
  'not-fragment': 'must be "fragment"',
  'mark-type-unknown': 'must be the type of a mark',
  'not-inline-or-text': 'must be "inline" or "text"',
  'inline-type-unknown': 'must be the type of an inline',
  'block-key-not-text': 'must be a text: the key of the block that stays',
  'block-not-of-page': '"{key}" is not the key of a top-level block of the page',
  'block-kept-twice': '"{key}" is kept twice',
  'page-beyond-limit': 'the page {fault}; split the page',

  // The limits of a page, as the rest of a sentence that begins with its name
  'page-exceeds-limit': '"{name}" {fault}; split the page',
  'head-exceeds-limit': '"{name}" {fault}',
  'has-too-many-bytes':
    'has {bytes} bytes of Markdown, with its front matter and title; the limit is {limit}',
  'has-too-many-blocks': 'has {size} blocks; the limit is {limit}',
  'has-too-many-cells': 'has {size} cells of tables; the limit is {limit}',
  'has-too-many-inlines': 'has {size} links, marks and other parts of lines; the limit is {limit}',
  'has-too-many-formulas': 'has {size} formulas; the limit is {limit}',
  'has-too-many-formula-characters': 'has {size} characters in formulas; the limit is {limit}',
  'has-long-title': 'has a title of {size} characters; the limit is {limit}',
  'has-front-matter-that': 'has front matter that {fault}',
  'front-matter-not-used': '{fault}; it is kept, but not used',
  'title-cut': '{fault}; the rest is not in its title',
  'too-long-to-parse': 'it would take too long to parse',

  // YAML that is not read, as the rest of a sentence that begins with what has it
  'yaml-too-long': 'has {size} characters; the limit is {limit}',
  'yaml-explicit-key': 'has an explicit key ("?") on line {line}',
  'yaml-tag': 'has a tag ("{tag}"; put text that begins with "!" in quotes) on line {line}',
  'yaml-too-many-anchors': 'has more than {limit} anchors and aliases ("&", "*") on line {line}',
  'yaml-nested': 'nests more than {limit} levels deep on line {line}',
  'markdown-too-long': 'must not be longer than {limit} characters of Markdown',
} as const
