/** A site with content for some readers, and the tokens of readers. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { PNG } from '../picture.ts'
import type { Answer, World } from '../world.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON Web Token as a backend signs it. */
export function jwt(key: string, claims: object, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const signed = `${part(header)}.${part(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

/** Two texts are the same, but for the signatures of addresses, which are others in the next hour. */
export function assertSameText(actual: string, expected: string, message: string): void {
  const unsigned = (text: string) => text.replaceAll(/reader=[\w-]+&(?:amp;)?signature=[\w-]+/g, 'signed')
  assert.equal(unsigned(actual), unsigned(expected), message)
}

/** A picture whose bytes no other file has. */
const picture = (name: string) => new Uint8Array(Buffer.concat([PNG, Buffer.from(name)]))

const UPDATES = '{% updates %}\n{% update date="2026-03-03" %}\n## News\n{% endupdate %}\n{% endupdates %}\n'

const CONTENT = {
  '.gitbook.yaml': 'redirects:\n  old-open: open.md\n  old-pro: pro.md\n',
  'README.md': '# Welcome\n\n![Everyone](assets/everyone.png)\n\n[The pro page](pro.md)\n',
  'SUMMARY.md':
    '# Summary\n\n* [Welcome](README.md)\n* [Open](open.md)\n* [Pro](pro.md)\n  * [Below](below.md)\n* [Beta](beta.md)\n* [Mixed](mixed.md)\n',
  'open.md': '# Open\n\nFor everyone.\n',
  'pro.md': `---\nif: visitor.claims.plan == "pro"\n---\n\n# Pro\n\n![Pro](assets/pro.png)\n\n${UPDATES}`,
  'below.md': '# Below\n\nBelow the pro page.\n',
  'beta.md': '---\nif: visitor.claims.unsigned.beta == true\n---\n\n# Beta\n\nNew.\n',
  'mixed.md':
    '# Mixed\n\n{% if visitor.claims.plan == "pro" %}\nThe secret text.\n\n![Block](assets/block.png)\n\n' +
    UPDATES +
    '{% endif %}\n\n{% if visitor.claims.plan != "pro" %}\nThe free text.\n{% endif %}\n',
  'assets/everyone.png': picture('everyone'),
  'assets/pro.png': picture('pro'),
  'assets/block.png': picture('block'),
}

const SCHEMA = {
  type: 'object',
  properties: {
    plan: { type: 'string', enum: ['free', 'pro'], description: 'The plan' },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { beta: { type: 'boolean', description: 'Wants the beta version' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

/** The headers of a form of the site itself. */
const FORM_OF_SITE = {
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
}

/** A published site whose pages, blocks and files are partly for readers with certain claims. */
export async function siteForReaders(world: World, title: string, content: object = CONTENT) {
  const { ada, organizationId, nobody } = world
  const { spaceId } = await spaceWith(world, archiveOf(content as typeof CONTENT), title)
  const { siteId, address } = await publish(world, spaceId, title)
  const at = `/v1/orgs/${organizationId}/sites/${siteId}`
  const set = async (request: string, body: object) => {
    const answer = await ada(request, body)
    assert(answer.status < 300, answer.text)
    return answer.body
  }
  await set(`PUT ${at}/adaptive-schema`, { jsonSchema: SCHEMA })
  await set(`PATCH ${at}`, { adaptiveContent: { enabled: true } })
  const { privateKey } = (await ada(`GET ${at}/publishing/auth`)).body
  const { items } = (await ada(`GET /v1/spaces/${spaceId}/content/files`)).body
  const base = `/sites/docs${new URL(address).pathname}`

  return {
    at,
    base,
    spaceId,
    siteId,
    address,
    privateKey: privateKey as string,
    set: (fields: object) => set(`PATCH ${at}`, fields),
    /** The path of a file within the site, without a signature. */
    file(name: string): string {
      const found = (items as { id: string; name: string; downloadURL: string }[]).find(
        (one) => one.name === name,
      )
      assert(found, name)
      const hash = /\/files\/([0-9a-f]{12})/.exec(found.downloadURL)?.[1]
      return `~/files/${found.id}/${hash}/${name}`
    },
    /** A request to the site by its path within it. */
    get: (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      nobody(`GET ${path.startsWith('/') ? path : base + path}`, undefined, headers),
    /** Sends the form with which a reader signs out, as a browser does. */
    signOut: (headers: Record<string, string> = {}): Promise<Answer> =>
      nobody(`POST ${base}~/sign-out`, new Uint8Array(), { ...FORM_OF_SITE, ...headers }),
  }
}

/** What a browser sends back of the cookies that a response sets. */
export function cookiesOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}
