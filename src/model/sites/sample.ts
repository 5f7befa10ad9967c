import type { Row, Tx } from '../../db/schema.ts'
import { type NewPage, writeNewPages } from '../content/new-pages.ts'
import { insertSpace } from '../places/space.ts'
import { insertSite } from './site.ts'
import { addSiteSpace } from './structure/site-space.ts'

const PAGES: NewPage[] = [
  {
    file: 'README.md',
    title: 'Welcome',
    source: `# Welcome

This is a page of your new site. It is Markdown with a few additional blocks.

{% hint style="info" %}
Import your existing documentation into a space, add the space to this site, and delete these pages.
{% endhint %}

* [Blocks in a page](blocks.md)
`,
  },
  {
    file: 'blocks.md',
    title: 'Blocks in a page',
    source: `# Blocks in a page

{% tabs %}
{% tab title="Shell" %}
\`\`\`sh
npx lectern import docs.zip
\`\`\`
{% endtab %}

{% tab title="API" %}
\`\`\`http
POST /v1/spaces/{spaceId}/content/import
\`\`\`
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
## Write

A folder of Markdown files, with or without a table of contents.
{% endstep %}

{% step %}
## Publish

Every change is visible with the next request.
{% endstep %}
{% endstepper %}

| Block | For |
| ----- | --- |
| Hint | important notes |
| Tabs | variants of the same content |
| Stepper | instructions in order |

<details>

<summary>More</summary>

Cards, columns, files, mathematics, and content that several pages share.

</details>
`,
  },
]

interface NewSite {
  organizationId: string
  userId: string
  now: Date
  newId: () => string
}

const TITLE = 'Documentation'

/** Creates an unpublished site with one space of example pages. */
export async function insertSampleSite(tx: Tx, context: NewSite): Promise<void> {
  const space = await insertSpace(tx, { ...context, title: TITLE })
  await writeSample(tx, space, context)
  await insertDefaultSite(tx, space, context)
}

/** Creates an unpublished site with a space. */
export async function insertDefaultSite(tx: Tx, space: Row<'space'>, context: NewSite): Promise<void> {
  const site = await insertSite(tx, { ...context, title: TITLE, type: 'basic', visibility: 'public' })
  await addSiteSpace(tx, site, space, context)
}

/** Writes example pages into a new, empty space. */
export async function writeSample(
  tx: Tx,
  space: Row<'space'>,
  { userId, now, newId }: { userId: string; now: Date; newId: () => string },
): Promise<void> {
  await writeNewPages(tx, space, PAGES, { message: 'Sample', userId, now, newId })
}
