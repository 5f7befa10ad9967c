/** The documentation of a made-up company that books berths in harbours. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { archived, zipWriter } from '../../src/core/zip/zip.ts'

const MANUAL = resolve(import.meta.dirname, '../../docs')

export const GUIDE = {
  'SUMMARY.md': `# Summary

* [Welcome](README.md)
* [Quickstart](quickstart.md)

## Concepts

* [Berths](concepts/berths.md)
* [Tides](concepts/tides.md)

## For partners

* [Prices](partners/prices.md)
`,
  'README.md': `---
description: What Tidewater does, and where to begin
---

# Welcome

Tidewater books berths in 240 harbours.

{% hint style="info" %}
Harbours answer within a minute, in any weather.
{% endhint %}

{% tabs %}
{% tab title="Boats" %}
Up to 24 metres.
{% endtab %}
{% tab title="Ships" %}
Ask [the harbour](concepts/berths.md) first.
{% endtab %}
{% endtabs %}

| Season | Price of a metre |
| --- | ---: |
| Summer | 4.20 € |
| Winter | 1.80 € |

- [x] Sign up
- [ ] Book your first berth
`,
  'quickstart.md': `# Quickstart

{% stepper %}
{% step %}
### Get a key

Open **Settings** and press *New key*.
{% endstep %}
{% step %}
### Book a berth

\`\`\`sh
curl -X POST https://api.tidewater.example/bookings -d '{"berth": 7}'
\`\`\`
{% endstep %}
{% endstepper %}

\`\`\`mermaid
graph LR
  You --> Tidewater --> Harbour
\`\`\`
`,
  'concepts/berths.md': `# Berths

A berth is a place for one boat. Its length limits the boat:

$$
l_{boat} \\le l_{berth} - 2d
$$

See [a page that has moved](berth-lengths.md).
`,
  'concepts/tides.md': `# Tides

The water is highest twice a day.[^1]

<details>
<summary>Why twice?</summary>

Because the earth turns below two bulges of water.
</details>

[^1]: Every 12 hours and 25 minutes.
`,
  'partners/prices.md': `---
if: visitor.claims.plan == "partner"
---

# Prices

Partners pay half.
`,
}

export const HANDBOOK = {
  'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Writing](writing.md)\n* [Releases](releases.md)\n',
  'README.md': '# Home\n\nHow we work. Everybody may propose a change.\n',
  'writing.md': '# Writing\n\nWrite for somebody who is tired.\n\nOne idea a sentence.\n',
  'releases.md': '# Releases\n\nWe release on Tuesdays.\n',
}

/** A specification with tags, schemas, parameters and a webhook. */
export const SPECIFICATION = {
  openapi: '3.1.0',
  info: { title: 'Tidewater API', version: '2.1.0', description: 'Books berths in **240 harbours**.' },
  servers: [{ url: 'https://api.tidewater.example' }],
  tags: [{ name: 'Bookings', description: 'Berths for boats' }],
  paths: {
    '/bookings': {
      get: {
        tags: ['Bookings'],
        summary: 'List bookings',
        parameters: [{ name: 'harbour', in: 'query', description: 'Its id', schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'The bookings',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Booking' } },
              },
            },
          },
        },
      },
      post: {
        tags: ['Bookings'],
        summary: 'Book a berth',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Booking' } } },
        },
        responses: {
          201: { description: 'The berth is yours' },
          409: { description: 'Somebody was faster' },
        },
      },
    },
  },
  webhooks: {
    freed: { post: { summary: 'A berth is free again', responses: { 200: { description: 'Thank you' } } } },
  },
  components: {
    schemas: {
      Booking: {
        type: 'object',
        required: ['berth'],
        properties: {
          berth: { type: 'integer', description: 'Its number', examples: [7] },
          boat: { type: 'string', description: 'The name of the boat' },
          state: { type: 'string', enum: ['asked', 'booked', 'cancelled'] },
        },
      },
    },
  },
}

/** The manual of Lectern: a space with many pages. */
export function manual(): Record<string, Uint8Array> {
  const names = globSync('{*.md,images/*}', { cwd: MANUAL })
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(MANUAL, name))]))
}

/** A zip archive of these files. */
export function archiveOf(files: Record<string, string | Uint8Array>): Uint8Array {
  const zip = zipWriter(new Date(0).toISOString())
  const parts = Object.entries(files).flatMap(([name, content]) =>
    zip.add(name, archived(typeof content === 'string' ? new TextEncoder().encode(content) : content)),
  )
  return Buffer.concat([...parts, ...zip.end()])
}
