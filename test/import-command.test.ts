/** `lectern import`: a client of the running server. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { writeLocal } from '../src/installation/setup.ts'
import { firstOf } from './effort.ts'
import { archiveOf } from './importing.ts'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const { app, config, db, url } = await createWorld({ LECTERN_FETCH_ALLOW: '' })
// Beside the data of a server on the same machine, commands find its address and a token.
const place = { url, address: app.address() }
await writeLocal(db, config, app.services.sealing, place, new Date(), app.services.newId)
const { data } = config

const archive = join(folder.path, 'our-docs.zip')
writeFileSync(archive, archiveOf({ 'README.md': '# Hello\n\n![gone](gone.png)\n', 'guide.md': '# Guide\n' }))
const { token } = JSON.parse(readFileSync(join(data, 'local.json'), 'utf8')) as { token: string }

test('imports an archive into a new space and publishes it, with the URL and token from the data folder', async () => {
  const { code, out, err } = await runHere(['import', archive], { LECTERN_DATA: data })
  assert.equal(code, 0, err)
  assert.match(
    out,
    /Imported 2 pages and files\nPages .*\n  1 picture or file is missing\n      README\.md:3  gone\.png\n/,
  )
  assert.doesNotMatch(out, /link is broken/, 'a missing picture is reported once')
  const space = /Space {2}(\S+)/.exec(out)?.[1] ?? ''
  const site = /Site {3}(\S+)/.exec(out)?.[1] ?? ''
  assert.match(site, /^http:\/\/docs\.localhost:\d+\/hello\/$/)
  assert.match(out, /Links {2}1 of 1 link targets are broken; list them with: lectern links \w+/)
  const answer = await fetch(space, { headers: { authorization: `Bearer ${token}` } })
  const body = (await answer.json()) as { title: string; urls: { published: string } }
  assert.deepEqual([body.title, body.urls.published], ['Hello', site])
})

test('takes the source from the extension of a file, or from --source', async () => {
  const connection = ['--no-site', '--url', url, '--token', token]
  const page = join(folder.path, 'page.html')
  writeFileSync(page, '<h1>Alone</h1>')
  const single = await runHere(['import', page, ...connection])
  assert.equal(single.code, 0, single.err)
  assert.match(single.out, /Imported 1 page\n/)

  const wiki = join(folder.path, 'wiki.zip')
  writeFileSync(wiki, archiveOf({ 'Home.md': '[[Other]]', 'Other.md': 'x' }))
  const chosen = await runHere(['import', wiki, '--source', 'github-wiki', ...connection])
  assert.equal(chosen.code, 0, chosen.err)
  assert.match(chosen.out, /Imported 2 pages/)

  const wrong = await runHere(['import', wiki, '--source', 'confluence', ...connection])
  assert.match(wrong.err, /choose "Export space" and "HTML"/)
  const unknown = await runHere(['import', wiki, '--source', 'wiki', ...connection])
  assert.match(unknown.err, /--source must be one of zip, markdown, html,/)
  const other = join(folder.path, 'page.txt')
  writeFileSync(other, 'x')
  assert.match((await runHere(['import', other, ...connection])).err, /name its source with --source/)
})

test('prints the tool that it recognized, by which file, and how to override it', async () => {
  const connection = ['--no-site', '--url', url, '--token', token]
  const files = { 'docfx.json': '', 'mkdocs.yml': '', 'docs/a.md': '# A\n\n!!! note\n    B\n' }
  const expected = [
    [
      ['mkdocs.yml'],
      [],
      'Recognized MkDocs by mkdocs.yml: to import its files as Markdown, use --source markdown',
    ],
    [
      ['docfx.json'],
      [],
      'Recognized DocFX by docfx.json: to import its files as Markdown, use --source markdown',
    ],
    [['mkdocs.yml'], ['--source', 'markdown'], undefined],
    [['mkdocs.yml'], ['--source', 'mkdocs'], undefined],
  ] as const
  for (const [i, [marks, flags, line]] of expected.entries()) {
    const packed = join(folder.path, `project-${i}.zip`)
    const kept = Object.entries(files).filter(
      ([path]) => path.endsWith('.md') || marks.some((one) => one === path),
    )
    writeFileSync(packed, archiveOf(Object.fromEntries(kept)))
    const unpacked = join(folder.path, `project-${i}`)
    for (const [path, text] of kept) {
      mkdirSync(dirname(join(unpacked, path)), { recursive: true })
      writeFileSync(join(unpacked, path), text)
    }
    for (const origin of [packed, unpacked]) {
      const { code, out, err } = await runHere(['import', origin, ...flags, ...connection])
      assert.equal(code, 0, err)
      if (line === undefined) assert.doesNotMatch(out, /Recognized/)
      else assert.ok(out.startsWith(line), out)
    }
  }
})

test('imports a website by its address', async () => {
  const connection = ['--no-site', '--url', url, '--token', token]
  const no = await runHere(['import', archive, '--source', 'website', ...connection])
  assert.match(no.err, /is not the address of a website, such as https/)
  // The server refuses to request its own machine, so the address arrives.
  const own = await runHere(['import', `${url}/docs/`, '--source', 'website', ...connection])
  assert.match(own.err, /robots\.txt is refused: its IP address is not public/)
})

test('imports into an existing space, with the URL and token from options', async () => {
  const connection = ['--url', url, '--token', token]
  const first = await runHere(['import', archive, '--title', 'Elsewhere', '--no-site', ...connection])
  assert.equal(first.code, 0, first.err)
  assert.doesNotMatch(first.out, /Site/)
  const id = /spaces\/(\w+)/.exec(first.out)?.[1] ?? ''
  const locked = await runHere(['import', archive, '--space', id, ...connection])
  assert.equal(locked.code, 1)
  assert.match(locked.err, /locked/)
})

test('lists broken links with their place and reason, and exits with 1 only if there are any', async () => {
  const linked = join(folder.path, 'linked.zip')
  writeFileSync(
    linked,
    archiveOf({
      'README.md': '# Home\n\n[guide](guide.md#part)\n\n[gone](gone.md) [lost](guide.md#lost)\n',
      'guide.md': '# Guide\n\n## Part\n\n[gone](gone.md)\n',
    }),
  )
  const imported = await runHere(['import', linked, '--no-site'], { LECTERN_DATA: data })
  const id = /lectern links (\w+)/.exec(imported.out)?.[1] ?? ''
  const broken = await runHere(['links', id], { LECTERN_DATA: data })
  assert.deepEqual(broken.out.trimEnd().split('\n'), [
    'README.md:5  gone.md  does not exist, or the token cannot see it',
    'README.md:5  guide.md#lost  the page has no heading or anchor with this name',
    'guide.md:5  gone.md  does not exist, or the token cannot see it',
    '2 of 3 link targets are broken',
  ])
  assert.equal(broken.code, 1)

  const whole = join(folder.path, 'whole.md')
  writeFileSync(whole, '# Whole\n\n[itself](#whole)\n\n## Whole\n')
  const sound = await runHere(['import', whole, '--no-site'], { LECTERN_DATA: data })
  assert.match(sound.out, /0 of 1 link targets are broken\n$/)
  const soundId = /spaces\/(\w+)/.exec(sound.out)?.[1] ?? ''
  const none = await runHere(['links', soundId, '--url', url, '--token', token])
  assert.deepEqual([none.code, none.out], [0, '0 of 1 link targets are broken\n'])

  const unknown = await runHere(['links', 'nowhere'], { LECTERN_DATA: data })
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /There is no space "nowhere", or the token cannot see it/)
  assert.doesNotMatch(unknown.err, /\n {4}at /)
})

test('the token of the data folder is sent to the server of this machine, and to no other', async () => {
  const sent: (string | undefined)[] = []
  const other = createServer((request, response) => {
    sent.push(request.headers.authorization)
    response.end('{}')
  })
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  after(() => other.close())
  const { port } = other.address() as AddressInfo
  const unauthorized = await runHere(['links', 'x', '--url', `http://127.0.0.1:${port}`], {
    LECTERN_DATA: data,
  })
  assert.match(unauthorized.err, /No token is known for .*add --token/)
  assert.deepEqual(sent, [])
  const named = await runHere(['links', 'nowhere', '--url', url.replace('localhost', '127.0.0.1')], {
    LECTERN_DATA: data,
  })
  assert.match(named.err, /There is no space "nowhere"/)
})

test('errors name the fault and the remedy, without a stack trace', async () => {
  const unnamed = join(folder.path, 'unnamed')
  writeFileSync(unnamed, 'x')
  const cases: [string[], Record<string, string>, RegExp][] = [
    [['import', archive, '--url', url, '--token', 'wrong'], {}, /Authorization: Bearer/],
    [['import', 'nowhere.zip'], {}, /nowhere\.zip is not a file/],
    [['import'], {}, /Name one file/],
    [['import', unnamed], {}, /has none of the extensions \.zip, .*name its source with --source/],
    [
      ['import', archive],
      { LECTERN_DATA: join(folder.path, 'other') },
      /No server has been started .*npm start/,
    ],
    [['import', archive, '--url', 'http://127.0.0.1:9', '--token', 'x'], {}, /cannot be reached.*npm start/],
  ]
  const runs = firstOf(cases, 2).map(async ([args, env, message]) => {
    const { code, err } = await runHere(args, { LECTERN_DATA: data, ...env })
    assert.equal(code, 1, args.join(' '))
    assert.match(err, message)
    assert.doesNotMatch(err, /\n {4}at /)
  })
  await Promise.all(runs)
})

test('lists the addresses of an old sitemap that neither pages nor redirects answer, with exit code 3', async () => {
  const docs = join(folder.path, 'old-site.zip')
  writeFileSync(
    docs,
    archiveOf({
      'SUMMARY.md':
        '* [Home](README.md)\n## Guides\n* [Ways & means](guides/ways.md)\n  * [Deep](else/deep.md)\n',
      'README.md': '# Home\n',
      'guides/ways.md': '# Ways\n',
      'else/deep.md': '# Deep\n',
      '.gitbook.yaml': 'redirects:\n  old/path: guides/ways.md\n  away: https://example.com/\n',
    }),
  )
  const sitemap = (name: string, texts: string[], kind = 'url') => {
    const path = join(folder.path, name)
    const items = texts.map((text) => `<${kind}><loc>\n ${text} </loc></${kind}>`)
    writeFileSync(path, `<?xml version="1.0"?><urlset>${items.join('')}</urlset>`)
    return path
  }
  const base = 'https://old.example.com/some/docs'
  const answered = ['', '/Guides/ways', '/guides/ways/deep', '/else/deep', '/old/path', '/away', '/guides']
  sitemap(
    'pages-1.xml',
    answered.map((path) => base + path),
  )
  sitemap('pages-2.xml', [`${base}/gone`, `${base}/guides/a&amp;b`, `${base}/guides/ways`])
  const index = sitemap(
    'sitemap.xml',
    ['pages-1.xml', 'pages-2.xml'].map((name) => `https://old.example.com/${name}`),
    'sitemap',
  )
  const connection = ['--url', url, '--token', token]
  const checked = await runHere(['import', docs, '--check-addresses', index, ...connection])
  assert.equal(checked.code, 3, checked.err)
  assert.match(
    checked.out,
    /Addresses {2}2 of 10 old addresses are not answered\n {2}\S+\/docs\/gone\n {2}\S+\/docs\/guides\/a&b\n/,
  )

  const whole = await runHere([
    'import',
    docs,
    '--check-addresses',
    join(folder.path, 'pages-1.xml'),
    ...connection,
  ])
  assert.equal(whole.code, 0, whole.err)
  assert.match(whole.out, /Addresses {2}0 of 7 old addresses are not answered\n/)

  const missing = await runHere(['import', docs, '--check-addresses', 'none.xml', ...connection])
  assert.deepEqual([missing.code, missing.out], [1, ''])
  assert.match(missing.err, /The sitemap none\.xml cannot be read: .*no such file/)
})
