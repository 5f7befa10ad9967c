/** Responses in the shapes of well-known providers: their prefixes, signatures, name identifiers and attributes. */
import { type Content, FORMAT, PERSON, RSA, type Signed, type Signing } from './saml-kit.ts'

export interface Shape {
  provider: string
  content: Partial<Content>
  signed: Signed
  signing?: Signing
  /** The text before the response is signed. */
  written?: (xml: string) => string
  expected: { subject?: string; email?: string; displayName?: string; photoURL?: string }
}

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const DECLARED = (xml: string) => `<?xml version="1.0" encoding="UTF-8"?>${xml}`
const INDENTED = (xml: string) => xml.replaceAll('><', '>\n  <')
const BASIC = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic'
const BY_URI = 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri'
const SAML2 = { protocol: 'saml2p', assertion: 'saml2' }
const MICROSOFT = { protocol: 'samlp', assertion: '' }
const whole = { email: PERSON, displayName: 'Ada Lovelace' }

export const SHAPES: Shape[] = [
  {
    provider: 'Okta: response and assertion signed',
    content: {
      prefixes: SAML2,
      valueType: true,
      attributeFormat: BASIC,
      attributes: [
        ['email', PERSON],
        ['firstName', 'Ada'],
        ['lastName', 'Lovelace'],
      ],
    },
    signed: 'both',
    written: DECLARED,
    expected: { subject: `name:${PERSON}`, ...whole },
  },
  {
    provider: 'Okta: response signed with SHA-512',
    content: { prefixes: SAML2, attributes: [['user.email', PERSON]], nameFormat: FORMAT.unspecified },
    signed: 'response',
    signing: { algorithm: RSA.sha512 },
    expected: { email: PERSON },
  },
  {
    provider: 'Microsoft Entra ID: assertion signed, persistent name',
    content: {
      prefixes: MICROSOFT,
      nameID: 'AbCd_eFgH-1234567890',
      nameFormat: FORMAT.persistent,
      attributes: [
        ['http://schemas.microsoft.com/identity/claims/tenantid', '00000000-0000-0000-0000-000000000000'],
        ['http://schemas.microsoft.com/identity/claims/displayname', 'Ada Lovelace'],
        [`${CLAIMS}/givenname`, 'Ada'],
        [`${CLAIMS}/surname`, 'Lovelace'],
        [`${CLAIMS}/emailaddress`, 'Ada@Example.com'],
        [`${CLAIMS}/name`, 'ada_upn@example.onmicrosoft.com'],
      ],
    },
    signed: 'assertion',
    signing: { prefix: '' },
    expected: { subject: 'name:AbCd_eFgH-1234567890', ...whole },
  },
  {
    provider: 'Microsoft Entra ID: response and assertion signed',
    content: { prefixes: MICROSOFT, attributes: [[`${CLAIMS}/emailaddress`, PERSON]] },
    signed: 'both',
    signing: { prefix: '' },
    expected: { email: PERSON },
  },
  {
    provider: 'Google Workspace: response signed, attributes of the directory',
    content: {
      prefixes: SAML2,
      valueType: true,
      attributes: [
        ['Email', PERSON],
        ['First name', 'Ada'],
        ['Display Name', 'x'],
        ['displayName', 'Ada Lovelace'],
      ],
    },
    signed: 'response',
    written: DECLARED,
    expected: whole,
  },
  {
    provider: 'Google Workspace: no attributes at all',
    content: { prefixes: SAML2, attributes: [] },
    signed: 'assertion',
    expected: { subject: `name:${PERSON}`, email: PERSON },
  },
  {
    provider: 'Keycloak: response signed, with an empty email of the name format',
    content: {
      nameID: 'G-1a2b3c4d-5e6f',
      nameFormat: FORMAT.persistent,
      valueType: true,
      attributeFormat: BASIC,
      attributes: [
        ['urn:oid:1.2.840.113549.1.9.1', PERSON],
        ['urn:oid:2.5.4.42', 'Ada'],
        ['urn:oid:2.5.4.4', 'Lovelace'],
        ['Role', 'uma_authorization', 'offline_access', 'manage-account'],
      ],
    },
    signed: 'response',
    signing: { prefix: 'dsig' },
    expected: { subject: 'name:G-1a2b3c4d-5e6f', ...whole },
  },
  {
    provider: 'Keycloak: assertion and response signed',
    content: { attributes: [['email', PERSON]], sessionNotOnOrAfter: '2026-11-22T22:00:00.000Z' },
    signed: 'both',
    signing: { prefix: 'dsig' },
    expected: { email: PERSON },
  },
  {
    provider: 'AD FS: default namespace of the assertion, times without fractions',
    content: {
      prefixes: MICROSOFT,
      notBefore: '2026-11-22T11:59:00Z',
      notOnOrAfter: '2026-11-22T13:00:00Z',
      subjectNotOnOrAfter: '2026-11-22T12:05:00Z',
      attributes: [
        [`${CLAIMS}/emailaddress`, PERSON],
        [`${CLAIMS}/name`, 'EXAMPLE\\ada'],
      ],
    },
    signed: 'assertion',
    written: (xml) => xml.replaceAll('.000Z', '.123Z'),
    expected: { email: PERSON },
  },
  {
    provider: 'OneLogin: response signed',
    content: {
      valueType: true,
      attributeFormat: BASIC,
      attributes: [
        ['User.email', PERSON],
        ['User.FirstName', 'Ada'],
        ['User.LastName', 'Lovelace'],
      ],
    },
    signed: 'response',
    expected: whole,
  },
  {
    provider: 'OneLogin: assertion signed, several audiences',
    content: { audiences: [['https://other.example.com', 'https://docs.example.com/sso/abc/metadata']] },
    signed: 'assertion',
    expected: { email: PERSON },
  },
  {
    provider: 'Auth0: assertion signed, with a picture',
    content: {
      nameID: 'auth0|5f7c8ec7c33c6c004bbafe82',
      nameFormat: FORMAT.unspecified,
      valueType: true,
      attributeFormat: BY_URI,
      attributes: [
        [`${CLAIMS}/emailaddress`, PERSON],
        ['http://schemas.auth0.com/name', 'Ada Lovelace'],
        ['http://schemas.auth0.com/picture', 'https://s.example.com/ada.png?s=480&amp;r=pg'],
        ['http://schemas.auth0.com/email_verified', 'true'],
      ],
    },
    signed: 'assertion',
    expected: {
      subject: 'name:auth0|5f7c8ec7c33c6c004bbafe82',
      ...whole,
      photoURL: 'https://s.example.com/ada.png?s=480&r=pg',
    },
  },
  {
    provider: 'JumpCloud: assertion signed, on many lines',
    content: {
      prefixes: SAML2,
      attributes: [
        ['email', PERSON],
        ['firstname', 'Ada'],
        ['lastname', 'Lovelace'],
      ],
    },
    signed: 'assertion',
    written: INDENTED,
    expected: whole,
  },
  {
    provider: 'PingFederate: response signed, name without a format',
    content: {
      nameFormat: undefined,
      nameID: 'ada',
      attributes: [
        ['mail', PERSON],
        ['cn', 'Ada Lovelace'],
      ],
    },
    signed: 'response',
    expected: { subject: 'name:ada', ...whole },
  },
  {
    provider: 'PingOne: both signed, with SHA-512',
    content: { attributes: [['email', PERSON]] },
    signed: 'both',
    signing: { algorithm: RSA.sha512 },
    expected: { email: PERSON },
  },
  {
    provider: 'Shibboleth: transient name, attributes by object identifier',
    content: {
      prefixes: SAML2,
      nameID: '_0123456789abcdef',
      nameFormat: FORMAT.transient,
      attributeFormat: BY_URI,
      attributes: [
        ['urn:oid:0.9.2342.19200300.100.1.3', PERSON, 'ada.lovelace@example.com'],
        ['urn:oid:2.16.840.1.113730.3.1.241', 'Ada Lovelace'],
        ['urn:oid:1.3.6.1.4.1.5923.1.1.1.10', '<saml2:NameID>targeted</saml2:NameID>'],
      ],
    },
    signed: 'response',
    written: DECLARED,
    expected: { subject: `email:${PERSON}`, ...whole },
  },
  {
    provider: 'SimpleSAMLphp: both signed, on many lines',
    content: {
      valueType: true,
      attributeFormat: BASIC,
      attributes: [
        ['mail', PERSON],
        ['givenName', 'Ada'],
        ['sn', 'Lovelace'],
      ],
    },
    signed: 'both',
    written: (xml) => INDENTED(DECLARED(xml)),
    expected: whole,
  },
  {
    provider: 'authentik: assertion signed',
    content: {
      nameFormat: FORMAT.persistent,
      nameID: '4b2c',
      attributes: [
        [`${CLAIMS}/emailaddress`, PERSON],
        [`${CLAIMS}/name`, 'x'],
        ['displayName', 'Ada Lovelace'],
      ],
    },
    signed: 'assertion',
    expected: { subject: 'name:4b2c', ...whole },
  },
  {
    provider: 'CyberArk Idaptive: response signed, one time use',
    content: { conditions: '<saml:OneTimeUse/>', attributes: [['EmailAddress', PERSON]] },
    signed: 'response',
    expected: { email: PERSON },
  },
  {
    provider: 'Duo: both signed, no destination',
    content: {
      destination: undefined,
      attributes: [
        ['Email', PERSON],
        ['FullName', 'Ada Lovelace'],
      ],
    },
    signed: 'both',
    expected: whole,
  },
  {
    provider: 'Cloudflare Access: assertion signed, no issuer of the response',
    content: { attributes: [['email', PERSON]] },
    signed: 'assertion',
    written: (xml) => xml.replace(/(<samlp:Response[^>]*>)<saml:Issuer[^>]*>[^<]*<\/saml:Issuer>/, '$1'),
    expected: { email: PERSON },
  },
  {
    provider: 'AWS IAM Identity Center: response signed, name with spaces in it',
    content: { nameID: 'Ada Lovelace', nameFormat: FORMAT.unspecified, attributes: [['email', PERSON]] },
    signed: 'response',
    expected: { subject: 'name:Ada Lovelace', email: PERSON },
  },
  {
    provider: 'a provider whose people have names with special characters',
    content: {
      nameID: 'o&apos;hara&amp;sons@example.com',
      attributes: [['displayName', 'Zoë &lt;O&#39;Hara&gt; 葉']],
    },
    signed: 'assertion',
    expected: { email: "o'hara&sons@example.com", displayName: "Zoë <O'Hara> 葉" },
  },
]
