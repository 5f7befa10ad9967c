/** The broken links of a real documentation, counted by a script that shares no code with ours. */
import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { corpusArchive, withoutCorpora } from '../corpus.ts'
import { inLongRun } from '../effort.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { unzip } from '../imports/zip.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()

/** The files of the archive; those that are not Markdown are empty, because it matters only that they exist. */
function filesOf(archive: Uint8Array): Map<string, string> {
  const names = new Set<string>()
  const markdown = unzip(archive, (path) => {
    names.add(path)
    return path.endsWith('.md')
  })
  return new Map([...names].map((name) => [name, markdown.get(name)?.toString() ?? '']))
}

/** Each broken link as `file address`, by regular expressions over the files. */
function countedByHand(files: ReadonlyMap<string, string>): string[] {
  const broken: string[] = []
  for (const [path, source] of files) {
    if (!path.endsWith('.md') || path.endsWith('SUMMARY.md')) continue
    for (const address of addressesIn(source))
      if (!isFound(files, path, address)) broken.push(`${path} ${address}`)
  }
  return broken
}

function withoutCode(source: string): string {
  return source
    .replace(/^ *(`{3,}|~{3,})[\s\S]*?^ *\1`*$/gm, '')
    .replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, '')
}

function addressesIn(source: string): string[] {
  const links = withoutCode(source).matchAll(
    /\]\((?:<([^>\n]+)>|([^()\s]*(?:\([^()\s]*\)[^()\s]*)*))(?: +"[^"\n]*")?\)|<(?:img|a)\b[^>]*? (?:src|href)="([^"]+)"|\{% content-ref url="([^"]+)"/g,
  )
  return [...links].flatMap(([, ...found]) => found.find(Boolean) ?? [])
}

function isFound(files: ReadonlyMap<string, string>, path: string, address: string): boolean {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(address) || address === '#') return true
  const [wanted = '', anchor] = address.split('#')
  const target =
    wanted === ''
      ? path
      : posix
          .join(
            wanted.startsWith('/') ? '' : posix.dirname(path),
            decodeURIComponent(wanted).replace(/^\/+/, ''),
          )
          .replace(/\/$/, '')
  const candidates = [target, `${target}.md`, posix.join(target, 'README.md')]
  const found = candidates.find((one) => files.has(one))
  if (found === undefined) return false
  return !anchor || namesIn(files.get(found)!).has(lettersOf(decodeURIComponent(anchor)))
}

/** The headings of a file, as a link may spell them. The second one of a name has a number. */
function namesIn(source: string): Set<string> {
  const names = new Set<string>()
  const code = source.replace(/^ *(`{3,}|~{3,})[\s\S]*?^ *\1`*$/gm, '')
  for (const [, heading = ''] of code.matchAll(/^#{1,6} +(.*?)#* *$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<a [^>]*>|<\/a>/g, '')
    const name = lettersOf(text)
    for (let count = 0; ; count++) {
      const numbered = count === 0 ? name : `${name}${count}`
      if (names.has(numbered)) continue
      names.add(numbered)
      break
    }
  }
  for (const [, id = ''] of code.matchAll(/\b(?:id|name)="([^"]+)"/g)) names.add(lettersOf(id))
  return names
}

function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/^id-/, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

test(
  'the broken links of the Fluentd documentation are those that a script over its files counts',
  { skip: withoutCorpora || inLongRun },
  async () => {
    const files = filesOf(corpusArchive('fluentd-docs'))
    const { spaceId } = await spaceWith(world, archiveOf(Object.fromEntries(files)))
    const found: string[] = []
    for (let next: string | undefined = ''; next !== undefined;) {
      const { body } = await world.ada(`GET /v1/spaces/${spaceId}/links?status=broken&limit=500${next}`)
      for (const { locationReferences } of body.items)
        for (const { page, link } of locationReferences) found.push(`${page.git.path} ${link.address}`)
      next = body.next && `&page=${body.next.page}`
    }
    assert.deepEqual(found.toSorted(), countedByHand(files).toSorted())
    assert.equal(found.length, 15)
  },
)
