/** Why the server refuses a request before or while it handles it, whatever the request is about. */
export const REQUEST_REASONS = {
  'invalid-values': 'Values of the request are invalid',
  'not-found': 'The {kind} does not exist, or you cannot see it',
  'no-such-operation': 'There is no {method} {path}; /docs lists all operations',
  'method-not-allowed': '{path} has no {method}; it allows {methods}',
  'cursor-invalid': 'must be the "next.page" of the previous response of this list',
  'name-taken': 'A resource with the same name already exists',
  'changed-since-read':
    'It has changed since you read it, or "If-Match" is not its "ETag"; read it again, and send the new "ETag"',
  'without-etag': 'This address has no "GET" whose "ETag" could be compared; leave out "If-Match"',
  'idempotency-key-invalid': 'The header "Idempotency-Key" must have 1 to 255 printable characters of ASCII',
  'idempotency-key-used':
    'You sent another request with this "Idempotency-Key" within the last day; send each request with its own key',
  'answer-not-kept':
    'An earlier request with this "Idempotency-Key" has made the change, but its response was too long to keep; read what it made',
  'metrics-token-required':
    'Send the value of LECTERN_METRICS_TOKEN in the header "Authorization: Bearer <token>"',
  'several-hosts': 'Send one "Host" header; the request has several',
  'nul-in-request': 'The request must not contain the character NUL',
  'form-from-another-site':
    'This form was sent from a page of another site. Open the page of this server and try again.',
  'request-not-taken': 'The browser sent a request that this page does not take.',
  'client-left': 'The connection was closed before the answer',
  'not-json': 'Send the body as JSON, with the header "Content-Type: application/json"',
  'bad-json': 'The body is not valid JSON, or has a key "__proto__", or "constructor" with "prototype" in it',
  'body-too-large': 'The body must have at most {limit}',
  'body-object-too-large': 'The body has an object with more than {limit} members; send less at once',
  'body-too-deep': 'The body has more than {limit} levels; send less at once',
  'body-too-many-values': 'The body has more than {limit} values; send less at once',
  'file-too-large': 'The file must have at most {limit}',

  // Rate limits
  'too-many-attempts': 'Too many attempts; retry in {seconds} seconds',
  'too-many-password-attempts':
    'Too many attempts; retry in {seconds} seconds, or sign in with a passkey, or set a password with a link by e-mail',
  'too-many-passwords':
    'The server has too many passwords to check; retry in {seconds} seconds, or sign in with a passkey, or set a password with a link by e-mail',
  'too-many-requests-in-minute': 'More than {limit} requests in a minute; retry when the minute is over',
  'too-many-calls-in-minute': 'More than {limit} calls in a minute; retry in {seconds} seconds',
  'too-many-requests': 'Too many requests; retry in {seconds} seconds',
  'too-many-events': 'Too many events; retry in {seconds} seconds',
  'too-many-events-waiting': 'Too many events wait to be stored; retry later',
  'too-many-streams': 'You may have at most {limit} streams of events at once; close one and connect again',
  'too-many-clients': '{count} clients listen to this server already; connect again later',
  'too-many-present-clients': 'You can be present in at most {limit} clients at once; close one',
  'too-many-lookups': 'Too many host names are looked up; retry later',
  'too-many-keys': 'Too many keys of SAML providers are being made; retry later',
  'too-many-bytes-in-flight': 'Too many bytes of {what} are on their way; retry the request',

  // Outages
  'server-error': 'An unexpected error occurred; the server log has the details of request {id}',
  'page-error': 'An unexpected error occurred. The log of the server has the details of request {id}.',
  'server-stopping': 'The server is about to stop; connect again',
  'database-busy': 'The database is locked by another write; retry the request',
  'database-unreachable': 'The database cannot be reached; retry the request',
  'database-slow': 'The database took too long; retry the request',
  'database-full': 'The disk of the database is full; retry when there is space',
  'database-read-only': 'The database is read-only; retry when it can be written',
  'database-damaged': 'The database file is damaged; restore a backup',
  'database-silent': 'The database does not respond; retry later',
  'file-disk-full': 'The disk for uploaded files is full; retry when there is space',
  'file-folder-unusable': 'The folder for uploaded files cannot be used; retry when it can',
  'file-disk-silent': 'The disk for uploaded files does not respond; retry later',
  'file-store-unreachable': 'The storage of uploaded files cannot be reached; retry the request',
  'file-store-slow': 'The storage of uploaded files does not respond in time; retry later',
  'file-store-busy': 'The storage of uploaded files accepts no requests at the moment; retry later',
  'file-store-refused':
    'The storage of uploaded files refuses the requests of this server; ask its administrator to check the credentials and the bucket',
  'file-store-invalid':
    'The storage of uploaded files sent a response that cannot be used; retry the request',
  'mail-failing': 'The mail server did not accept the last e-mail; it is sent again later',
  'content-kept-changing': 'The content changed again and again meanwhile; retry the request',

  // Requests to other servers
  'address-invalid': 'The address is not a valid URL',
  'address-scheme': 'The address must begin with http: or https:, but begins with "{scheme}"',
  'address-with-password': 'The address must not contain a user name or password',
  'address-private': '{url} is refused: its IP address is not public and not in LECTERN_FETCH_ALLOW',
  'address-plain':
    '{url} is refused: credentials are sent by https only, except to addresses in LECTERN_FETCH_ALLOW',
  'too-many-redirects': '{url} redirects more than {limit} times',
  'redirect-invalid': '{url} redirects to an address that is not valid',
  'host-unknown': 'The host "{host}" does not exist',
  'dns-silent': 'The DNS does not answer for {name} ({code}); retry later',
  'response-too-large': 'The response of {url} is larger than {limit}',
  'response-encoding': '{url} returned a content encoding that the request did not accept',
  'response-late': '{url} did not send a whole response within {seconds} s',
  'fetch-failed': '{url} cannot be fetched',
  'fetch-failed-with-code': '{url} cannot be fetched: {code}',
  'source-failing': '{url} returned {status}; retry later',
  'identity-provider-failing':
    'The identity provider does not respond as it should. Begin to sign in again in a few minutes. If it still does not work, ask an administrator.',
} as const
