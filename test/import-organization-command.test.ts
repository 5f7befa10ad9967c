/** `lectern import --from`: copies an organization by its API. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { describedOrganization, describedServer } from './described-server.ts'
import { inLongRun } from './effort.ts'
import { comparable } from './compared-organization.ts'
import { fillOrganization, requester } from './organization-to-copy.ts'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld, type World } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const source = await createWorld()
await fillOrganization(source)

/** The options of a copy into a world, with a state file of this name. */
function into(
  target: Pick<World, 'url' | 'ada'>,
  state: string,
  from = { url: source.url, token: source.ada.token },
): string[] {
  const [at, to] = [`${from.url}/v1`, target.ada.token]
  const options = {
    from: at,
    token: from.token,
    url: target.url,
    'to-token': to,
    state: join(folder.path, state),
  }
  return ['import', '--quiet', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])]
}

test('copies an organization of another Lectern, so that everything is equal, and makes nothing twice', async () => {
  const target = await createWorld()
  const { code, out, err } = await runHere(into(target, 'whole.jsonl'))
  assert.equal(err, '')
  const expected = withSignatures(await comparable(source))
  assert.deepEqual(await comparable(target), expected)
  const [docs] = expected.sites
  assert.match(docs.look.header.logo.light, /^picture /)
  assert.equal(docs.look.header.links[0].to.page, 'page Guide/Deep')
  assert.equal(docs.redirects.length, 4)
  assert.match(out, /wil@example\.com {2}http\S+\n[^]*^Copied 3 spaces\n/m)
  assert.equal(code, 0, out)

  const again = await runHere(into(target, 'whole.jsonl'))
  assert.equal(again.code, 0, again.err)
  assert.deepEqual(await comparable(target), expected)
})

/** An organization as its copy has it: the comments of others are those of the administrator, and name their authors. */
function withSignatures<T>(organization: T): T {
  const today = new Date().toISOString().slice(0, 10)
  const admin = 'admin@localhost'
  const signed = ({ by, body, ...comment }: Comment): Comment => ({
    ...comment,
    by: admin,
    body:
      by === admin
        ? body
        : { markdown: `**${by.replace('@example.com', '')}**, ${today}:\n\n${body.markdown}` },
    ...(comment.replies && { replies: comment.replies.map(signed) }),
  })
  const { spaces } = organization as {
    spaces: {
      comments: Comment[]
      changeRequests: { comments: Comment[] }[]
    }[]
  }
  for (const space of spaces) {
    space.comments = space.comments.map(signed)
    for (const one of space.changeRequests) {
      one.comments = one.comments.map(signed)
      for (const { body } of one.comments)
        body.markdown = body.markdown.replace(/:(?=\n\nAt last)/, ' approved:')
    }
  }
  return organization
}

interface Comment {
  by: string
  body: { markdown: string }
  replies?: Comment[]
}

test('continues after it lost the connection at any write, and makes nothing twice', async () => {
  const target = await createWorld()
  const every = inLongRun === false ? 4 : 11
  const proxy = await losingProxy(target.url)
  // A space that was there before is never taken for a copy.
  const call = requester(target)
  const { id: earlier } = await call(`POST /v1/orgs/${target.organizationId}/spaces`, {
    title: 'Nothing yet',
  })
  let runs = 0
  for (let code: number | null = 1; code !== 0; runs++) {
    proxy.loseAfter(every)
    const run = await runHere(into({ ...target, url: proxy.url }, 'lost.jsonl'))
    code = run.code
    assert.notEqual(code, 3, run.out)
    if (code !== 0) assert.match(run.err, /\nRun the same command again to continue/)
    assert(runs < 200, run.err)
  }
  assert(runs > 3, `${runs} runs`)
  const { permissions, ...untouched } = await call(`GET /v1/spaces/${earlier}`)
  assert.deepEqual([permissions.view, untouched.createdAt], [true, untouched.updatedAt])
  await call(`DELETE /v1/spaces/${earlier}`)
  assert.deepEqual(await comparable(target), withSignatures(await comparable(source)))
})

/** A proxy that passes a write on, and then closes the connection without the response. */
async function losingProxy(url: string) {
  let left = Infinity
  const server = createServer((request, response) => {
    void pass()
    async function pass() {
      const body = await buffer(request)
      const isWrite = request.method !== 'GET'
      const { authorization = '', 'content-type': type = '' } = request.headers
      const answer = await fetch(`${url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
        ...(isWrite && body.length > 0 && { body }),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (isWrite && --left === 0) request.socket.destroy()
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, loseAfter: (writes: number) => (left = writes) }
}

test('copies from a server that answers as the description says, and reports what it could not copy', async () => {
  const target = await createWorld()
  let url = ''
  const later = { 'retry-after': '1' }
  const from = await describedServer(
    describedOrganization(() => url),
    new Map([
      [2, { status: 429, headers: later }],
      [9, { status: 503, headers: later }],
    ]),
  )
  url = from.url
  const options = into(target, 'described.jsonl', { url, token: 'source-token' })
  const report = join(folder.path, 'report.json')
  const { code, out, err } = await runHere([...options, '--report', report])
  assert.equal(code, 3, err)
  assert.deepEqual([from.limited, from.impatient, from.wrong], [2, 0, []])
  assert.match(out, /Something could not be copied: exit code 3/)

  const call = requester(target)
  const org = `/v1/orgs/${target.organizationId}`
  const { spaces, members, teams, collections, customFields, specifications, sites } =
    await comparable(target)
  assert.deepEqual(members, [
    ['admin@localhost', 'admin'],
    ['wil@example.com', 'edit'],
  ])
  assert.deepEqual(teams, [{ title: 'Writers', people: [['wil@example.com', 'owner']] }])
  assert.deepEqual(
    collections.map(({ title, defaultLevel }: { title: string; defaultLevel: string }) => [
      title,
      defaultLevel,
    ]),
    [
      ['Outer', 'read'],
      ['Inner', 'inherit'],
      ['Lost', null],
    ],
  )
  assert.deepEqual(
    customFields.map(({ name }: { name: string }) => name),
    ['owner'],
  )
  assert.deepEqual(
    specifications.map(({ slug, visibility, text }: Record<string, string>) => [
      slug,
      visibility,
      JSON.parse(text ?? '').info.title,
    ]),
    [['shop', 'public', 'Shop']],
  )
  const [site] = sites
  assert.deepEqual([site.title, site.type, site.published], ['Site', 'ultimate', true])
  const [two, group1] = site.parts
  assert.deepEqual(
    [two.title, two.default, two.condition, two.space],
    ['Two', true, 'visitor.claims.beta', undefined],
  )
  assert.deepEqual([group1.title, group1.children[0].title], ['Group', 'One'])
  assert.deepEqual(
    [site.look.styling.theme, site.look.styling.links, site.look.styling.corners],
    ['bold', 'accent', 'rounded'],
  )
  assert.equal(site.look.header.links[0].to.page, 'page Guide/Home/Below')
  assert.equal(site.look.favicon.icon.light, 'http://files.example.com/x.png')
  const [guide, other] = spaces
  const [home, group, secret] = guide.content.pages
  assert.equal(
    home.markdown,
    '# Home\n\nTo [the other](/spaces/space Other/pages/page Other/Third#part) and [below](/pages/page Guide/Home/Below).\n\n<figure><img src="/files/file Guide/map.svg" alt=""><figcaption></figcaption></figure>\n\n{% include "/reusable-contents/reusable Guide/Part" %}\n',
  )
  assert.deepEqual(home.cover, { ref: { kind: 'file', file: 'file Guide/map.svg' }, yPos: 3 })
  assert.equal(home.layout.outline, false)
  assert.match(home.pages[0].markdown, /By \[\]?.*\/users\/user wil@example\.com/)
  assert.equal(group.pages[0].markdown, '# Odd\n\nAs [text](/spaces/space Other/pages/page Other/Third).\n')
  assert.deepEqual(group.pages[1].target, { kind: 'page', page: 'page Other/Third', space: 'space Other' })
  assert.equal(secret.markdown, '')
  assert.deepEqual(guide.content.variables, { season: 'summer' })
  assert.equal(guide.content.reusables[0].document.nodes[0].nodes[0].leaves[0].text, 'Shared words.')
  assert.deepEqual([guide.editMode, guide.emoji, other.editMode], ['locked', '1f3e0', 'live'])

  const [better] = guide.changeRequests
  const [first, second] = better.content.pages
  assert.deepEqual(
    [better.subject, better.status, first.title, first.slug],
    ['Better', 'open', 'Better home', 'home'],
  )
  assert.match(first.markdown, /Better, see \[new\]\(\/pages\/page Guide\/New\)\./)
  assert.deepEqual([second.title, second.markdown, first.pages], ['New', '# New\n\nNew words.\n', []])
  assert.deepEqual(better.comments, [
    {
      by: 'admin@localhost',
      body: {
        markdown: `> Old words\n\n**Gone \\*Away\\***, 2024-05-03:\n\nSee [it](/pages/page Guide/Home/Below)`,
      },
      status: 'resolved',
      page: 'Better home',
      replies: [{ by: 'admin@localhost', body: { markdown: 'Mine' } }],
    },
  ])

  const { counts, problems } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const of = (kind: string) => problems.filter((one) => one.kind === kind).map(({ path }) => path)
  assert.deepEqual(of('copied-differently'), [
    'Collection “Lost”',
    'Comments and replies',
    'Site “Site”, picture http://files.example.com/x.png',
    'Space “Guide”, change request “Better”',
    'Space “Guide”, page “Odd”',
  ])
  assert.deepEqual(of('unwritten'), [
    'Custom field “shape”',
    'Site “Site”, appearance, styling.corners',
    'Site “Site”, basename',
    'Site “Site”, section “Lost”',
    'Space “Guide”, language',
    'Space “Guide”, page “Computed”',
  ])
  assert(of('unread').includes('Member “User u3”'))
  assert(of('unread').includes('Space “Guide”, page “Secret”'))
  assert(of('unread').includes('Space “Forbidden”'))
  assert(of('unread').includes('OpenAPI specification “lost”'))
  assert.equal(counts.unread, of('unread').length)

  // What was refused before is read by another run, and nothing is made twice.
  from.answers['/spaces/s1/content/page/p6 document'] = from.answers['/spaces/s2/content/page/p3 document']
  const again = await runHere([...options, '--allow-loss'])
  assert.equal(again.code, 0, again.err)
  const completed = await comparable(target)
  assert.equal(completed.spaces[0].content.pages[2].markdown, '# Secret\n\n## Part\n')
  const { count } = await call(`GET ${org}/spaces`)
  assert.equal(count, 3)
})

interface Report {
  counts: Record<string, number>
  problems: { kind: string; path: string; message: string }[]
}

test('lets nobody see what they could not see in the source, also where the target refuses a setting', async () => {
  const world = await createWorld()
  const answers = describedOrganization(() => '')
  const from = await describedServer(answers)
  const spaces = answers['/orgs/o1/spaces'] as Record<string, unknown>[]
  const sites = answers['/orgs/o1/sites'] as Record<string, unknown>[]
  const collections = answers['/orgs/o1/collections'] as Record<string, unknown>[]
  const call = requester(world)
  const org = `/v1/orgs/${world.organizationId}`
  const options = into(world, 'closed.jsonl', { url: from.url, token: 'source-token' })
  const run = async () => {
    const report = join(folder.path, 'closed.json')
    const { err } = await runHere([...options, '--no-members', '--allow-loss', '--report', report])
    assert.equal(err, '')
    const { problems } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const made = (await call(`GET ${org}/spaces?limit=100`)).items as { id: string; title: string }[]
    const pages = await Promise.all(
      made.map(async ({ id, title }) => [title, (await call(`GET /v1/spaces/${id}/content`)).pages.length]),
    )
    const [site] = (await call(`GET ${org}/sites`)).items as { published: boolean }[]
    return {
      pages: Object.fromEntries(pages) as Record<string, number>,
      published: site?.published,
      refused: problems.map(({ path, message }) => `${path}: ${message}`),
    }
  }

  // The space "Guide" is in the collection "Inner", which is in "Outer".
  collections[1]!.defaultLevel = 'nobody-at-all'
  spaces[1]!.defaultLevel = 'nobody-at-all'
  sites[0]!.visibility = 'members-only'
  const closed = await run()
  assert.deepEqual([closed.pages.Guide, closed.pages.Other, closed.published], [0, 0, false])
  const level = 'has no content, because its default level could not be copied'
  assert(closed.refused.includes(`Space “Guide”: ${level}`), closed.refused.join('\n'))
  assert(closed.refused.includes(`Space “Other”: ${level}`))
  assert(closed.refused.some((line) => line.startsWith('Site “Site”, publication: is not published')))

  collections[1]!.defaultLevel = 'read'
  spaces[1]!.defaultLevel = null
  sites[0]!.visibility = 'unlisted'
  const [, two] = answers['/orgs/o1/sites/w1/sections'] as Record<string, unknown>[]
  two!.condition = 'visitor.claims.('
  const open = await run()
  assert.equal(open.published, false, 'a condition could not be copied')
  assert((open.pages.Guide ?? 0) > 0 && (open.pages.Other ?? 0) > 0)
  two!.condition = 'visitor.claims.beta'
  sites.push({ ...sites[0]!, id: 'w9', title: 'Closed', defaultLevel: 'nobody-at-all' })
  const refused = await run()
  assert.equal(refused.published, true)
  const empty = 'is empty, because its default level could not be copied'
  assert(refused.refused.includes(`Site “Closed”: ${empty}`), refused.refused.join('\n'))
})

test('refuses what would send a token without encryption, and options that do not fit', async () => {
  const state = join(folder.path, 'refused.jsonl')
  writeFileSync(state, '{"lectern":1,"from":"https://other.example.com/v1/orgs/x","to":"y"}\n')
  const server = ['--url', source.url, '--to-token', source.ada.token]
  const from = ['import', '--from', source.url, '--token', source.ada.token, ...server]
  const cases: [string[], RegExp][] = [
    [
      ['import', '--from', 'http://api.example.com/v1', '--token', 'x', ...server],
      /--from must begin with https:\/\//,
    ],
    [['import', '--from', 'api.example.com', '--token', 'x', ...server], /--from must be an address/],
    [
      ['import', '--from', 'https://api.example.com/v1', ...server],
      /Name a token of https:\/\/api\.example\.com with --token/,
    ],
    [[...from, 'docs.zip'], /--from copies an organization/],
    [[...from, '--state', state], /belongs to the import from https:\/\/other\.example\.com\/v1\/orgs\/x/],
    [['import', '--from', source.url, '--token', 'wrong', ...server], /The source refuses the token/],
  ]
  for (const [args, message] of cases) {
    const { code, err } = await runHere(args)
    assert.equal(code, 1, args.join(' '))
    assert.match(err, message)
  }
})
