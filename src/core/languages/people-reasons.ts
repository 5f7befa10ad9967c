/** Why the server refuses a request about people: signing in, accounts, permissions, organizations and their members. */
export const PEOPLE_REASONS = {
  // Tokens and sessions
  'token-required': 'Send a valid API token in the header "Authorization: Bearer <token>"',
  'token-read-only': 'This token is read-only; use a token that can also write',
  'token-of-site': 'A site token only reads what its site shows; use an API token for this operation',
  'token-of-scim': 'A SCIM token only provisions users and groups; use an API token for this operation',
  'scim-token-required': 'SCIM needs the SCIM token of an organization, which an administrator creates',
  'visitor-token-required': 'Send a token of this site’s visitors',
  'visitor-token-invalid': 'The readers of this site sign in: send a valid token in "visitor.jwtToken"',
  'cookie-from-elsewhere':
    'The cookie of a session is only accepted from pages of this server; from elsewhere, send an API token in the header "Authorization: Bearer <token>"',
  'session-limited':
    'This session is limited to the organization whose identity provider signed you in; sign in with your own password or passkey, or use an API token that you created then',
  'sso-required': 'This organization requires single sign-on: sign in at {address} of this server',
  'sso-required-for-token':
    'This organization requires single sign-on, and this token is not authorized for it: sign in at {address} of this server, and authorize the token at {page}',
  'sso-session-required':
    'Only a session by an identity provider of this organization can authorize a token: sign in by single sign-on first',

  // Signing in
  'credentials-wrong': 'The e-mail address or the password is wrong',
  'passkey-unknown': 'This passkey does not sign anyone in here; try again, or sign in with your password',
  'code-required':
    'This account has a second factor: send the code of the authenticator app, or a recovery code, as "code"',
  'code-wrong': 'The code is wrong or was used before; send the next code of the authenticator app',
  'code-required-after-reset':
    'This account has a second factor; reset the password, and sign in with a code',
  'password-required': 'Send the password of the account as "password", or sign in again with the browser',
  'password-wrong': 'must be the password of the caller',
  'current-password-wrong': 'must be the current password',
  'no-password': 'Your account has no password; to set one, sign in again with the browser',
  'link-unknown': 'The link is unknown, used or expired; request a new one',

  // The account
  'too-many-passkeys': 'A user can have {limit} passkeys; delete one that you no longer use',
  'passkey-known': 'This passkey is registered already',
  'passkey-challenge-unknown':
    'must answer the challenge of a registration that the caller began minutes ago',
  'second-factor-exists': 'The account has a second factor already; delete it before you set up another one',
  'second-factor-confirmed': 'The second factor is confirmed already',
  'second-factor-missing': 'Set up an authenticator app before you confirm it',
  'authenticator-code-wrong': 'must be the present code of the authenticator app',
  'factor-code-wrong': 'must be the present code of the authenticator app, or an unused recovery code',
  'expiry-past': 'must be in the future, but was {time}',
  'time-zone-unknown': 'must be a time zone such as "Europe/Berlin", but was "{value}"',
  'photo-twice': 'Send one of "photo" and "photoURL"',

  // Permissions
  'needs-role-on-site': 'This requires the permission "{role}" on this site',
  'needs-role-on-space': 'This requires the permission "{role}" on this space',
  'needs-role-in-organization': 'This requires the permission "{role}" in this organization',
  'needs-role-on-collection': 'This requires the permission "{role}" on this collection',
  'needs-role-to-create-space': 'This requires the permission "{role}" in the organization',
  'needs-role-to-reopen':
    'This requires the permission "{role}" on this space to archive or reopen the change request of another user',
  'needs-role-to-explain':
    'This requires the permission "{role}" in this organization: guests ask for themselves',
  'needs-role-to-transfer': 'This requires the permission "{role}" in the organization to transfer it to',
  'needs-role-to-delete-all': 'This requires the permission "{role}" on everything in this collection',
  'needs-role-to-admit-shut-out':
    'This requires the permission "{role}" in this organization: one of them is shut out of something the team is granted',
  'needs-role-to-lessen-access':
    'This requires the permission "{role}" in this organization: one of them has more access than the team gives',
  'needs-role-for-team':
    'This requires the permission "{role}" in this organization, because the team has a grant of "no access"',
  'owner-required': 'This requires the permission "owner" on this team',
  'self-required': 'This requires the permission "self": only the user can do it',
  'author-required': 'Only the author can change the {part}',
  'create-required-to-add-space': 'Adding the space {id} to a site requires the permission "create" on it',
  'access-removed': 'Your access to this was removed; ask an administrator of it to grant you a role',
  'grantees-missing': 'Send "users" or "teams"',

  // Organizations and members
  'one-organization': 'This installation is limited to one organization',
  'too-many-organizations':
    'You can create at most {limit} organizations on this server; use one of them, or ask an administrator of the server to create another',
  'logo-twice': 'Send one of "logo" and "logoPicture"',
  'hostname-reserved': 'must not be "{name}", which is reserved; choose another',
  'hostname-taken': '"hostname" is used by another organization; choose another one',
  'taken-by-organization': 'is taken by another organization',
  'last-administrator':
    'This is the last administrator of the organization; make another member an administrator first',
  'invite-links-disabled': 'Invite links are disabled in this organization; an administrator can enable them',
  'invite-target-twice': 'Send either "space" or "collection"',
  'invite-role-missing': 'Send "role", or "level" with "space", or "level" with "collection"',
  'invitation-of-another': 'This invitation is for another e-mail address; sign in with that address',
  'too-many-new-users':
    'You can invite, in all organizations together, at most {limit} people without an account in a day: send at most {left} now, or retry in {seconds} seconds',
  'too-many-new-users-by-scim':
    'The creator of this SCIM token can add, in all organizations together, at most {limit} people without an account in a day; retry in {seconds} seconds',
  'too-many-new-users-by-sso':
    'This organization cannot add more people without an account today; sign in again in {seconds} seconds',
  'too-many-invitations-of-organization':
    'An organization can send at most {limit} invitations by e-mail in an hour: send at most {left} now, or retry in {seconds} seconds',
  'too-many-invitations-in-hour':
    'You can send, in all organizations together, at most {limit} invitations by e-mail in an hour: send at most {left} now, or retry in {seconds} seconds',
  'too-many-invitations-in-day':
    'You can send, in all organizations together, at most {limit} invitations by e-mail in a day: send at most {left} now, or retry in {seconds} seconds',

  // Single sign-on
  'too-many-identity-providers': 'An organization has at most {limit} identity providers; delete one first',
  'last-identity-provider':
    'The organization requires single sign-on, and this is its last active identity provider; set `sso` of the organization to false first',
  'no-identity-provider': 'must be false until the organization has an active identity provider',
  'too-many-scim-tokens': 'An organization has at most {limit} SCIM tokens; delete one that is not used',
  'scim-group-unknown': 'There is no group with this id',
  'scim-user-unknown': 'There is no user with this id',
  'scim-type-unknown': 'There is no resource type with this name',
  'scim-schema-unknown': 'There is no schema with this id',
  'not-url-text': 'must be a URL, but was {value}',
  'not-https-url': 'must begin with "https://", but was {value}',
  'url-with-query': 'must have no query and no fragment',
  'not-certificates': 'must be one or more certificates in PEM, and nothing else',
  'too-many-certificates': 'must have at most {limit} certificates, but has {size}',
  'not-x509': 'must be an X.509 certificate in PEM, as the identity provider shows it',
  'key-not-rsa': 'must be the certificate of an RSA or ECDSA key, but has one of {kind}',
  'curve-unknown': 'must be the certificate of a key of the curve P-256, P-384 or P-521, but has {curve}',
  'key-too-short': 'must be the certificate of a key of at least {least} bits, but has {bits}',
} as const
