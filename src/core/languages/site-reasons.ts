/** Why the server refuses a request about a site or its readers. */
export const SITE_REASONS = {
  // Addresses
  'no-site-here': 'There is no site at this address',
  'no-file-here': 'There is no file at this address',
  'no-pdf-here': 'There is no PDF at this address',
  'no-origin-here': 'This site has no origin at {host}; send the origin as its "proxy"',
  'form-not-taken': 'Send no {type} to this path',
  'site-read-only': 'Sites are read-only: send {allowed} instead of {method}',
  'sign-out-from-elsewhere': 'Another page sent this request. To sign out, open {address}',
  'path-taken': 'Another {kind} has the path "{path}"; choose another one',
  'host-name-taken': 'Another site has the host name "{name}"; choose another one',
  'host-name-of-installation': 'must not be "{name}", which belongs to this installation',
  'basename-taken': 'Another site of the organization uses the basename "{name}"; choose another one',
  'not-path-segment':
    'must be one segment of a URL: no "/", "?", "#", "%" or spaces, and not beginning with "~"',
  'like-share-key': 'must not have the form of the key of a share link',
  'not-http-url': 'must be an absolute URL with http or https',
  'not-plain-url': 'must be an absolute URL without a user name or password',

  // Publishing
  'site-without-spaces': 'The site has no spaces, so it cannot be published; add a space first',
  'site-without-space-for-picture': 'The site has no space that could keep the picture; add a space first',
  'organization-without-space-for-picture':
    'The organization has no space that could keep the picture; add a space first',
  'backend-not-custom': 'must be "custom", because no integrations can be installed',
  'fallback-with-location': 'must not have the parameter "location", because Lectern adds it',
  'look-too-long': 'is too long together with `claims`; leave out one of them, or shorten it',
  'look-not-json': 'is not JSON',
  'rison-unexpected': 'unexpected {character} at column {column}',
  'rison-open': 'unexpected end at column {column}',
  'rison-nested': 'nested more than {limit} levels deep',
  'rison-number': '{text} is not a number; quote texts that begin like one',
  'claims-not-rison': 'is not Rison: {fault}',
  'claims-not-object': 'must be an object, such as (plan:pro)',
  'claims-too-long': 'must have at most {limit} characters of JSON',
  'claims-schema-missing': 'The site has no schema of the claims of its visitors; set one with PUT',
  'condition-invalid': 'is not a condition: {fault}',
  'not-condition': 'must be a condition: {fault}',
  'too-many-share-links': 'A site can have at most {limit} share links; delete one first',
  'too-many-mcp-servers': 'A site can have at most {limit} MCP servers; delete one first',
  'header-name-invalid':
    'must have names of HTTP headers, such as "Authorization", with at most {limit} characters each',
  'not-font-file':
    'must be the `url` of a file of a font of the organization, or the `downloadURL` of a file in a space with the extension "woff2" or "woff"',
  'font-file-format': 'must be the `key` of a WOFF2 or WOFF file; convert other fonts first',
  'font-without-regular': 'must have a font face with the weight 400',
  'font-weight-twice': 'must not have the same weight twice',
  'too-many-faces': 'A font can have at most {limit} weights',
  'too-many-fonts': 'The organization has {count} fonts; at most {limit} are allowed',
  'font-in-use': 'The look of the site "{title}" ({id}) has this font; choose another one there first',

  // Structure
  'space-on-site': 'The site contains the space "{title}" ({id}) already',
  'too-many-site-spaces': 'The site has {count} spaces; at most {limit} are allowed',
  'too-many-sections': 'The site has {count} sections; at most {limit} are allowed',
  'too-many-external-links': 'The site has {count} external links; at most {limit} are allowed',
  'external-link-without-section':
    'The site has no sections, and links stand beside sections; add a section first',
  'too-many-section-groups': 'The site has {count} section groups; at most {limit} are allowed',
  'section-group-too-deep': 'must be a group on level {level} or above: groups have at most {limit} levels',
  'not-beside': 'must name another item beside the one to move, but {id} is not',
  'after-not-before-before': 'must have an "after" that comes directly before its "before"',

  // Redirects
  'redirect-source-taken': 'The redirect {id} of the site has the source "{source}"',
  'redirect-source-unknown': 'must be the source of a redirect of this site',
  'redirect-without-wildcard': 'requires a source that ends in "/*"',
  'redirect-source-same': 'must differ from "{source}", the source of the redirect {id}',
  'too-many-redirects-of-site': 'is one too many: a site has at most {limit} redirects',

  // Searching
  'spaces-to-search-missing': 'must name the spaces to search',
  'current-space-missing': 'must name the current space',

  // Insights
  'column-not-counted': 'must be a column that is not counted',
  'column-not-grouped': 'must be counted, or also be in `groupBy`',
  'order-not-grouped': 'must be counted, or be a column that the result is grouped by',
  'range-backwards': 'must not be after `to`, but is "{from}"',
  'range-too-long': 'The range has more than {limit} events; choose a shorter one',
  'too-many-groups': 'The result has more than {limit} groups; add filters, or choose a longer interval',
  'event-too-late': 'must be within 5 minutes of the current time, but was "{time}"',

  // Requests of the pages of a site
  'not-json-rpc': 'Send one JSON-RPC message as a JSON object',
  'no-changes-sent': 'This server sends no changes; read the page again',
  'from-page-of-site': 'Only pages of this site can send requests',
  'operation-not-on-page': 'This page has no such operation to which the site sends requests',
  'url-of-other-operation': '`url` is not that of the operation at one of its servers',
  'try-not-object': 'Send a request as a JSON object in a text',
  'try-method-unknown': '`method` must be one of {methods}',
  'try-url-scheme': '`url` must begin with http: or https:',
  'try-body-not-base64': '`body` must be in base64',
  'try-text-too-long': '`{name}` must be a text of at most {limit} characters',
  'try-too-many-headers': '`headers` must be a list of at most {limit} pairs of a name and a value',
  'try-headers-invalid': '`headers` must have valid names and values, together at most {limit} characters',
  'event-too-long': 'Send an event as text of at most {limit} characters',
  'event-not-object': 'Send an event as a JSON object',
  'event-type-unknown': '`type` must be one of {types}',
  'event-path-invalid': '`path` must be the path of a page',
  'event-query-too-long': '`query` must be a text of at most {limit} characters',
  'event-rating-unknown': '`rating` must be one of {ratings}',
  'event-comment-too-long': '`comment` must be a text of at most {limit} characters',
} as const
