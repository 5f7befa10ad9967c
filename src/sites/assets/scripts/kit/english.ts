/**
 * The English words of the scripts. A page in another language gives its scripts the words of that language, by these names.
 * This file needs no browser, because the server has it too.
 */

/** Of the script of every page. */
export const SITE_WORDS = {
  copied: 'Copied',
  showAll: 'Show all lines',
  showFewer: 'Show fewer lines',
  enlarge: 'Enlarge image',
  image: 'Image',
  video: 'Video',
  close: 'Close',
}

/** Of the search box. */
export const SEARCH_WORDS = {
  close: 'Close',
  search: 'Search',
  searchSite: 'Search this site',
  recentSearches: 'Recent searches',
  clearSearches: 'Clear',
}

/** Of diagrams. */
export const DIAGRAM_WORDS = {
  showSource: 'Show source',
  hideSource: 'Hide source',
  diagram: 'Diagram',
  diagramText: '“Show source” gives its text',
  diagramFault: 'The browser could not draw this diagram:',
  diagramSlow: 'Drawing it takes too long.',
}

/** Of the forms that send requests. */
export const TRY_WORDS = {
  tryIt: 'Try it',
  sendRequest: 'Send',
  cancel: 'Cancel',
  sending: 'Sending the request…',
  token: 'Token',
  userName: 'User name',
  password: 'Password',
  key: 'Key',
  contentType: 'Content type',
  response: 'Response',
  responseHeaders: 'Headers of the response',
  noBody: 'The response has no body.',
  binary: 'The response is not text.',
  shortened: 'Only the beginning is shown.',
  unreachable:
    'The browser received no response. The API may not permit requests from this site, or it cannot be reached.',
  proxyOffer: 'Send through this site',
  proxyNote:
    'The server of this site then passes the request on, with what you entered. It does not store anything of it.',
  kept: 'Your browser keeps these until you close the tab.',
  choose: 'Choose…',
  commas: 'separated by commas',
  server: 'Server',
  authentication: 'Authentication',
  parameters: { path: 'Path parameters', query: 'Query parameters', header: 'Headers' },
  body: 'Request body',
  required: 'required',
}
