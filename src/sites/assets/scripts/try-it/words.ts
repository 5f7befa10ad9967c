import { pageWords } from '../kit/page-words.ts'

/** The words of the forms. */
export const tryWords = pageWords({
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
})
