/**
 * Clients that two generators make of the OpenAPI document. The project's compiler checks them together with a program
 * that uses them, and the program runs against a server.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { onlyLong } from '../effort.ts'
import { createWorld } from '../world.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** What the program of a client finds. */
interface Found {
  /** The Markdown of the page after the change request is merged. */
  markdown: string
  /** The kinds of pages that the space has. */
  kinds: string[]
  /** The address of the published site. */
  published: string
  /** The titles of the spaces, from a list that is read one space at a time. */
  titles: string[]
  error: { code: number; message: string }
}

type Scenario = (url: string, token: string, organizationId: string) => Promise<Found>

const world = await createWorld()
const { ada, nobody, organizationId } = world
// Modules below it find the packages of the project.
mkdirSync(join(ROOT, '.cache'), { recursive: true })
const folder = mkdtempSync(join(ROOT, '.cache/clients-'))
after(() => rmSync(folder, { recursive: true }))

/** A generator, and a program for the client that it makes in the folder `client`. */
interface Generator {
  generate(document: string, folder: string): Promise<unknown>
  program: string
}

const GENERATORS: Record<string, Generator> = {
  'openapi-ts': {
    async generate(document, path) {
      // It needs a compiler with an interface in JavaScript, which version 7 does not have. The other generator has one.
      const compiler = createRequire(import.meta.resolve('swagger-typescript-api')).resolve('typescript')
      const hooks = registerHooks({
        resolve: (specifier, context, next) =>
          specifier === 'typescript' && context.parentURL?.includes('/@hey-api/')
            ? { url: pathToFileURL(compiler).href, shortCircuit: true }
            : next(specifier, context),
      })
      const { createClient } = await import('@hey-api/openapi-ts').finally(() => hooks.deregister())
      await createClient({
        input: document,
        output: { path: join(path, 'client'), module: { extension: '.ts' } },
        logs: { level: 'silent', file: false },
      })
    },
    program: `
      import { createClient } from "./client/client/index.ts"
      import * as api from "./client/index.ts"

      export async function scenario(baseUrl: string, token: string, organizationId: string) {
        const client = createClient({ baseUrl, auth: token })
        const options = { client, throwOnError: true } as const
        const path = { organizationId }
        const { data: space } = await api.createSpace({
          ...options,
          path,
          body: { title: 'By openapi-ts', editMode: 'live', language: 'en' },
        })

        const changes: api.ContentChange[] = [
          { operation: 'insert_page', title: 'Start', document: { markdown: 'First text' } },
          { operation: 'insert_link', title: 'Away', target: { kind: 'url', url: 'https://example.com' } },
        ]
        await api.updateContent({ ...options, path: { spaceId: space.id }, body: { changes } })
        const start = { spaceId: space.id, pagePath: 'start' }
        const { data: page } = await api.getPageByPath({ ...options, path: start })

        const { data: proposal } = await api.createChangeRequest({
          ...options,
          path: { spaceId: space.id },
          body: { subject: 'Better text' },
        })
        const inProposal = { spaceId: space.id, changeRequestId: proposal.id }
        await api.updateContentInChangeRequest({
          ...options,
          path: inProposal,
          body: {
            changes: [{ operation: 'update_page', page: page.id, document: { markdown: 'Second text' } }],
          },
        })
        const { data: merged } = await api.mergeChangeRequest({ ...options, path: inProposal })
        if (merged.result !== 'merge') throw new Error(merged.result)
        const { data: changed } = await api.getPageByPath({
          ...options,
          path: start,
          query: { format: 'markdown' },
        })
        const { data: pages } = await api.listPages({ ...options, path: { spaceId: space.id } })

        const { data: site } = await api.createSite({
          ...options,
          path,
          body: { title: 'Site of openapi-ts', spaces: [space.id] },
        })
        const { data: shown } = await api.publishSite({ ...options, path: { ...path, siteId: site.id } })

        const titles: string[] = []
        for (let page: string | undefined, isLast = false; !isLast; ) {
          const { data } = await api.listSpacesInOrganizationById({
            ...options,
            path,
            query: { limit: 1, ...(page !== undefined && { page }) },
          })
          titles.push(...data.items.map(({ title }) => title))
          page = data.next?.page
          isLast = page === undefined
        }

        const missing = await api.getSpaceById({ client, path: { spaceId: 'missing' } })
        if (missing.error === undefined) throw new Error('There is no such space')
        return {
          markdown: 'markdown' in changed ? changed.markdown : undefined,
          kinds: pages.pages.map((one: api.Page) => (one.type === 'link' ? one.target.kind : one.type)),
          published: shown.urls.published,
          titles,
          error: missing.error.error,
        }
      }
    `,
  },
  'swagger-typescript-api': {
    async generate(document, path) {
      const { generateApi } = await import('swagger-typescript-api')
      await generateApi({
        input: document,
        output: path,
        fileName: 'client.ts',
        silent: true,
      })
      // It asks compilers to ignore what it makes.
      const file = join(path, 'client.ts')
      writeFileSync(file, readFileSync(file, 'utf8').replace('// @ts-nocheck', ''))
    },
    program: `
      import { Api, type ContentChange, type HttpResponse, type Error as ApiError, type Page } from "./client.ts"

      export async function scenario(baseUrl: string, token: string, organizationId: string) {
        const { v1 } = new Api<string>({
          baseUrl,
          securityWorker: () => ({ headers: { authorization: \`Bearer \${token}\` } }),
        })
        const { data: space } = await v1.createSpace(organizationId, {
          title: 'By swagger-typescript-api',
          editMode: 'live',
          language: 'en',
        })

        const changes: ContentChange[] = [
          { operation: 'insert_page', title: 'Start', document: { markdown: 'First text' } },
          { operation: 'insert_link', title: 'Away', target: { kind: 'url', url: 'https://example.com' } },
        ]
        await v1.updateContent(space.id, { changes })
        const { data: page } = await v1.getPageByPath(space.id, 'start')

        const { data: proposal } = await v1.createChangeRequest(space.id, { subject: 'Better text' })
        await v1.updateContentInChangeRequest(space.id, proposal.id, {
          changes: [{ operation: 'update_page', page: page.id, document: { markdown: 'Second text' } }],
        })
        const { data: merged } = await v1.mergeChangeRequest(space.id, proposal.id)
        if (merged.result !== 'merge') throw new Error(merged.result)
        const { data: changed } = await v1.getPageByPath(space.id, 'start', { format: 'markdown' })
        const { data: pages } = await v1.listPages(space.id)

        const { data: site } = await v1.createSite(organizationId, {
          title: 'Site of swagger-typescript-api',
          spaces: [space.id],
        })
        const { data: shown } = await v1.publishSite(organizationId, site.id)

        const titles: string[] = []
        for (let page: string | undefined, isLast = false; !isLast; ) {
          const { data } = await v1.listSpacesInOrganizationById(organizationId, { limit: 1, page })
          titles.push(...data.items.map(({ title }) => title))
          page = data.next?.page
          isLast = page === undefined
        }

        const missing = await v1.getSpaceById('missing').then(
          () => { throw new Error('There is no such space') },
          (response: HttpResponse<never, ApiError>) => response.error,
        )
        return {
          markdown: 'markdown' in changed ? changed.markdown : undefined,
          kinds: pages.pages.map((one: Page) => (one.type === 'link' ? one.target.kind : one.type)),
          published: shown.urls.published,
          titles,
          error: missing.error,
        }
      }
    `,
  },
}

const COMPILER_OPTIONS = {
  extends: '../../../tsconfig.json',
  compilerOptions: {
    // Clients are for browsers too, and may have enumerations.
    lib: ['esnext', 'dom', 'dom.iterable'],
    erasableSyntaxOnly: false,
  },
  include: ['**/*.ts'],
  exclude: [],
}

/** What the compiler says about the program in a folder. */
const faultsIn = (path: string) =>
  new Promise<string>((settle) => {
    const compiler = join(ROOT, 'node_modules/.bin/tsc')
    execFile(compiler, ['-p', path], (error, out) => settle(error && out === '' ? error.message : out))
  })

for (const [name, { generate, program }] of Object.entries(GENERATORS))
  test(`a client that ${name} makes compiles, writes and publishes`, onlyLong, async () => {
    const path = join(folder, name)
    mkdirSync(path)
    const document = join(path, 'openapi.json')
    writeFileSync(document, (await nobody('GET /openapi.json')).text)
    await generate(document, path)
    writeFileSync(join(path, 'program.ts'), program)
    writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(COMPILER_OPTIONS))
    assert.equal(await faultsIn(path), '')

    const outfile = join(path, 'program.js')
    await build({ entryPoints: [join(path, 'program.ts')], bundle: true, format: 'esm', outfile })
    const { scenario } = (await import(outfile)) as { scenario: Scenario }
    const found = await scenario(world.url, ada.token, organizationId)
    assert.equal(found.markdown.trim(), 'Second text')
    assert.deepEqual(found.kinds, ['document', 'url'])
    const shown = await nobody(`GET /sites/docs${new URL(found.published).pathname}`)
    assert.match(shown.text, /Second text/)
    const { body: spaces } = await ada(`GET /v1/orgs/${organizationId}/spaces`)
    assert.deepEqual(
      found.titles,
      (spaces as { items: { title: string }[] }).items.map(({ title }) => title),
    )
    assert(found.titles.includes(`By ${name}`))
    assert.equal(found.error.code, 404)
    assert.match(found.error.message, /space/i)
  })
