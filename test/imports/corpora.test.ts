import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parsePage } from '../../src/core/document/parse.ts'
import { listReferences } from '../../src/core/document/links/references.ts'
import { imageSize } from '../../src/core/web/dimensions.ts'
import type {
  ImportPlan,
  PageReading,
  PlannedDocument,
  PlannedPage,
} from '../../src/core/repository/model.ts'
import { planImport } from '../../src/core/repository/plan.ts'
import { readArchive } from '../../src/imports/archive.ts'
import { type Corpus, CORPORA, corpusPath } from '../corpus.ts'
import { inLongRun } from '../effort.ts'

type Plan = ImportPlan<PageReading>

function read(source: string): PageReading {
  const { title, document } = parsePage(source)
  const urls = listReferences(document).flatMap(({ ref, place }) =>
    ref.kind === 'url' ? [{ url: ref.url, place }] : [],
  )
  const included = urls.filter(({ place }) => place === 'reusable-content').map(({ url }) => url)

  return {
    ...(title === undefined ? {} : { title }),
    references: urls.map(({ url }) => url),
    includes: included,
  }
}

function archiveOf(name: Corpus): string | undefined {
  const path = corpusPath(name)
  return existsSync(path) ? path : undefined
}

function corpus(name: Corpus, run: (plan: Plan, files: Map<string, Buffer>) => void) {
  const path = archiveOf(name)
  const missing = path === undefined && 'the corpora are not beside the repository'
  test(name, { skip: missing || (!CORPORA.includes(name) && inLongRun) }, async () => {
    const files = await readArchive(path ?? '')
    run(await planImport(files, read), files)
  })
}

function documentsOf(pages: PlannedPage<PageReading>[]): PlannedDocument<PageReading>[] {
  return pages.flatMap((page) => {
    const children = 'children' in page ? documentsOf(page.children) : []
    return page.kind === 'document' ? [page, ...children] : children
  })
}

/** Every file that the source of a page embeds as an image. Shares no code with the parser. */
function imagesIn(source: string): string[] {
  const text = source.replace(/^ *(`{3,})[\s\S]*?^ *\1`*$/gm, '').replace(/`[^`\n]*`/g, '')
  const found = [...text.matchAll(/!\[[^\]]*\]\((?:<([^>]+)>|([^)\s"]+))|<img [^>]*src="([^"]+)"/g)]

  return found.map(([, a, b, c]) => a ?? b ?? c ?? '').filter((address) => !address.includes(':'))
}

function expectImages(plan: Plan) {
  const planned = new Set(plan.files.map(({ path }) => path))
  const missing = new Set(
    plan.problems.map(({ message }) => /^refers to "(.+)", which is not/.exec(message)?.[1]),
  )
  let count = 0

  for (const { file = '', source } of documentsOf(plan.pages)) {
    for (const address of imagesIn(source)) {
      const { pathname } = new URL(address, `http://x/${file.split('/').map(encodeURIComponent).join('/')}`)
      const path = decodeURIComponent(pathname).slice(1).replaceAll('\\', '')
      assert.ok(planned.has(path) || missing.has(path), `${file} shows ${path}`)
      count++
    }
  }
  return count
}

/** The files that a table of contents links to. Shares no code with its parser. */
function listedIn(summary: Buffer | undefined): string[] {
  return [...String(summary).matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path = '']) => path)
}

describe('the plan of', () => {
  corpus('elsa-docs', (plan, files) => {
    const documents = documentsOf(plan.pages)
    const markdown = [...files.keys()].filter((path) => path.endsWith('.md'))

    assert.equal(markdown.length, 186)
    assert.equal(plan.tree, 'summary')
    assert.deepEqual(
      documents.map(({ file }) => file),
      listedIn(files.get('SUMMARY.md')),
    )
    assert.equal(documents.length, 156)
    assert.equal(plan.leftOut.length, 29)
    assert.equal(documents.length + plan.leftOut.length + 1, markdown.length, 'every page is in one of them')

    assert.equal(plan.pages.filter(({ kind }) => kind === 'group').length, 12)
    const paths = documents.map(({ path }) => path)
    assert.equal(new Set(paths).size, 156)
    for (const path of [
      'readme',
      'getting-started/concepts/correlation-id',
      'guides/security/secrets-management',
      'expressions/c',
    ]) {
      assert.ok(paths.includes(path), path)
    }

    assert.equal(documents.filter(({ title }) => title === '').length, 0)
    assert.equal(documents.find(({ path }) => path === 'guides/clustering')?.title, 'Clustering Guide')
    assert.equal(documents.find(({ path }) => path === 'guides/clustering')?.linkTitle, 'Clustering')
    assert.equal(
      documents.find(({ path }) => path === 'expressions/c')?.linkTitle,
      undefined,
      '"C\\#" is "C#"',
    )
    assert.equal(expectImages(plan), 28)
    assert.equal(plan.files.filter(({ path }) => path.startsWith('.gitbook/assets/')).length, 35)
  })

  corpus('fluentd-docs', (plan, files) => {
    const documents = documentsOf(plan.pages)

    assert.deepEqual(
      documents.flatMap(({ file }) => file ?? []),
      listedIn(files.get('SUMMARY.md')),
    )
    assert.equal(documents.length, 194, '191 files and three lines without a link')
    assert.deepEqual(plan.leftOut, ['plugins/input/dummy.md'])
    assert.ok(
      documents.some(
        ({ path }) =>
          path ===
          'installation/obsolete-installation/treasure-agent-v4-installation/install-by-rpm-td-agent-v4',
      ),
    )
    assert.ok(documents.some(({ path }) => path === 'quickstart/update-from-v0.12'))
    assert.ok(documents.some(({ path }) => path === 'input/monitor_agent'))

    assert.equal(expectImages(plan), 80)
    const missing = plan.problems.filter(({ message }) => message.startsWith('refers to'))
    assert.ok(missing.length > 0, 'the archive lacks its large images')
    assert.equal(
      plan.redirects.length + plan.problems.length - missing.length,
      172,
      'every redirect is planned or reported',
    )
    assert.ok(
      plan.redirects.some(
        ({ from, target }) =>
          from === 'v1.0/articles/quickstart' && 'file' in target && target.file === 'README.md',
      ),
    )
  })

  corpus('tidb-docs-zh', (plan, files) => {
    const documents = documentsOf(plan.pages)

    assert.equal(plan.tree, 'folders')
    assert.equal(documents.length, 58)
    assert.deepEqual(
      new Set(documents.map(({ file }) => file)),
      new Set([...files.keys()].filter((path) => path.endsWith('.md'))),
    )
    assert.deepEqual(plan.leftOut, [])
    assert.deepEqual(
      plan.pages.map((page) => [page.kind, 'path' in page && page.path]),
      [
        ['document', 'best-practices'],
        ['group', 'faq'],
        ['group', 'functions-and-operators'],
      ],
    )
    const json = documents.find(({ path }) => path === 'functions-and-operators/json-functions')
    assert.equal(json?.title, 'JSON 函数')
    assert.equal(json?.children.length, 7)
    assert.equal(expectImages(plan), 45)
    assert.equal(plan.problems.length, 45, 'all of them lie outside and are reported')
    assert.equal(plan.files.length, 0)
  })
})

describe('images of', () => {
  for (const name of ['elsa-docs', 'fluentd-docs'] as const) {
    corpus(name, (plan) => {
      const images = plan.files.filter(({ contentType }) => contentType.startsWith('image/'))
      assert.ok(images.length > 30)
      for (const { path, bytes } of images) assert.ok(imageSize(bytes), `${path} has a size`)
    })
  }
})
