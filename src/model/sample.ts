import { documentHash, gitObjectId } from '../core/hash.ts'
import { spread } from '../core/order.ts'
import type { PageRecord } from '../core/revision.ts'
import type { Row, Tx } from '../db/schema.ts'
import { commitRevision, needRevision, storeDocuments } from './revision.ts'
import { addSiteSpace, insertSite } from './site.ts'
import { insertSpace } from './space.ts'

const PAGES: { slug: string; title: string; source: string }[] = [
  {
    slug: 'readme',
    title: 'Welcome',
    source: `# Welcome

This is a page of your new site. It is Markdown, with a few constructs more.

{% hint style="info" %}
Import documentation that you have, and it takes the place of these pages in a space of its own.
{% endhint %}

* [What a page can hold](blocks.md)
`,
  },
  {
    slug: 'blocks',
    title: 'What a page can hold',
    source: `# What a page can hold

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

Every change is there with the next request.
{% endstep %}
{% endstepper %}

| Construct | For |
| --------- | --- |
| Hint | what must not be missed |
| Tabs | the same in several ways |
| Steps | what comes after what |

<details>

<summary>More</summary>

Cards, columns, files, mathematics, and content that several pages share.

</details>
`,
  },
]

/** Creates a site, not published yet, of one space with pages that show what a page can hold. */
export async function insertSampleSite(
  tx: Tx,
  circumstances: { organizationId: string; userId: string; now: Date; newId: () => string },
): Promise<void> {
  const title = 'Documentation'
  const space = await insertSpace(tx, { ...circumstances, title })
  await writeSample(tx, space, circumstances)
  const site = await insertSite(tx, { ...circumstances, title, type: 'basic', visibility: 'public' })
  await addSiteSpace(tx, site, space, circumstances)
}

/** Writes pages that show what a page can hold into a new, empty space. */
export async function writeSample(
  tx: Tx,
  space: Row<'space'>,
  { userId, now, newId }: { userId: string; now: Date; newId: () => string },
): Promise<void> {
  const at = now.toISOString()
  const orders = spread(PAGES.length)
  const pages = PAGES.map(({ slug, title, source }, i): [string, PageRecord] => {
    const id = newId()
    const file = slug === 'readme' ? 'README.md' : `${slug}.md`
    const body = { document: documentHash(source), oid: gitObjectId(Buffer.from(source)), file }
    const place = { parent: null, order: orders[i] ?? '', slug }
    return [id, { id, type: 'document', title, ...place, ...body, createdAt: at, updatedAt: at }]
  })

  await storeDocuments(tx, space.id, new Map(PAGES.map(({ source }) => [documentHash(source), source])))
  const parent = await needRevision(tx, space.id, space.revisionId)
  await commitRevision(
    tx,
    parent,
    { pages: new Map(pages) },
    { id: newId(), type: 'edits', message: 'Sample', userId, now },
  )
}
