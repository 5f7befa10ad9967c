import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { outline, plan, refusal } from '../../../test/core/repository/plan-fixture.ts'
import { holds } from '../../../test/property.ts'

describe('pages of a table of contents', () => {
  test('have the paths that readers know from the repository', async () => {
    const { pages, tree, problems } = await plan({
      'SUMMARY.md': `# Table of contents
* [Home](README.md)
## Getting Started
* [Concepts](getting-started/concepts/README.md)
  * [Correlation ID](getting-started/concepts/Correlation_ID.md)
* [Elsa Server + Studio](getting-started/elsa-server-+-studio.md)
* [Update](getting-started/update-from-v0.12.md)
## Q&A
* [常见问题](faq/常见 问题.md)`,
      'README.md': '# Home',
      'getting-started/concepts/README.md': '# Concepts',
      'getting-started/concepts/Correlation_ID.md': '# Correlation ID',
      'getting-started/elsa-server-+-studio.md': '',
      'getting-started/update-from-v0.12.md': 'no heading',
      'faq/常见 问题.md': '# 常见问题',
    })

    assert.equal(tree, 'summary')
    assert.deepEqual(problems, [])
    assert.deepEqual(outline(pages), [
      '/readme "Home" < README.md',
      '/getting-started "Getting Started"',
      '  /getting-started/concepts "Concepts" < getting-started/concepts/README.md',
      '    /getting-started/concepts/correlation_id "Correlation ID" < getting-started/concepts/Correlation_ID.md',
      '  /getting-started/elsa-server-+-studio "Elsa Server + Studio" < getting-started/elsa-server-+-studio.md',
      '  /getting-started/update-from-v0.12 "Update" < getting-started/update-from-v0.12.md',
      '/faq "Q&A"',
      '  /faq/常见-问题 "常见问题" < faq/常见 问题.md',
    ])
  })

  test('have their own title, and in the table of contents the one that stands there', async () => {
    const { pages } = await plan({
      'SUMMARY.md': `* [Short](a.md)
* [Same](b.md)
* [Ignored](c.md "Link title")
* [From summary](d.md)
* [](e-f_g.md)
* [](h/README.md)
* [${'x'.repeat(101)}](i.md)`,
      'a.md': '# A rather long title',
      'b.md': '#  Same ',
      'c.md': '# C',
      'd.md': '',
      'e-f_g.md': '',
      'h/README.md': '',
      'i.md': '# I',
    })

    assert.deepEqual(outline(pages), [
      '/a "A rather long title" (Short) < a.md',
      '/b "Same" < b.md',
      '/c "C" (Link title) < c.md',
      '/d "From summary" < d.md',
      '/e-f_g "E f g" < e-f_g.md',
      '/h "H" < h/README.md',
      '/i "I" < i.md',
    ])
  })

  test('have slugs that are unique among siblings, whatever their names', async () => {
    const { pages } = await plan({
      'SUMMARY.md': `## Setup
* [1](a/setup.md)
* [2](b/Setup.md)
  * [3](c/setup.md)
* [4](d/setup.md)
## Setup <a href="#setup" id="setup"></a>
* [5](setup.md)
* [6](<(...).md>)
* [7](….md)`,
      ...Object.fromEntries(
        ['a/setup', 'b/Setup', 'c/setup', 'd/setup', 'setup', '(...)', '…'].map((name) => [`${name}.md`, '']),
      ),
    })

    assert.deepEqual(
      outline(pages).map((line) => line.trim().split(' ')[0]),
      [
        '/setup',
        '/setup/setup',
        '/setup/setup-1',
        '/setup/setup-1/setup',
        '/setup/setup-2',
        '/setup-1',
        '/setup-1/setup',
        '/setup-1/page',
        '/setup-1/page-1',
      ],
    )
  })

  test('are in groups that are named after the folder of most of their files, which no other group has', async () => {
    const files = [
      'operation-and-usage/keys.md',
      'operation-and-usage/limits/README.md',
      'other/x.md',
      'top.md',
    ]
    const { pages } = await plan({
      'SUMMARY.md': `## Operation & Usage
* [Keys](operation-and-usage/keys.md)
* [Limits](operation-and-usage/limits/README.md)
* [Elsewhere](other/x.md)
* [Keys again](operation-and-usage/keys.md)
## Operation and usage
* [New](operation-and-usage/new.md)
## Mixed
* [A](mixed-1/a.md)
* [B](top.md)
## Named <a href="#own" id="own"></a>
* [C](folder/c.md)
* [Trailing](folder/what-is-it-.md)`,
      ...Object.fromEntries(
        [...files, 'operation-and-usage/new.md', 'mixed-1/a.md', 'folder/c.md', 'folder/what-is-it-.md'].map(
          (path) => [path, 'Text'],
        ),
      ),
    })
    assert.deepEqual(
      outline(pages).map((line) => line.replace(/ ".*/, '')),
      [
        '/operation-usage',
        '  /operation-usage/keys',
        '  /operation-usage/limits',
        '  /operation-usage/x',
        '  => operation-and-usage/keys.md',
        '/operation-and-usage',
        '  /operation-and-usage/new',
        '/mixed',
        '  /mixed/a',
        '  /mixed/top',
        '/own',
        '  /own/c',
        '  /own/what-is-it-',
      ],
    )
  })

  test('below the first page are in the folder of their files, which names that page', async () => {
    const { pages } = await plan({
      'SUMMARY.md': '* [Getting Started](README.md)\n  * [As an admin](getting-started/admin.md)',
      'README.md': '# Getting Started',
      'getting-started/admin.md': 'Text',
    })
    assert.deepEqual(
      outline(pages).map((line) => line.replace(/ ".*/, '')),
      ['/getting-started', '  /getting-started/admin'],
    )
  })

  test('that are listed twice are one page and a link to it', async () => {
    const { pages, problems } = await plan({
      'SUMMARY.md': `* [Part](a.md#part)
* [A](a.md)
  * [B](b.md)
* [Again](a.md)
  * [C](c.md)
* [Only a part](d.md#part)`,
      'a.md': '# A',
      'b.md': '# B',
      'c.md': '# C',
      'd.md': '# D',
    })

    assert.deepEqual(outline(pages), [
      '=> a.md#part "Part"',
      '/a "A" < a.md',
      '  /a/b "B" < b.md',
      '=> a.md "Again"',
      '/c "C" < c.md',
      '/d "D" (Only a part) < d.md',
    ])
    assert.deepEqual(problems, [
      {
        kind: 'repeated-page',
        path: 'SUMMARY.md',
        line: 4,
        address: 'a.md',
        message: '"a.md" is listed more than once; the entry "Again" is a link to the page',
        reason: 'entry-listed-again',
        parameters: { path: 'a.md', title: 'Again' },
      },
    ])
  })

  test('may be links, and pages below a link stand beside it', async () => {
    const { pages } = await plan({
      'SUMMARY.md': `* [Site](https://example.com "Our site")
  * [A](a.md)
    * [B](a/b.md)
* [Other space](https://app.example.com/s/abc123/setup)
* [Gone](broken-reference)`,
      'a.md': '',
      'a/b.md': '',
    })

    assert.deepEqual(outline(pages), [
      '=> https://example.com "Our site"',
      '/a "A" < a.md',
      '  /a/b "B" < a/b.md',
      '=> https://app.example.com/s/abc123/setup "Other space"',
      '=> broken-reference "Gone"',
    ])
  })

  test('whose file is missing are empty, reported, and counted as not imported', async () => {
    const { pages, problems, totalResources, importedResources } = await plan({
      'SUMMARY.md': '* [A](a.md)\n* [Gone](old/gone.md)\n  * [B](old/b.md)\n* [Out](../out.md)\n* Plain',
      'a.md': '',
      'old/b.md': '',
    })

    assert.deepEqual(outline(pages), [
      '/a "A" < a.md',
      '/gone "Gone" < nothing',
      '  /gone/b "B" < old/b.md',
      '/out "Out" < nothing',
      '/plain "Plain" < nothing',
    ])
    assert.deepEqual(
      problems.map(({ message }) => message),
      [
        '"old/gone.md" is not in the repository; the page "Gone" is empty',
        '"../out.md" is not in the repository; the page "Out" is empty',
      ],
    )
    assert.deepEqual([totalResources, importedResources], [5, 3])
  })

  test('are found by their folder, without their extension, and from the root', async () => {
    const { pages } = await plan({
      'SUMMARY.md': '* [A](guide)\n* [B](guide/)\n* [C](/c.md)\n* [D](./d)\n* [File](files/a.pdf)',
      'guide/README.md': '',
      'c.md': '',
      'd.md': '',
      'files/a.pdf': 'pdf',
    })

    assert.deepEqual(outline(pages), [
      '/guide "A" < guide/README.md',
      '=> guide/README.md "B"',
      '/c "C" < c.md',
      '/d "D" < d.md',
      '=> files/a.pdf "File"',
    ])
  })

  test('may be computed', async () => {
    const { pages } = await plan({ 'SUMMARY.md': '* ```yaml\n  type: builtin:openapi\n  ```' })

    assert.deepEqual(pages, [
      { kind: 'computed', title: 'builtin:openapi', computed: { type: 'builtin:openapi' } },
    ])
  })

  test('that the table of contents leaves out are not imported, and named', async () => {
    const { leftOut, pages } = await plan({
      'SUMMARY.md': '* [A](a.md)',
      'a.md': '',
      'z/draft.md': '',
      'CONTRIBUTING.md': '',
      '.github/pull_request_template.md': '',
    })

    assert.equal(pages.length, 1)
    assert.deepEqual(leftOut, ['CONTRIBUTING.md', 'z/draft.md'])
  })
})

describe('pages of folders', () => {
  test('stand below the page of their folder, and groups come last', async () => {
    const { pages, tree } = await plan({
      'zebra.md': '# Zebra',
      'README.md': '# Home',
      'api/_index.md': '# API',
      'api/2-usage.md': '',
      'api/10-more.md': '',
      'api/1-setup.md': '',
      'user-guide/start.md': '# Start',
      'user-guide/deep/er/page.md': '# Page',
      'user-guide/json.md': '# JSON',
      'user-guide/json/create.md': '# Create',
      'b/index.md': '# B',
      'b/README.md': '# B readme',
      'node_modules/x/README.md': '# No',
      '.hidden/page.md': '# No',
      'image.png': '',
    })

    assert.equal(tree, 'folders')
    assert.deepEqual(outline(pages), [
      '/readme "Home" < README.md',
      '/api "API" < api/_index.md',
      '  /api/1-setup "1 setup" < api/1-setup.md',
      '  /api/2-usage "2 usage" < api/2-usage.md',
      '  /api/10-more "10 more" < api/10-more.md',
      '/b "B readme" < b/README.md',
      '  /b/index "B" < b/index.md',
      '/zebra "Zebra" < zebra.md',
      '/user-guide "User guide"',
      '  /user-guide/deep "Deep" < nothing',
      '    /user-guide/deep/er "Er" < nothing',
      '      /user-guide/deep/er/page "Page" < user-guide/deep/er/page.md',
      '  /user-guide/json "JSON" < user-guide/json.md',
      '    /user-guide/json/create "Create" < user-guide/json/create.md',
      '  /user-guide/start "Start" < user-guide/start.md',
    ])
  })

  test('are used where the table of contents is empty or not there, which is said', async () => {
    const empty = await plan({ 'SUMMARY.md': '# Summary\n', 'a.md': '# A' })
    assert.deepEqual(outline(empty.pages), ['/a "A" < a.md'])
    assert.match(empty.problems[0]?.message ?? '', /lists no pages/)

    const named = await plan({ '.gitbook.yaml': 'structure:\n  summary: toc.md', 'a.md': '# A' })
    assert.deepEqual(
      named.problems.map(({ path }) => path),
      ['toc.md'],
    )
    assert.deepEqual((await plan({ 'a.md': '' })).problems, [])
  })

  test('are refused where there is none', async () => {
    assert.match((await refusal({ 'a.txt': '' })).message, /no Markdown page in the repository/)
    assert.match(
      (await refusal({ '.gitbook.yaml': 'root: docs', 'a.md': '' })).message,
      /no Markdown page in "docs"/,
    )
  })
})

test('every page of every set of folders is in the tree once, at an address of its own', async () => {
  const name = fc.constantFrom('a', 'A', 'b', 'a-1', 'README', 'index', '_index', 'readme', '.hidden', 'ü')
  const path = fc
    .tuple(fc.array(name, { maxLength: 4 }), name)
    .map(([folders, page]) => [...folders, `${page}.md`].join('/'))

  await holds(
    fc.asyncProperty(fc.uniqueArray(path, { minLength: 1, maxLength: 25 }), async (paths) => {
      const shown = paths.filter((each) => !/(?:^|\/)\./.test(each))
      fc.pre(shown.length > 0)
      const { pages } = await plan(Object.fromEntries(paths.map((each) => [each, ''])))
      const lines = outline(pages).map((line) => / < (.+)$/.exec(line)?.[1])
      const addresses = outline(pages).map((line) => line.trim().split(' ')[0])

      assert.deepEqual(
        lines.filter((file) => file !== undefined && file !== 'nothing').toSorted(),
        shown.toSorted(),
      )
      assert.equal(new Set(addresses).size, addresses.length)
    }),
    { cases: 500 },
  )
})
