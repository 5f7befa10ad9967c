import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PAGE_LIMITS } from '../document/shape/limits.ts'
import { repositoryLimits } from './model.ts'
import { outline, plan, refusal } from '../../../test/core/repository/plan-fixture.ts'
import { planImport } from './plan.ts'
import { cpuTime } from '../../../test/cpu.ts'
import { inLongRun } from '../../../test/effort.ts'

describe('settings', () => {
  test('move the root, the first page and the table of contents', async () => {
    const { pages, root, files, redirects, variables, leftOut } = await plan({
      '.gitbook.yaml':
        'root: ./docs/\nstructure:\n  readme: start.md\n  summary: ./toc/Contents.md\nredirects:\n  /old/: a/b.md',
      'docs/toc/contents.md': '* [Start](../start.md)\n* [B](a/b.md)',
      'docs/start.md': '![](.gitbook/assets/x.png) ![](/pics/y.png) ![](../shared/z.png)',
      'docs/a/b.md': '# B',
      'docs/.gitbook/assets/x.png': '',
      'docs/.gitbook/vars.yaml': 'version: 3\nNAME: "x"\nbeta: true',
      'docs/pics/y.png': '',
      'shared/z.png': '',
      'README.md': '# Not in the root',
    })

    assert.equal(root, 'docs')
    assert.deepEqual(outline(pages), ['/start "Start" < docs/start.md', '/b "B" < docs/a/b.md'])
    assert.deepEqual(
      files.map(({ path }) => path),
      ['docs/.gitbook/assets/x.png', 'docs/pics/y.png', 'shared/z.png'],
    )
    assert.deepEqual(redirects, [{ from: 'old', target: { file: 'docs/a/b.md' } }])
    assert.deepEqual(variables, { version: 3, NAME: 'x', beta: true })
    assert.deepEqual(leftOut, [])
  })

  test('name the first page where there is no table of contents', async () => {
    const { pages } = await plan({
      '.gitbook.yaml': 'structure: { readme: intro.md }',
      'a.md': '',
      'intro.md': '',
      'README.md': '',
    })

    assert.deepEqual(
      outline(pages).map((line) => line.split(' ')[0]),
      ['/intro', '/a', '/readme'],
    )
  })

  test('redirect to pages, anchors and other sites, but not from the path that a page has, and say which redirects lead nowhere', async () => {
    const { redirects, problems } = await plan({
      '.gitbook.yaml':
        'redirects:\n  a: x.md\n  b/c: ./x.md#part\n  d: https://example.com/\n  e: gone.md\n  f: left-out.md\n  g: x\n  X: x.md\n',
      'SUMMARY.md': '* [X](x.md)',
      'x.md': '',
      'left-out.md': '',
    })

    assert.deepEqual(redirects, [
      { from: 'a', target: { file: 'x.md' } },
      { from: 'b/c', target: { file: 'x.md', anchor: 'part' } },
      { from: 'd', target: { url: 'https://example.com/' } },
      { from: 'g', target: { file: 'x.md' } },
    ])
    assert.deepEqual(
      problems.map(({ message }) => /"(\w)" points/.exec(message)?.[1]),
      ['e', 'f'],
    )
  })

  test('that cannot be read are reported, and the rest is imported', async () => {
    const { problems, pages } = await plan({
      '.gitbook.yaml': new Uint8Array([0xff, 0x00, 0xd8]),
      '.gitbook/vars.yaml': 'a b: 1\nlist: [1]\nok: yes it is',
      'README.md': '# A',
    })

    assert.equal(pages.length, 1)
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['.gitbook.yaml', '.gitbook/vars.yaml', '.gitbook/vars.yaml'],
    )
  })
})

describe('files about a project, without a table of contents', () => {
  const about = Object.fromEntries(
    [
      '404',
      'LICENSE',
      'CHANGELOG',
      'Contributing',
      'code_of_conduct',
      'SECURITY',
      'security',
      'license-faq-for-users',
    ].map((name) => [`${name}.md`, `# ${name}`]),
  )
  const shown = ({ pages }: Awaited<ReturnType<typeof plan>>) =>
    pages.flatMap((page) => (page.kind === 'document' && !page.isHidden ? [page.title] : []))

  test('are in no navigation, and a page 404 is left out without a report', async () => {
    const planned = await plan({ 'README.md': '# Home', ...about })
    assert.deepEqual(shown(planned), ['Home', 'license-faq-for-users', 'security'])
    assert.equal(planned.pages.length, 8)
    assert.deepEqual(planned.problems, [])
  })

  test('are chapters below the top, and where the table of contents lists them', async () => {
    const below = await plan({
      'package.json': '',
      '.gitbook.yaml': 'root: docs',
      'docs/a.md': '',
      'docs/LICENSE.md': '',
    })
    assert.deepEqual(shown(below), ['A', 'LICENSE'])
    const listed = await plan({ 'SUMMARY.md': '* [License](LICENSE.md)\n* [Lost](404.md)', ...about })
    assert.deepEqual(shown(listed), ['LICENSE', '404'])
  })
})

describe('files and reusable contents', () => {
  test('are the assets, and what a page refers to elsewhere', async () => {
    const { files, problems, totalResources, importedResources } = await plan({
      'SUMMARY.md': '* [A](sub/a.md)',
      'sub/a.md': `![](../images/one.png)
![](<../images/two (1).png>)
![](../images/three%20x.png)
![](/images/four.png?raw=true)
![](..\\images\\five.png)
[code](sample.cs#L10) [page](b.md) [gone page](gone.md) [site](https://example.com/x.png) [top](#top)
![](../images/gone.png) ![](../images/gone.png) [no file](../images/folder) [mail](mailto:a@b.c)`,
      'sub/sample.cs': 'code',
      'sub/b.md': '',
      ...Object.fromEntries(
        ['one', 'two (1)', 'three x', 'four', 'five', 'unused'].map((name) => [`images/${name}.png`, name]),
      ),
      '.gitbook/assets/un used (1).svg': '<svg/>',
      '.gitbook/assets/js/page.html': '',
      'package.json': '{}',
    })

    assert.deepEqual(
      files.map(({ path, name, contentType }) => [path, name, contentType]),
      [
        ['.gitbook/assets/un used (1).svg', 'un used (1).svg', 'image/svg+xml'],
        ['.gitbook/assets/js/page.html', 'page.html', 'text/plain; charset=utf-8'],
        ['images/one.png', 'one.png', 'image/png'],
        ['images/two (1).png', 'two (1).png', 'image/png'],
        ['images/three x.png', 'three x.png', 'image/png'],
        ['images/four.png', 'four.png', 'image/png'],
        ['images/five.png', 'five.png', 'image/png'],
        ['sub/sample.cs', 'sample.cs', 'text/plain; charset=utf-8'],
      ],
    )
    assert.equal(Buffer.from(files[2]?.bytes ?? []).toString(), 'one')
    assert.deepEqual(problems, [
      {
        kind: 'missing-file',
        path: 'sub/a.md',
        address: '../images/gone.png',
        message: 'refers to "images/gone.png", which is not in the repository',
        reason: 'reference-not-in-repository',
        parameters: { path: 'images/gone.png' },
      },
    ])
    assert.deepEqual([totalResources, importedResources], [10, 9])
  })

  test('come from the folder of includes, and from wherever a page includes them', async () => {
    const { reusableContents, files, leftOut } = await plan({
      'SUMMARY.md': '* [A](docs/a.md)',
      'docs/a.md':
        '# A\n{% include "../.gitbook/includes/note.md" %}\n{% include "snippets/s.md" %}\n{% include "gone.md" %}',
      'docs/snippets/s.md': '{% include "t.md" %}',
      'docs/snippets/t.md': '![](t.png)',
      'docs/snippets/t.png': '',
      '.gitbook/includes/note.md': '---\ntitle: A note\n---\n![](../../i.png)',
      '.gitbook/includes/un-used.md': 'text',
      'i.png': '',
    })

    assert.deepEqual(
      reusableContents.map(({ path, title }) => [path, title]),
      [
        ['.gitbook/includes/note.md', 'A note'],
        ['.gitbook/includes/un-used.md', 'Un used'],
        ['docs/snippets/s.md', 'S'],
        ['docs/snippets/t.md', 'T'],
      ],
    )
    assert.deepEqual(
      files.map(({ path }) => path),
      ['i.png', 'docs/snippets/t.png'],
    )
    assert.deepEqual(leftOut, [])
  })
})

describe('a fault of one file does not refuse the others', () => {
  test('includes that include themselves, which are left out with the whole way', async () => {
    const include = (path: string, times = 1) => `{% include "${path}" %}\n`.repeat(times)
    const cycles: [Record<string, string>, string, string[]][] = [
      [{ 'a.md': include('a.md', 150) }, 'a.md is not included, because it includes itself: a.md → a.md', []],
      [
        { 'a.md': include('b.md'), 'b.md': include('c.md'), 'c.md': include('b.md') },
        'b.md is not included, because it includes itself: b.md → c.md → b.md',
        ['c.md'],
      ],
    ]
    for (const [files, message, kept] of cycles) {
      const { pages, problems, reusableContents } = await plan(files)
      assert.equal(pages.length, Object.keys(files).length)
      assert.deepEqual(
        problems.map((one) => `${one.path} ${one.message}`),
        [message],
      )
      assert.deepEqual(
        reusableContents.map(({ path }) => path),
        kept,
      )
    }
  })

  test('pages that are too long with everything that they include', async () => {
    const twice = (path: string) => `{% include "${path}" %}\n\n`.repeat(2)
    const chain = Array.from({ length: 40 }, (_, index) => [`i${index}.md`, twice(`i${index + 1}.md`)])
    const files = { ...Object.fromEntries(chain), 'i40.md': 'a', 'SUMMARY.md': '* [A](a.md)' }
    const { pages, problems, reusableContents } = await plan({ ...files, 'a.md': twice('i0.md') })
    assert.deepEqual(outline(pages), ['/a "A" < a.md'])
    assert.match(
      problems[0]?.message ?? '',
      /^is not included, because "i\d+\.md" would have more than 5000000/,
    )
    assert.equal(problems.length, 41 - reusableContents.length)
    assert.equal((await plan({ ...files, 'a.md': twice('i25.md') })).reusableContents.length, 16)
  })

  test('a page over 1 MB, whose parts follow it', async () => {
    const large = `# B\n\n${'x'.repeat(99)}\n`.padEnd(PAGE_LIMITS.bytes, 'x\n')
    const { pages, problems, leftOut } = await plan({
      'SUMMARY.md': '* [A](a.md)\n  * [Big](big/b.md)\n    * [C](c.md)\n* [D](d.md)',
      'a.md': '',
      'c.md': '',
      'd.md': '',
      'big/b.md': `${large}\nmore`,
      'big/b-2.md': '',
      'big/unused.md': `${large}\nmore`,
    })
    assert.deepEqual(outline(pages), [
      '/a "A" < a.md',
      '  /a/b "B" (Big) < big/b.md',
      '    /a/b/c "C" < c.md',
      '  /a/b-2-1 "Big (2)" < big/b-2-1.md',
      '/d "D" < d.md',
    ])
    assert.deepEqual(problems, [
      {
        kind: 'conversion',
        path: 'big/b.md',
        message: 'has 1000005 bytes; the limit is 1000000, so it is divided into 2 pages',
        reason: 'page-divided',
        parameters: { bytes: 1000005, limit: 1000000, count: 2 },
      },
    ])
    assert.deepEqual(leftOut, ['big/b-2.md', 'big/unused.md'])
    assert.equal((await plan({ 'a.md': large })).pages.length, 1)
    assert.deepEqual(outline((await plan({ 'README.md': `${large}\nmore`, 'z.md': '' })).pages), [
      '/readme "B" < README.md',
      '/readme-2 "B (2)" < README-2.md',
      '/z "Z" < z.md',
    ])
  })

  test('reusable content over 1 MB, whose parts follow it', async () => {
    const { reusableContents } = await plan({
      'a.md': '',
      '.gitbook/includes/i.md': 'x\n'.repeat(PAGE_LIMITS.bytes),
    })
    assert.deepEqual(
      reusableContents.map(({ path }) => path),
      ['i', 'i-2', 'i-3'].map((name) => `.gitbook/includes/${name}.md`),
    )
  })

  test('a tree that is too deep, in either way of writing it', async () => {
    const summary = (depth: number) =>
      Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}* P${level + 1}`).join('\n')
    const deepest = ({ pages }: Awaited<ReturnType<typeof plan>>) =>
      outline(pages)
        .filter((line) => line.startsWith(' '.repeat(62)))
        .map((line) => line.trim().replace(/^\S+ | < \S+$/g, ''))
    const deep = await plan({ 'SUMMARY.md': summary(35), 'p.md': '' })
    assert.deepEqual(deepest(deep), ['"P32"', '"P33"', '"P34"', '"P35"'])
    assert.match(deep.problems[0]?.message ?? '', /^nests 3 pages deeper than 32 levels/)
    assert.deepEqual((await plan({ 'SUMMARY.md': summary(32), 'p.md': '' })).problems, [])

    const path = (depth: number) => `${'d/'.repeat(depth - 1)}p.md`
    assert.deepEqual(deepest(await plan({ [path(40)]: '' })), ['"P"'])
    assert.equal((await plan({ [path(32)]: '' })).pages.length, 1)
  })

  test('a table of contents that is no text, or too long', async () => {
    for (const contents of [
      Buffer.from('* [A](a.md) caf\u00e9', 'latin1'),
      '* [A](a.md)\n'.repeat(500_000),
    ]) {
      const { tree, pages, problems } = await plan({ 'SUMMARY.md': contents, 'a.md': '', 'b.md': '' })
      assert.deepEqual([tree, pages.length], ['folders', 2])
      assert.match(
        problems[0]?.message ?? '',
        /is not UTF-8 text of at most 5 MB; the page tree is generated/,
      )
    }
  })

  test('settings that are not plain YAML', async () => {
    const { pages, problems } = await plan({
      '.gitbook.yaml': 'root: !x ./docs/',
      'a.md': '',
      'docs/b.md': '',
    })
    assert.equal(pages.length, 2)
    assert.match(problems[0]?.message ?? '', /; the file is not used$/)
  })
})

describe('a repository is refused', () => {
  test('for pages that are no text, with the names of all of them', async () => {
    const latin1 = Buffer.from('caf\u00e9', 'latin1')
    const error = await refusal({
      'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n* [C](c.md)\n* [D](d.md)',
      'a.md': latin1,
      'b.md': 'fine',
      'c.md': 'a\0b',
      'd.md': Buffer.from([0xed, 0xa0, 0x80]),
      'not-listed.md': latin1,
    })

    assert.equal(error.message, 'Not UTF-8 text: "a.md", "c.md", "d.md"')
    assert.equal(error.path, 'a.md')
    assert.match(
      (await refusal({ 'a.md': '', '.gitbook/includes/i.md': latin1 })).message,
      /"\.gitbook\/includes\/i\.md"/,
    )
  })

  test('not for UTF-16, which says what it is', async () => {
    const { pages } = await plan({
      'a.md': Buffer.from('\ufeff# Ä', 'utf16le'),
      'b.md': Buffer.from('\ufeff# Ö', 'utf16le').swap16(),
      'c.md': '\ufeff# Ü',
    })

    assert.deepEqual(outline(pages), ['/a "Ä" < a.md', '/b "Ö" < b.md', '/c "Ü" < c.md'])
    assert.equal(pages[0]?.kind === 'document' && pages[0].source, '# Ä')
  })

  test('for more than 50,000 pages', { skip: inLongRun }, async () => {
    const lines = Array.from({ length: repositoryLimits.pages }, (_, number) => `* P${number}`)

    assert.equal((await plan({ 'SUMMARY.md': lines.join('\n') })).pages.length, repositoryLimits.pages)
    assert.match(
      (await refusal({ 'SUMMARY.md': [...lines, '* One more'].join('\n') })).message,
      /more than 50000 pages/,
    )
  })

  test('in little time, where thousands of pages want the same slug', async () => {
    const count = 20_000
    const summary = Array.from({ length: count }, () => '* Same').join('\n')
    const start = cpuTime()
    const { pages } = await plan({ 'SUMMARY.md': summary })

    assert.equal(new Set(pages.map((page) => page.kind === 'document' && page.slug)).size, count)
    assert.ok(cpuTime() - start < 10_000)
  })
})

test('what the reader found is handed on with the page, and each page is read once', async () => {
  const seen: string[] = []
  const files = new Map([
    ['SUMMARY.md', Buffer.from('* [A](a.md)\n* [A](a.md)\n* Empty')],
    ['a.md', Buffer.from('text')],
    ['.gitbook/includes/i.md', Buffer.from('include')],
  ])
  const { pages, reusableContents } = await planImport(files, async (source, path) => {
    seen.push(path)
    return { references: [], length: source.length }
  })

  assert.deepEqual(seen, ['a.md', '', '.gitbook/includes/i.md'])
  const [a, , empty] = pages
  assert.equal(a?.kind === 'document' && a.reading.length, 4)
  assert.equal(empty?.kind === 'document' && empty.reading.length, 0)
  assert.equal(reusableContents[0]?.reading.length, 7)
})
