/** What an import leaves out, changes or doubts, as the rest of a sentence that begins with the path of a file. */
export const PROBLEM_REASONS = {
  // Texts and files
  'file-not-utf-8': 'is not UTF-8 text of at most {limit} MB',
  'file-missing': 'does not exist',
  'characters-not-utf-8': 'has characters that are not UTF-8 or are NUL; they are shown as \ufffd',
  'read-as-encoding': 'is not UTF-8; it is read as {encoding}',
  'reference-not-in-repository': 'refers to "{path}", which is not in the repository',
  'file-is-lfs-pointer':
    'is a pointer of Git LFS without its content; import a clone of the repository after "git lfs pull"',
  'pictures-outside':
    'shows {count, plural, one {# picture} other {# pictures}} from other servers, which are not imported',
  'file-unused': 'is used by no page, and is kept as a file',
  'page-divided': 'has {bytes} bytes; the limit is {limit}, so it is divided into {count} pages',
  'page-divided-hidden':
    'has {bytes} bytes; the limit is {limit}, so it is divided into {count} pages, and the parts after a condition are hidden from everybody; divide the page yourself',
  'include-too-long': 'is not included, because "{outer}" would have more than {limit} characters with it',
  'include-of-itself': 'is not included, because it includes itself: {cycle}',

  // Settings, and front matter in other formats than YAML
  'yaml-invalid': 'is not valid YAML: {cause}',
  'toml-too-long': 'has {size} characters; the limit is {limit}',
  'toml-not-table': 'is not a table of TOML',
  'toml-invalid': 'is not valid TOML: {cause}',
  'json-invalid': 'is not valid JSON',
  'settings-not-used': '{fault}; the file is not used',
  'settings-not-map': 'is not a map of settings',
  'setting-not-understood': 'the setting "{name}" is not understood, and not used',
  'setting-outside-repository': '"{name}" points outside the repository',
  'other-front-matter-left-out': 'The front matter in {format} is left out: it {fault}',
  'variable-name-characters': 'the name of the variable "{name}" must contain only letters, digits and "_"',
  'variable-not-value':
    'the variable "{name}" is neither a text of at most {limit} characters, a number nor a boolean',
  'variable-with-condition':
    'the variable "{name}" has "{tag}", which is no condition there, so what follows it is hidden from everybody',
  'variable-public-condition':
    'the variable "{name}" has "{text}", which is no condition, so everybody sees it',

  // Redirects
  'redirects-not-map': '"redirects" is not a map',
  'redirect-invalid-target': 'the redirect of "{from}" must be a URL or a path in the repository',
  'redirect-not-web': 'the redirect of "{from}" points to "{to}", which is not an http or https URL',
  'redirect-not-page': 'the redirect of "{from}" points to "{to}", which is not a page of the tree',
  'redirect-not-imported':
    'the redirect of "{from}" to "{to}" is not imported, because one of them is not a page',
  'redirects-beyond-limit':
    '{count, plural, one {# redirect from an old address is} other {# redirects from old addresses are}} not imported, because there are too many',

  // Tables of contents
  'contents-without-page': 'lists no pages',
  'contents-too-long': 'is too long',
  'contents-not-used': '{fault}; the page tree is generated from the folders',
  'contents-too-deep':
    'nests {count, plural, one {# page} other {# pages}} deeper than {limit} levels; they are beside those above them',
  'contents-computed': 'line {line}: the block has no "type" of computed pages',
  'contents-condition':
    '"{tag}" is no condition in a table of contents, so the entries up to its end are hidden from everybody; write the condition as "if" in the front matter of their pages',
  'contents-condition-unopened': '"{tag}" ends no condition, so it hides nothing',
  'contents-address-condition':
    'the address has "{tag}", which is no condition there, so the entry is left out; write the address without it',
  'contents-title-condition':
    'the title has "{tag}", which is no condition there, so what follows it is hidden from everybody',
  'contents-title-public': 'the title has "{text}", which is no condition, so everybody sees it',
  'entry-not-in-repository': '"{path}" is not in the repository; the page "{title}" is empty',
  'entry-listed-again': '"{path}" is listed more than once; the entry "{title}" is a link to the page',
  'entry-left-out': 'lists "{name}", which is not in the repository; the entry is left out',
  'entry-not-page': 'lists "{name}", which is no page of the archive; the entry is left out',
  'entry-empty': 'lists "{name}", which is not in the repository; the page is empty',

  // Pages that are not imported
  'page-unlisted': 'is not listed in the table of contents "{contents}"',
  'file-outside-root': 'is outside of "{root}" and not imported',
  'language-not-imported':
    'is the language "{language}" of the documentation, and not imported: {count, plural, one {# Markdown file} other {# Markdown files}}. Import it with the root "{folder}"',
  'version-not-imported':
    'is version "{version}" of the documentation, and not imported: {count, plural, one {# Markdown file} other {# Markdown files}}. Import it with the root "{folder}"',
  'language-of-version-not-imported':
    'is the language "{language}" in version "{version}" of the documentation, and not imported: {count, plural, one {# Markdown file} other {# Markdown files}}. Import it with the root "{folder}"',
  'folder-outside-root':
    'is outside of "{root}" and not imported: {count, plural, one {# Markdown file} other {# Markdown files}}. Import it with the root "{folder}"',
  'page-of-mdx':
    'is MDX; import its project with the source "docusaurus", "mintlify", "starlight" or "nextra"',
  'page-of-markdown': 'is Markdown, which the source "html" does not import',
  'page-of-other-markup': 'is not Markdown; convert it to Markdown first',
  'page-is-notebook': 'is a notebook, which is not imported',
  'page-is-footer-or-header': 'is not imported; set the footer and the header in the settings of the site',
  'page-is-post-or-draft': 'is not imported: it is a post or a draft',
  'page-is-draft': 'is not imported: it is a draft',
  'page-is-headless': 'is not imported: it is headless',
  'page-is-resource': 'is not imported: it is a resource of a page',
  'page-in-other-language': 'is not imported: it is in another language',
  'page-without-front-matter': 'is not imported: it has no front matter',
  'link-skipped': 'is a symbolic link or a submodule, and is not imported',
  'special-file-skipped': 'is not a plain file, and is not imported',
  'page-in-two-formats': 'is not imported, because there is {name}',

  // Parts of pages that are not imported, or not shown
  'page-kept-as-file': 'cannot be converted: {fault}. The page has a link to the file',
  'part-left-out': 'has {fault}, which is not understood and left out',
  'parts-left-out': 'has {fault}, {count} times, which is not understood and left out',
  'reference-not-in-archive': 'refers to {kind} {name}, which is not in the archive',
  'rows-left-out': 'has {count} rows; the first {limit} are imported',
  'pictures-left-out':
    'has {count, plural, one {# picture} other {# pictures}} in formats that browsers do not show; save them as PNG or SVG',
  'picture-linked-left-out': 'links to the picture "{address}", which the document does not contain',
  'tracked-changes-applied':
    'has tracked changes by {authors}: {insertions, plural, one {# insertion is} other {# insertions are}} kept, and {deletions, plural, one {# deletion is} other {# deletions are}} left out',
  'document-comments-left-out':
    'has {count, plural, one {# comment} other {# comments}} by {authors}; comments of documents are not imported',
  'document-charts-left-out':
    'has {count, plural, one {# chart or diagram} other {# charts and diagrams}}, which cannot be imported; replace them with pictures',
  'document-margins-left-out':
    'has {count, plural, one {# header or footer} other {# headers and footers}} with text, such as "{text}", which are not imported',
  'component-unwrapped':
    'has the component <{name}> {count, plural, one {once} other {# times}}; only what is in it is imported',
  'component-not-shown': 'the component <{name}> is not shown, only the text in it',
  'element-not-shown': 'the element <{name}> is not shown',
  'tag-shown-as-text': 'the tag "{tag}" is unknown and is shown as text',
  'integration-shown-as-settings': 'the block "{name}" is shown only as its settings',
  'integration-not-shown': 'the block "{name}" has nothing to show',

  // The parts of a page that are left out
  'unknown-shortcode': 'the shortcode "{name}"',
  'unknown-class': 'the class "{name}"',
  'unknown-extension': 'the extension "{name}"',
  'unknown-option': 'the option "{option}" of {directive}',
  'unknown-argument': '{directive} of "{name}"',
  'unknown-table': 'the table of "{name}"',
  'unknown-reference': 'the reference to "{name}"',
  'unknown-address': 'the reference {address}',
  'unknown-substitution': 'the substitution "{name}"',
  'unknown-role': 'the role "{name}"',
  'unknown-directive': 'the directive "{name}"',
  'unknown-format': '{directive} for "{name}"',
  'unknown-tag': 'the tag "{name}"',
  'unknown-value': 'the value "{name}"',
  'unknown-alert': 'the alert "{name}"',
  'unknown-block': 'the block "{name}"',
  'unknown-code': 'the code of "{name}"',
  'unknown-text': '{text}',

  // Websites
  'response-not-success': 'returned {status}',
  'response-not-html': 'is not a page of HTML',
  'response-not-image': 'is not an image',
  'website-rules-unread': '{url} {fault}',
  'response-unreadable': 'took too long to read or needed too much memory',
  'page-not-imported': 'was not imported: {fault}',
  'image-not-fetched': 'was not fetched: {fault}',
  'page-without-content': 'has no content without scripts; the page is empty',
  'page-too-far':
    'was not imported: an import reads pages that are at most {limit} links from the first page',
  'images-beyond-limit': 'has images that were not fetched: an import reads at most {limit} images',
  'images-after-limit': 'was not fetched, as all images after it: the limits of an import are reached',
  'website-too-many-pages':
    'An import reads at most {limit} pages of a website; {count, plural, one {# known address was} other {# known addresses were}} not read',
  'website-too-slow':
    'An import reads pages of a website for at most {limit} seconds; {count, plural, one {# known address was} other {# known addresses were}} not read',
  'website-too-large':
    'An import reads at most {limit} MB of a website; {count, plural, one {# known address was} other {# known addresses were}} not read',
} as const
