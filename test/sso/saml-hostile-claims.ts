/** Responses that are signed well, but are not for this service, this request, this time, or say too little. */
import {
  ACS,
  AUDIENCE,
  type Content,
  FORMAT,
  PERSON,
  responseWith,
  sign,
  type Signed,
  signedResponse,
} from './saml-kit.ts'
import type { Vector } from './saml-hostile.ts'

const says = (
  name: string,
  content: Partial<Content>,
  reason: RegExp,
  signed: Signed = 'assertion',
): Vector => [name, () => signedResponse(content, signed), reason]
const changed = (
  name: string,
  change: (xml: string) => string,
  reason: RegExp,
  signed: Signed = 'response',
): Vector => [name, () => change(signedResponse({}, signed)), reason]
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 22, 12, minutes)).toISOString()
const status = (code: string, inner = '') =>
  `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${code}">${inner}</samlp:StatusCode></samlp:Status>`
const confirmed = (data: string, method = 'bearer') =>
  `<saml:Subject><saml:NameID>${PERSON}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}">${data}</saml:SubjectConfirmation></saml:Subject>`
const DATA = `<saml:SubjectConfirmationData InResponseTo="_request1" NotOnOrAfter="${at(5)}" Recipient="${ACS}"/>`

export const TIMES: Vector[] = [
  says('an assertion that expired', { notBefore: at(-20), notOnOrAfter: at(-10) }, /expired/),
  says('an assertion that expired a minute ago', { notOnOrAfter: at(-1) }, /expired/),
  says('an assertion that is not yet valid', { notBefore: at(2) }, /valid only from/),
  says('a confirmation that expired', { subjectNotOnOrAfter: at(-2) }, /expired/),
  says('a confirmation that is not yet valid', { subjectNotBefore: at(2) }, /valid only from/),
  says('a confirmation without an end', { subjectNotOnOrAfter: undefined }, /no end|not a valid date/),
  says('a session that is over', { sessionNotOnOrAfter: at(-2) }, /session .* over/),
  says('a time that is no time', { notOnOrAfter: 'tomorrow' }, /time|date/),
  says('a time without a zone', { subjectNotOnOrAfter: '2026-11-22T12:05:00' }, /not valid/),
  says('a time with spaces', { notBefore: ' 2026-11-22T11:55:00Z' }, /not valid/),
  says('a day that does not exist', { notOnOrAfter: '2026-13-45T12:00:00Z' }, /time|date/),
]

export const ADDRESSEES: Vector[] = [
  says('another audience', { audiences: [['https://other.example.com']] }, /audience/),
  says('an audience that begins like this one', { audiences: [[`${AUDIENCE}/x`]] }, /audience/),
  says('an audience in capitals', { audiences: [[AUDIENCE.toUpperCase()]] }, /audience/),
  says('the address for responses as the audience', { audiences: [[ACS]] }, /audience/),
  says('no audience', { audiences: [] }, /audience|AudienceRestriction/i),
  says('an empty audience', { audiences: [['']] }, /audience/i),
  says(
    'two restrictions of which one is for others',
    { audiences: [[AUDIENCE], ['https://other.example.com']] },
    /audience/,
  ),
  says('another recipient', { recipient: 'https://other.example.com/acs' }, /recipient/),
  says('a recipient with a slash at its end', { recipient: `${ACS}/` }, /recipient/),
  says('a recipient with a query', { recipient: `${ACS}?x=1` }, /recipient/),
  says('no recipient', { recipient: undefined }, /recipient/),
  says('another destination', { destination: 'https://other.example.com/acs' }, /destination/),
  says(
    'another destination that is signed',
    { destination: 'https://other.example.com/acs' },
    /destination/,
    'response',
  ),
  says('an empty destination', { destination: '' }, /destination/),
  says('another issuer of the response', { issuer: 'https://other.example.com' }, /issuer/),
  says('another issuer of the assertion', { assertionIssuer: 'https://other.example.com' }, /issuer/),
  says(
    'an issuer that begins like the provider',
    { assertionIssuer: 'https://idp.example.com/saml/x' },
    /issuer/,
  ),
  changed(
    'no issuer of the assertion',
    () => sign(responseWith({ assertionIssuer: undefined }), 'Response'),
    /element Issuer/,
  ),
  changed(
    'two issuers of the response',
    (xml) => xml.replace(/<saml:Issuer.*?<\/saml:Issuer>/, '$&$&'),
    /issuers|not valid/,
  ),
  says(
    'an answer to another request',
    { inResponseTo: '_other', subjectInResponseTo: '_other' },
    /no open request/,
  ),
  says(
    'an answer to no request',
    { inResponseTo: undefined, subjectInResponseTo: undefined },
    /answers no request/,
  ),
  says('an answer to an empty request', { inResponseTo: '', subjectInResponseTo: '' }, /no open request/),
  says('an assertion that answers another request', { subjectInResponseTo: '_other' }, /answers the request/),
  says('an assertion that answers no request', { subjectInResponseTo: undefined }, /answers the request/),
  says('an assertion of another response', { inResponseTo: '_other' }, /no open request/),
]

export const STATEMENTS: Vector[] = [
  says(
    'a provider that refused',
    {
      status: status(
        'Responder',
        '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/>',
      ),
    },
    /AuthnFailed/,
  ),
  says('a provider that could not read the request', { status: status('Requester') }, /refused/),
  says(
    'a success inside a failure',
    { status: status('Responder', '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>') },
    /refused/,
  ),
  says('two statuses', { status: status('Success') + status('Responder') }, /one status/),
  says('no status', { status: '' }, /one status/),
  says(
    'an unknown condition',
    { conditions: '<saml:Condition xmlns:x="urn:x" x:type="y"/>' },
    /unknown condition/,
  ),
  says('no statement of authentication', { statement: '' }, /no authentication/),
  says('a holder of a key', { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }, /bearer/),
  says('a sender that vouches', { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }, /bearer/),
  says('an empty name', { nameID: '' }, /name identifier/),
  says('a name of spaces', { nameID: '   ' }, /name identifier/),
  says('a name of 600 characters', { nameID: 'a'.repeat(600) }, /name identifier/),
  says(
    'a transient name without an address',
    { nameFormat: FORMAT.transient, nameID: '_x', attributes: [] },
    /transient/,
  ),
  says(
    'an address that is none as a transient name',
    { nameFormat: FORMAT.transient, nameID: '_x', attributes: [['email', 'ada at example']] },
    /transient/,
  ),
  says('an element inside a name', { nameID: `${PERSON}<saml:x/>` }, /name identifier/),
  says('no subject', { subject: '' }, /element Subject/),
  says(
    'no name',
    {
      subject: `<saml:Subject><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">${DATA}</saml:SubjectConfirmation></saml:Subject>`,
    },
    /element NameID/,
  ),
  says(
    'two names',
    {
      subject: confirmed(DATA).replace(
        /<saml:NameID>.*<\/saml:NameID>/,
        '$&<saml:NameID>victim@example.com</saml:NameID>',
      ),
    },
    /element NameID/,
  ),
  says('two subjects', { subject: confirmed(DATA) + confirmed(DATA) }, /element Subject/),
  says(
    'no confirmation',
    { subject: `<saml:Subject><saml:NameID>${PERSON}</saml:NameID></saml:Subject>` },
    /SubjectConfirmation/,
  ),
  says('a confirmation without data', { subject: confirmed('') }, /SubjectConfirmationData/),
  says('two sets of data', { subject: confirmed(DATA + DATA) }, /SubjectConfirmationData/),
  says(
    'two confirmations',
    {
      subject: confirmed(
        `${DATA}</saml:SubjectConfirmation><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">${DATA}`,
      ),
    },
    /SubjectConfirmation/,
  ),
]

const structure =
  /not where|several|twice|not a SAML|no assertion|version|another response|encrypted|ids|no ID|not valid|signed/
export const STRUCTURES: Vector[] = [
  says('one id for the response and the assertion', { responseId: '_assertion1' }, structure),
  says(
    'the id of the assertion on another element',
    { extensions: '<samlp:Extensions><x ID="_assertion1"/></samlp:Extensions>' },
    structure,
  ),
  says(
    'the same id in another spelling',
    { extensions: '<samlp:Extensions><x id="_assertion1"/></samlp:Extensions>' },
    structure,
  ),
  says(
    'the same id as xml:id',
    { extensions: '<samlp:Extensions><x xml:id="_assertion1"/></samlp:Extensions>' },
    structure,
  ),
  changed(
    'two ids of one element',
    (xml) => xml.replace('ID="_assertion1"', 'Id="_other" ID="_assertion1"'),
    structure,
    'assertion',
  ),
  says('no id of the assertion', { assertionId: undefined }, structure, 'response'),
  changed('no assertion', (xml) => xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, ''), structure),
  says(
    'a second assertion without a signature',
    {
      afterAssertion: `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_2" Version="2.0"/>`,
    },
    structure,
  ),
  says(
    'a second assertion in another namespace',
    { afterAssertion: '<x:Assertion xmlns:x="urn:x" ID="_2"/>' },
    structure,
    'both',
  ),
  says(
    'an assertion as advice',
    {
      conditions: '',
      statement: `<saml:Advice><saml:Assertion ID="_2" Version="2.0"/></saml:Advice><saml:AuthnStatement/>`,
    },
    structure,
  ),
  says(
    'an encrypted assertion beside the other',
    { afterAssertion: '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>' },
    structure,
  ),
  says(
    'a response inside the response',
    { extensions: '<samlp:Extensions><samlp:Response/></samlp:Extensions>' },
    structure,
  ),
  changed(
    'the assertion alone',
    (xml) => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '',
    structure,
    'assertion',
  ),
  changed('a request', (xml) => xml.replaceAll('samlp:Response', 'samlp:AuthnRequest'), structure),
  changed(
    'the response of a sign-out',
    (xml) => xml.replaceAll('samlp:Response', 'samlp:LogoutResponse'),
    structure,
  ),
  changed(
    'the artifact of a response',
    (xml) =>
      `<samlp:ArtifactResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" Version="2.0">${xml}</samlp:ArtifactResponse>`,
    structure,
  ),
  changed('another version of SAML', (xml) => xml.replace('Version="2.0"', 'Version="1.1"'), structure),
  changed(
    'another version of the assertion',
    (xml) => xml.replace(/(<saml:Assertion [^>]*)Version="2.0"/, '$1Version="1.1"'),
    structure,
  ),
  changed(
    'the namespace of SAML 1.1',
    (xml) => xml.replaceAll('SAML:2.0:assertion', 'SAML:1.0:assertion'),
    structure,
  ),
  changed(
    'another namespace of the protocol',
    (xml) => xml.replaceAll('SAML:2.0:protocol', 'SAML:2.0:protocol '),
    structure,
  ),
]
