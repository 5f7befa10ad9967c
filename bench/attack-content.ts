/** Attacks by what content says: front matter, includes, conditions, comments, searches and redirects. */
import { zipSync } from 'fflate'
import { type Attack, importBytes, insert, send } from './attacking.ts'

/** The front matter that takes a parser of YAML longest, as large as it may be. */
const SLOW_YAML = [
  (size: number) => `a: ${'? - '.repeat(size / 4)}`,
  (size: number) => 'a: [? !<]>\n'.repeat(size / 11),
  (size: number) => `a:\n  ${'- '.repeat(size / 2)}`,
  (size: number) => `a: &a [x, x]\n${'b: [*a, *a, *a]\n'.repeat(size / 16)}`,
]
const YAML_SIZE = 19_000

/** An expression that takes the most steps that one evaluation may take, and is false. It differs for each number. */
const costly = (number: number) =>
  `[${'1,'.repeat(60)}${number}].some((a) => [${'1,'.repeat(60)}0].some((b) => [${'1,'.repeat(60)}0].some((c) => a + b + c < 0)))`

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

const zipOf = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])))

const get = async (address: string) => (await fetch(address, { redirect: 'manual' })).arrayBuffer()

/** These attacks, by name. */
export const CONTENT_ATTACKS: Record<string, Attack> = {
  'slow front matter': async (lectern, attacked, round) => {
    const yaml = SLOW_YAML[round % SLOW_YAML.length]!(YAML_SIZE)
    const markdown = `---\ntitle: Slow\n${yaml}\n---\n\nText\n`
    await Promise.all([
      insert(lectern, attacked.space, markdown),
      importBytes(lectern, attacked, zipOf({ 'README.md': '# A\n', 'slow.md': markdown })),
      importBytes(lectern, attacked, zipOf({ 'README.md': '# A\n', '.gitbook.yaml': `root: ./\n${yaml}` })),
    ])
  },
  'includes of themselves, and of as much as is allowed': async (lectern, attacked, round) => {
    const include = (path: string, count: number) => `{% include "${path}" %}\n\n`.repeat(count)
    const folder = '.gitbook/includes'
    const chain = ['a', 'b', 'c', 'd'].map((name, index, all) => [
      `${folder}/${name}.md`,
      `${round} **b** c\n\n${index + 1 < all.length ? include(`${all[index + 1]}.md`, 12) : 'd\n'}`,
    ])
    const readme = { 'README.md': `# A ${round}\n\n${include(`${folder}/a.md`, 12)}` }
    await importBytes(lectern, attacked, zipOf({ ...readme, [`${folder}/a.md`]: include('a.md', 200) }))
    await importBytes(lectern, attacked, zipOf({ ...readme, ...Object.fromEntries(chain) }))
    await get(attacked.site)
  },
  'costly conditions': async (lectern, attacked, round) => {
    const hidden = times(200, (index) => [
      `a${index}.md`,
      `---\nif: '${costly(index + 200 * round)}'\n---\n\n# Hidden ${index}\n`,
    ])
    const blocks = times(100, (index) => `{% if ${costly(index + round)} %}\nHidden\n{% endif %}`)
    const links = times(100, (index) => `[link](a${index}.md)`)
    const files = {
      ...Object.fromEntries(hidden),
      'z.md': `# Visible ${round}\n\n${[...links, ...blocks].join('\n\n')}\n`,
    }
    await importBytes(lectern, attacked, zipOf(files))
    await Promise.all(['', 'z', 'z.md', 'sitemap.xml', 'llms.txt'].map((path) => get(attacked.site + path)))
  },
  'long comments': async (lectern, { space }) => {
    const comments = `/v1/spaces/${space}/comments`
    const markdown = '- *a*\n'.repeat(1600)
    await Promise.all(times(5, () => send(lectern, comments, { body: { markdown } })))
    await Promise.all(times(4, () => send(lectern, `${comments}?limit=1000`, undefined, 'GET')))
  },
  searches: async (lectern, { organization, space, site }, round) => {
    const words = times(16, (index) => `${'abcdefgh'[index % 8]}${'aeiou'[index % 5]}`).join(' ')
    const phrases = times(8, (index) => `"${[...'abc'].map((c) => c + index).join(' ')}"`).join(' ')
    // The index follows within a second, so the later rounds find these.
    await insert(
      lectern,
      space,
      `# Found ${round}\n\n${`${words} ${phrases} rendered tables\n\n`.repeat(300)}`,
    )
    const query = encodeURIComponent([words, phrases, 'rendred tabels', `"aa be" -"b0 a0" ge`][round % 4]!)
    await Promise.all([
      send(lectern, `/v1/spaces/${space}/search?query=${query}&limit=1000`, undefined, 'GET'),
      send(lectern, `/v1/orgs/${organization}/search?query=${query}&limit=1000`, undefined, 'GET'),
      get(`${site}~/search?q=${query}`),
    ])
  },
  'redirects that lead to each other': async (lectern, { organization, siteId, published, site }, round) => {
    const path = `/v1/orgs/${organization}/sites/${siteId}/redirects`
    const redirects = times(500, (index) => ({
      source: `/r${round % 10}/${index}${index % 2 === 0 ? '/*' : ''}`,
      destination: { kind: 'external', url: `${published}r${(round + 1) % 10}/${index}` },
      captureWildcard: index % 2 === 0,
    }))
    await send(lectern, path, { redirects }, 'PUT')
    await Promise.all(times(20, (index) => get(`${site}r${round % 10}/${index}/x`)))
  },
}
