/** `lectern setup`: an installation without hands. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeKey } from '../src/access/credentials/self-signed.ts'
import { createPostgres } from './postgres.ts'
import { runHere, startServer, temporaryFolder } from './process.ts'

const folder = temporaryFolder()
const postgres = await createPostgres()
const data = join(folder.path, 'data')
const file = join(folder.path, 'setup.yaml')
const PASSWORD = 'a password from a file'
const SECRET = 'the secret of the client'
const env: Record<string, string> = {
  LECTERN_DATA: data,
  PORT: '0',
  OIDC_SECRET: SECRET,
  ...(postgres && { DATABASE_URL: postgres.url }),
}
after(async () => {
  await postgres?.drop()
  folder.remove()
})

writeFileSync(join(folder.path, 'password'), `${PASSWORD}\n`)
const SETUP = `
organization: { title: Acme, hostname: acme }
administrator:
  email: Ada@Example.com
  name: Ada
  password: { file: password }
signIn:
  - label: Company
    issuer: https://id.example.com
    clientID: lectern
    clientSecret: { env: OIDC_SECRET }
    defaultRole: read
site: { title: Handbook, content: sample }
`
const SAML = `signIn:
  - kind: saml
    label: Directory
    entityID: https://saml.example.com/metadata
    ssoURL: https://saml.example.com/sso
    certificate: { file: saml.pem }
    signRequests: true
    defaultRole: read
`
const { certificate } = await makeKey('Directory', new Date())
writeFileSync(join(folder.path, 'saml.pem'), certificate)
const setup = async (text = SETUP, more: Record<string, string> = {}) => {
  writeFileSync(file, text)
  return runHere(['setup', '--file', file], { ...env, ...more })
}

test('names the path of each invalid value, prints no secret and creates nothing', async () => {
  const cases: [string, RegExp][] = [
    [
      'organization: { title: Acme, hostnam: acme }',
      /organization\.hostnam: no such field; known are title, hostname/,
    ],
    ['administrator: { name: Ada }', /administrator\.email: /],
    ['administrator: { email: ada }', /administrator\.email: /],
    ['site: { title: Docs, visibility: secret }', /site\.visibility: .*public/],
    [
      'administrator: { email: a@b.com, password: { env: MISSING } }',
      /administrator\.password: the environment variable MISSING is not set/,
    ],
    [
      'administrator: { email: a@b.com, password: { file: gone } }',
      /administrator\.password: the file .*gone cannot be read/,
    ],
    [
      'administrator: { email: a@b.com, password: {} }',
      /administrator\.password: name either "file" or "env"/,
    ],
    ['administrator: { email: a@b.com, password: { env: SHORT } }', /administrator\.password: (?!.*tiny)/],
    ['signIn: [{ label: A }]', /signIn\.0\.issuer: .*\n.*signIn\.0\.clientID: /],
    ['signIn: [{ kind: ldap, label: A }]', /signIn\.0\.kind: .*saml/],
    ['signIn: [{ kind: saml, label: A }]', /signIn\.0\.entityID: .*\n.*signIn\.0\.ssoURL: /],
    [
      'signIn: [{ kind: saml, label: A, issuer: "https://id.example.com" }]',
      /signIn\.0\.issuer: no such field; known are kind, label, entityID, ssoURL, logoutURL, certificate/,
    ],
    [
      'signIn: [{ kind: saml, label: A, entityID: a, ssoURL: "https://id.example.com", certificate: { env: SHORT } }]',
      /signIn\.0\.certificate must be .*certificate/,
    ],
    [`${SAML}${SAML.replace('signIn:', '')}`, /each "label" must be different/],
    ['organization: [', /is not valid YAML/],
    ['- organization', /file: /],
  ]
  for (const [text, words] of cases) {
    const { code, out, err } = await setup(text, { SHORT: 'tiny' })
    assert.deepEqual([code, out], [1, ''], text)
    assert.match(err, words)
    assert.doesNotMatch(err, /\n\s+at |tiny/)
  }
  assert.match((await runHere(['setup', '--file', 'none.yaml'], env)).err, /none\.yaml cannot be read/)
})

test('creates everything, and changes nothing the second time', async () => {
  const { code, out, err } = await setup()
  assert.equal(code, 0, err)
  assert.match(out, /The organization "Acme" with the administrator ada@example\.com is created/)
  for (const line of [
    'ada@example.com has a password',
    'provider "Company" is created',
    '"Handbook" is created and published',
  ])
    assert(out.includes(line), out)
  assert.doesNotMatch(out, new RegExp(`${PASSWORD}|${SECRET}|lec_`))
  assert.equal((await setup()).out, 'Everything is as declared\n')
})

test('creates a SAML provider whose requests are signed, and changes nothing the second time', async () => {
  const out = async (text: string) => {
    const result = await setup(text)
    assert.equal(result.code, 0, result.err)
    return result.out
  }
  assert.equal(await out(SAML), 'The sign-in provider "Directory" is created\n')
  assert.equal(await out(SAML), 'Everything is as declared\n')
  const unsigned = SAML.replace('signRequests: true', 'allowUnsolicited: true')
  assert.equal(await out(unsigned), 'The sign-in provider "Directory" is updated\n')
  assert.equal(await out(unsigned), 'Everything is as declared\n')
  assert.equal(await out(SAML), 'The sign-in provider "Directory" is updated\n')
  assert.equal(await out(SAML), 'Everything is as declared\n')
  const next = await makeKey('Directory', new Date())
  writeFileSync(join(folder.path, 'saml.pem'), `${certificate}\n${next.certificate}`)
  assert.equal(await out(SAML), 'The sign-in provider "Directory" is updated\n')
})

test('a site that was taken down is published again only if the setup says so', async () => {
  const withSite = async (more: string) => (await setup(SETUP.replace('content: sample', more))).out
  assert.equal(
    await withSite('content: sample, published: false'),
    'The site "Handbook" is not published, and its visibility is "public"\n',
  )
  assert.equal(await withSite('content: sample'), 'Everything is as declared\n')
  assert.equal(
    await withSite('content: sample, published: true'),
    'The site "Handbook" is published, and its visibility is "public"\n',
  )
})

test('changes what differs, and keeps a password', async () => {
  const { out } = await setup(
    SETUP.replace('title: Acme', 'title: Acme Ltd').replace('clientID: lectern', 'clientID: docs'),
    {
      OIDC_SECRET: 'another secret of the client',
    },
  )
  assert.deepEqual(out.trim().split('\n'), [
    'The organization is "Acme Ltd" with the host name "acme"',
    'The sign-in provider "Company" is updated',
  ])
  writeFileSync(join(folder.path, 'password'), 'another password\n')
  const again = await setup()
  writeFileSync(join(folder.path, 'password'), `${PASSWORD}\n`)
  assert.doesNotMatch(again.out, /password/)
})

test('a server that applies the setup at its start has what it declares', async (t) => {
  writeFileSync(file, SETUP.replace('title: Handbook', 'title: Manual'))
  const server = await startServer({ ...env, LECTERN_SETUP_FILE: file })
  t.after(() => server.stop('SIGKILL'))
  assert.doesNotMatch(server.out(), new RegExp(`${PASSWORD}|${SECRET}|lec_`))
  const signedIn = await fetch(`${server.url}/v1/account/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  })
  assert.equal(signedIn.status, 201)
  const { token } = (await signedIn.json()) as { token: string }
  const get = async (path: string) =>
    (await (await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).json()) as {
      items: { id: string; title: string; label: string; status: string; published: boolean }[]
    }
  const [organization] = (await get('/v1/orgs')).items
  assert.equal(organization?.title, 'Acme')
  const providers = (await get(`/v1/orgs/${organization.id}/oidc`)).items
  assert.deepEqual(
    providers.map(({ label, status }) => [label, status]),
    [['Company', 'active']],
  )
  const [saml] = (await get(`/v1/orgs/${organization.id}/saml`)).items as unknown as {
    label: string
    status: string
    entityID: string
    ssoURL: string
    signRequests: boolean
    allowUnsolicited: boolean
    service: { entityID: string; startURL: string }
  }[]
  assert.deepEqual(
    [saml?.label, saml?.status, saml?.entityID, saml?.ssoURL, saml?.signRequests, saml?.allowUnsolicited],
    ['Directory', 'active', 'https://saml.example.com/metadata', 'https://saml.example.com/sso', true, false],
  )
  const at = (url = '') => `${server.url}${new URL(url).pathname}`
  assert.match(
    await (await fetch(at(saml?.service.entityID))).text(),
    /AuthnRequestsSigned="true"[^]*X509Certificate/,
  )
  const start = await fetch(at(saml?.service.startURL), { redirect: 'manual' })
  assert.match(start.headers.get('location') ?? '', /^https:\/\/saml\.example\.com\/sso\?.*Signature=/)
  const sites = (await get(`/v1/orgs/${organization.id}/sites`)).items
  assert.deepEqual(sites.map(({ title }) => title).toSorted(), ['Handbook', 'Manual'])
  const other = await fetch(`${server.url}/v1/orgs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ title: 'Other' }),
  })
  const { hostname } = (await other.json()) as { hostname: string }
  const taken = await setup(`organization: { hostname: ${hostname} }`)
  assert.equal(taken.code, 1)
  assert.match(taken.err, /organization\.hostname: ".*" belongs to the organization "Other"/)
  const page = await fetch(`${server.url}/sites/acme/handbook/`)
  assert.equal(page.status, 200)
})
