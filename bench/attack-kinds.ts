/** Attacks on one organization that cost the server as much as they can. */
import { setTimeout as wait } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { CONTENT_ATTACKS } from './attack-content.ts'
import { type Attack, type Attacked, importBytes, insert, send } from './attacking.ts'
import { onApiHost, type Running } from './measure.ts'

const TABLE = `${'| a '.repeat(10)}|\n${'|---'.repeat(10)}|\n${`${'| *b* '.repeat(10)}|\n`.repeat(20)}\n`
const LARGEST = TABLE.repeat(45)

/** Every attack, by name; the first is none. */
export const ATTACKS: Record<string, Attack> = {
  nothing: () => wait(100),
  'batches of the largest tables': (lectern, { space }, round) =>
    Promise.all(
      [0, 1, 2, 3].map((index) => insert(lectern, space, `# Tables ${round} ${index}\n\n${LARGEST}`)),
    ),
  'first renderings of the largest pages': async (lectern, { space, site }, round) => {
    await insert(lectern, space, `---\ntitle: Rendered ${round}\n---\n\n${LARGEST}`)
    const paths = [0, 1, 2, 3].map((index) => `rendered-${round}${index % 2 === 0 ? '' : '.md'}`)
    await Promise.all(paths.map(async (path) => (await fetch(site + path)).arrayBuffer()))
  },
  'slow code': async (lectern, { space, site }, round) => {
    const line = 'var x = from a in b where a.c == "d" select new { a, e = $"{a}" }; // f\n'
    const blocks = Array.from(
      { length: 80 },
      (_, index) => `\`\`\`csharp\n// ${round} ${index}\n${line.repeat(150)}\`\`\``,
    )
    await insert(lectern, space, `---\ntitle: Code ${round}\n---\n\n${blocks.join('\n\n')}`)
    await (await fetch(`${site}code-${round}`)).arrayBuffer()
  },
  'imports of 50 MB': async (lectern, attacked, round) => {
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `f${round}-${index}.bin`,
        new Uint8Array(1_000_000).fill(index),
      ]),
    )
    const bytes = zipSync(files, { level: 0 })
    await Promise.all(Array.from({ length: 6 }, () => importBytes(lectern, attacked, bytes)))
  },
  'merges of rewritten pages': async (lectern, { space }, round) => {
    const words = (side: string) =>
      Array.from({ length: 8000 }, (_, index) => `Paragraph ${index} of ${side} ${index * 7}`).join('\n\n')
    await insert(lectern, space, `# Merged ${round}\n\n${words('base')}`)
    const { pages } = await lectern.call('GET', `/v1/spaces/${space}/content/pages`)
    const page = (pages as { id: string }[]).at(-1)!.id
    const update = (side: string) => ({
      changes: [{ operation: 'update_page', page, document: { markdown: words(side) } }],
    })
    const change = await lectern.call('POST', `/v1/spaces/${space}/change-requests`, { subject: 'Own' })
    const base = `/v1/spaces/${space}/change-requests/${String(change.id)}`
    await send(lectern, `${base}/content`, update('own'))
    await send(lectern, `/v1/spaces/${space}/content`, update('primary'))
    await send(lectern, `${base}/merge`, undefined)
  },
  'unknown paths': (_, { site }, round) =>
    Promise.all(
      Array.from({ length: 20 }, async (__, index) =>
        (await fetch(`${site}no-${round}-${index}/x`)).arrayBuffer(),
      ),
    ),
  ...CONTENT_ATTACKS,
  '7 MB of keys to sign in with': async (lectern) => {
    const body = `{${Array.from({ length: 560_000 }, (_, index) => `"key${index}":1`).join(',')}}`
    await Promise.all(
      [1, 2, 3].map(() =>
        fetch(`${lectern.url}/v1/account/sessions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }).then(
          async (answer) => answer.arrayBuffer(),
          () => undefined,
        ),
      ),
    )
  },
}

/** Creates the organization that is attacked. @returns its id */
export async function attackedOrganization(lectern: Running): Promise<string> {
  return String((await lectern.call('POST', '/v1/orgs', { title: 'Attacker' })).id)
}

/** Creates the place of attacks, without content. */
export async function attackedOf(lectern: Running, organization: string): Promise<Attacked> {
  const space = await lectern.call('POST', `/v1/orgs/${organization}/spaces`, {
    title: 'Attacked',
    editMode: 'live',
  })
  const made = await lectern.call('POST', `/v1/orgs/${organization}/sites`, {
    title: 'Attacked',
    spaces: [space.id],
  })
  const siteId = String(made.id)
  const { urls } = await lectern.call('POST', `/v1/orgs/${organization}/sites/${siteId}/publish`)
  const { published } = urls as { published: string }
  return { organization, space: String(space.id), siteId, published, site: onApiHost(lectern, published) }
}
