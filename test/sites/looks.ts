import { archiveOf, publish, spaceWith } from '../importing.ts'
import type { World } from '../world.ts'

const PAGE = `---
description: What the service does, and how to begin
icon: rocket
---

# Welcome

A paragraph with a [link](guide/install.md), an [external link](https://example.org/), \`code\` and **strong** words.

{% hint style="info" %}
An ordinary note, with a [link](guide/install.md).
{% endhint %}

{% hint style="danger" %}
A note about danger.
{% endhint %}

## Install it

\`\`\`js
// A comment
const answer = await fetch('https://example.org/', { retries: 3 })
\`\`\`

| Name | Meaning |
| ---- | ------- |
| \`a\`  | The first |
| \`b\`  | The second |

<a href="guide/install.md" class="button primary">Begin</a> <a href="guide/install.md" class="button secondary">Read on</a>

## Go on

<details>

<summary>More</summary>

Hidden text.

</details>
`

/** A published site with a few pages, to customize. */
export async function siteToCustomize(world: World, title = 'Handbook') {
  const { spaceId } = await spaceWith(
    world,
    archiveOf({
      'README.md': PAGE,
      'guide/install.md': '# Install\n\nHow to install it.\n\n## Linux\n\nText.\n\n## macOS\n\nText.\n',
      'guide/linux.md': '# Linux\n\nText.\n',
      'SUMMARY.md':
        '# Table of contents\n\n* [Welcome](README.md)\n\n## Guide\n\n* [Install](guide/install.md)\n  * [Linux](guide/linux.md)\n',
    }),
    title,
  )
  const { siteId, address } = await publish(world, spaceId, title)
  const basename = new URL(address).pathname
  return {
    spaceId,
    siteId,
    at: `/v1/orgs/${world.organizationId}/sites/${siteId}/customization`,
    /** On the host of the API, which needs no name of its own. */
    address: `${world.url}/sites/docs${basename}`,
    /** On the site's own host, which only browsers resolve. Below the API's host, its page runs in a sandbox. */
    shown: address,
  }
}

const page = (url: string) => ({ kind: 'url', url })

/** Settings that use every part of the frame. */
export const FULL = {
  header: {
    links: [
      { title: 'Blog', to: page('https://example.org/blog'), links: [] },
      {
        title: 'Products',
        to: null,
        links: [
          { title: 'One', to: page('https://example.org/one') },
          { title: 'Two', to: page('https://example.org/two') },
        ],
      },
      { title: 'Sign in', style: 'button-secondary', to: page('https://example.org/in'), links: [] },
      { title: 'Try it', style: 'button-primary', to: page('https://example.org/try'), links: [] },
    ],
  },
  footer: {
    groups: [
      { title: 'Company', links: [{ title: 'About', to: page('https://example.org/about') }] },
      { title: 'Help', links: [{ title: 'Contact', to: page('mailto:help@example.org') }] },
    ],
    copyright: '© 2026 Example',
  },
  announcement: {
    enabled: true,
    message: 'Version 3 is here.',
    style: 'info',
    link: { title: 'Read more', to: page('https://example.org/3') },
  },
  privacyPolicy: { url: 'https://example.org/privacy' },
  pageActions: { markdown: true, externalAI: true },
  favicon: { emoji: '1f4d8' },
}
