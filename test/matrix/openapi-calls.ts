/** Requests that concern OpenAPI specifications, and the specifications that they name. */
import { randomText } from '../../src/core/data/id.ts'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import type { World } from '../world.ts'
import { content, inOrg, type Make, org, withBody } from './makers.ts'

const spec: Make = async (t) => ({ params: { ...inOrg(t), specSlug: await t.spec() } })
const specVersion: Make = async (t) => ({ params: (await t.specVersion()).params })
const SOURCE = { text: '{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{}}' }

/** The source of a computed page of a specification. */
export const computedSource = (slug: string, props: object = {}) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
})

/** A request to compute something of a specification of the organization of the space. */
const computing =
  (props: object): Make =>
  async (t, who) => {
    const { params } = await t.specVersion()
    const source = computedSource(params.specSlug, props)
    return {
      params: (await content(t, who)).params,
      body: { source, seed: 'x' },
      asks: 'specification: named',
    }
  }

export const OPENAPI_CALLS: Record<string, Make> = {
  listOpenAPISpecs: org,
  createOpenAPISpec: (t) => ({
    params: inOrg(t),
    body: { slug: randomText(12).toLowerCase(), source: SOURCE },
  }),
  getOpenAPISpecBySlug: spec,
  createOrUpdateOpenAPISpecBySlug: withBody(spec, { source: SOURCE }),
  updateOpenAPISpecBySlug: withBody(spec, { visibility: 'private' }),
  deleteOpenAPISpecBySlug: spec,
  listOpenAPISpecVersions: spec,
  getLatestOpenAPISpecVersion: specVersion,
  getLatestOpenAPISpecVersionContent: specVersion,
  getLatestOpenAPISpecVersionContentRaw: specVersion,
  getOpenAPISpecVersionById: specVersion,
  getOpenAPISpecVersionContentById: specVersion,
  getOpenAPISpecVersionContentRawById: specVersion,
  getComputedDocument: computing({ doc: 'info', page: 'x' }),
  getComputedRevision: computing({}),
  downloadOpenAPISpecVersion: (t) => t.specVersion(),
}

/** Creates specifications in an organization. @param made sends a request of its administrator */
export function specsIn(
  world: World,
  organizationId: string,
  made: (request: string, body?: unknown) => Promise<{ id: string; [field: string]: unknown }>,
) {
  const base = `/v1/orgs/${organizationId}/openapi`

  async function newSpec(): Promise<string> {
    const slug = randomText(12).toLowerCase()
    const source = { text: `{"openapi":"3.1.0","info":{"title":"${slug}","version":"1"},"paths":{}}` }
    await made(`POST ${base}`, { slug, source })
    return slug
  }

  async function processed() {
    const specSlug = await newSpec()
    const worker = processOpenApi(world.app.services, 60_000)
    await worker({ organizationId } as never, {} as never)
    const version = await made(`GET ${base}/${specSlug}/versions/latest`)
    const signature = new URL(String(version.url)).searchParams.get('signature') ?? ''
    return { params: { organizationId, specSlug, versionId: version.id }, query: { signature } }
  }
  let version: ReturnType<typeof processed> | undefined

  return {
    spec: newSpec,
    /** A processed version, and the signature of its address. */
    specVersion: () => (version ??= processed()),
  }
}
