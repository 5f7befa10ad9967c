/** Sites of the seed: one with sections, adaptive content and everything that readers meet, and others in other states. */
import type { Client } from './client.ts'

const CLAIMS = {
  type: 'object',
  properties: {
    plan: { type: 'string', enum: ['free', 'partner'], description: 'The plan of the customer' },
  },
  additionalProperties: false,
}

export async function seedSites(
  call: Client,
  org: string,
  { guide, reference, handbook }: Record<'guide' | 'reference' | 'handbook', string>,
): Promise<void> {
  const { id } = await call(`POST ${org}/sites`, { title: 'Tidewater docs', spaces: [guide] })
  const site = `${org}/sites/${id}`
  const { id: section } = await call(`POST ${site}/sections`, { spaceId: reference, title: 'Manual' })
  await call(`POST ${site}/section-groups`, { title: 'More', sections: [section] })
  await call(`PATCH ${site}`, { adaptiveContent: { enabled: true } })
  await call(`PUT ${site}/adaptive-schema`, { jsonSchema: CLAIMS })
  await call(`POST ${site}/redirects`, {
    source: '/start',
    destination: { kind: 'external', url: 'https://tidewater.example/' },
  })
  await call(`POST ${site}/publish`)

  const internal = await call(`POST ${org}/sites`, { title: 'Handbook', spaces: [handbook] })
  await call(`PATCH ${org}/sites/${internal.id}`, { visibility: 'share-link' })
  await call(`POST ${org}/sites/${internal.id}/publish`)
  await call(`POST ${org}/sites/${internal.id}/share-links`, { name: 'For the auditors' })
  await call(`POST ${org}/sites`, { title: 'Not published yet' })
}
