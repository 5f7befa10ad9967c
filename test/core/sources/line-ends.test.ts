/** A project whose files have the line ends and byte order marks of Windows becomes what it becomes without them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertSource, type ImportSource } from '../../../src/core/sources/convert.ts'
import { isMarkdown } from '../../../src/core/text/file-paths.ts'
import { bytesIn, textsOf } from './sources.ts'

/** Projects with what their tools read of front matter, of settings and of other files. */
const PROJECTS: Partial<Record<ImportSource, Record<string, string>>> = {
  docusaurus: {
    'docusaurus.config.js': "export default { title: 'Acme' }\n",
    'sidebars.js': "export default { docs: ['begin', { Guides: ['guides/set-up'] }] }\n",
    'docs/01-intro.md': '---\nid: begin\nsidebar_label: Welcome\n---\n\n# Intro\n\n:::tip[Fast]\nText\n:::\n',
    'docs/guides/set-up.mdx':
      "---\ntitle: Set up\nslug: /go\n---\nimport Tabs from '@theme/Tabs'\n\n<Tabs>\n\nText\n\n</Tabs>\n",
  },
  mkdocs: {
    'mkdocs.yml': 'site_name: Acme\nnav:\n  - index.md\n  - Guides:\n      - guide.md\n',
    'docs/index.md': '---\ntitle: Home\n---\n\n!!! note "Wait"\n    Text\n\n    More\n',
    'docs/guide.md': '---\nauthor: Ada\n---\n\n# Guide\n\n--8<-- "part.txt"\n',
    'docs/part.txt': 'One\nTwo\n',
  },
  vitepress: {
    'docs/.vitepress/config.js': "export default { title: 'Acme' }\n",
    'docs/index.md': '---\ntitle: Home\n---\n\n::: tip\nText\n:::\n\n[[toc]]\n',
  },
  mdbook: {
    'book.toml': '[book]\ntitle = "Acme"\n',
    'src/SUMMARY.md': '# Summary\n\n[Before](before.md)\n\n- [First](first.md)\n  - [Second](second.md)\n',
    'src/before.md': '# Before\n\n{{#include code.rs:part}}\n',
    'src/first.md': '---\ntitle: First\n---\n\n```rust\n# fn main() {\nlet a = 1;\n# }\n```\n',
    'src/second.md': 'Text\n\n```admonish warning "Wait"\nText\n```\n',
    'src/code.rs': '// ANCHOR: part\nOne\nTwo\n// ANCHOR_END: part\nThree\n',
  },
  mintlify: {
    'docs.json': '{\n  "name": "Acme",\n  "navigation": [{ "group": "Start", "pages": ["a", "b"] }]\n}\n',
    'a.mdx': '---\ntitle: First\nsidebarTitle: One\n---\n\n<Note>\n  Text\n</Note>\n',
    'b.mdx': '---\ntitle: Second\n---\n\n<Snippet file="part.mdx" />\n',
    'snippets/part.mdx': 'One\n\nTwo\n',
  },
  starlight: {
    'astro.config.mjs':
      "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ title: 'Acme' })] }\n",
    'src/content/docs/index.md': '---\ntitle: Home\n---\n\n:::note\nText\n:::\n',
    'src/content/docs/b.mdx': '---\ntitle: B\nslug: other\nsidebar:\n  order: 2\n---\n\nText\n',
    'src/content/docs/c.md': '---\ntitle: C\nsidebar:\n  order: 1\n---\n\nText\n',
  },
  nextra: {
    'next.config.mjs': "import nextra from 'nextra'\nexport default nextra({})\n",
    'content/_meta.js': 'export default {\n  second: { title: "Two" },\n  index: "Home"\n}\n',
    'content/index.mdx': '# Home\n\n<Callout type="warning">\n  Text\n</Callout>\n',
    'content/second.mdx': '---\nsidebarTitle: Other\n---\n\n# Second\n',
    'content/third.mdx': '---\ntitle: Third\n---\n\nText\n',
  },
  hugo: {
    'hugo.toml': 'title = "Acme"\ndefaultContentLanguage = "en"\n',
    'content/_index.md': '---\ntitle: Home\n---\n\nText\n',
    'content/a.md':
      '---\ntitle: A\nweight: 2\naliases:\n  - /old/\n---\n\n{{% alert %}}\nText\n{{% /alert %}}\n',
    'content/b.md':
      '---\ntitle: B\nlinkTitle: Bee\nweight: 1\nslug: bee\n---\n\n{{< highlight go >}}\nx\n\ny\n{{< /highlight >}}\n',
    'content/c.md': '---\nweight: 3\n---\n\n# Title of C\n\nSee [a]({{< ref "a.md" >}}).\n',
    'content/draft.md': '---\ntitle: Draft\ndraft: true\n---\n\nText\n',
    'content/headless/index.md': '---\nheadless: true\n---\n\nText\n',
    'content/toml.md': '+++\ntitle = "In TOML"\nweight = 4\n+++\n\nText\n',
    'content/json.md': '{\n  "title": "In JSON",\n  "weight": 5\n}\n\nText\n',
  },
  jekyll: {
    '_config.yml': 'title: Acme\nbaseurl: /docs\ncallouts:\n  wait:\n    title: Wait\n',
    'index.md': '---\ntitle: Home\nnav_order: 1\n---\n\n{% include part.md %}\n\n{: .wait }\nText\n',
    'a.md':
      '---\nnav_order: 2\npermalink: /first/\n---\n\n# Title of A\n\n{% raw %}\n{{ x }}\n{% endraw %}\n',
    'b.md': '---\ntitle: B\nparent: Title of A\n---\n\nText {{ page.title }}\n',
    'none.md': '# No front matter\n',
    '_includes/part.md': '---\ntitle: Part\n---\nOne\n\nTwo\n',
  },
  docfx: {
    'docfx.json': '{\n  // Settings\n  "build": { "content": [{ "files": ["**/*.md", "toc.yml"] }] }\n}\n',
    'toc.yml': '- name: First\n  href: a.md\n- href: b.md\n- name: Classes\n  href: api/\n',
    'api/toc.md': '# [Class](c.md)\n## [Other](../d.md)\n',
    'a.md': '---\nuid: first\ntitle: A\n---\n\n> [!NOTE]\n> Text\n\n[!code[](x.cs#L2-L3)]\n',
    'b.md': '---\nauthor: Ada\n---\n\n# Title of B\n\nSee @first, and [!include[part](part/in.txt)].\n',
    'api/c.md': '# Class\n\n## [One](#tab/one)\n\nText\n\n***\n',
    'd.md': '---\nredirect_url: a.md\n---\n',
    'part/in.txt': 'One\nTwo\n',
    'x.cs': 'one\ntwo\nthree\nfour\n',
  },
  myst: {
    'myst.yml': 'project:\n  title: Acme\n  toc:\n    - file: index.md\n    - file: a.md\n',
    'index.md':
      '---\nsubstitutions:\n  name: Ada\n---\n\n# Home\n\n{{ name }}, see {ref}`place`.\n\n```{include} part.md\n```\n',
    'a.md':
      '---\ntitle: A\n---\n\n(place)=\n\n## Place\n\n:::{note} Wait\nText\n:::\n\n| a | b |\n| - | - |\n| c | d |\n',
    'part.md': '---\ntitle: Part\n---\nOne\n\nTwo\n',
  },
  sphinx: {
    'conf.py': "project = 'Acme'\nextensions = [\n  'myst_parser',\n]\n",
    'index.md': '# Home\n\n```{toctree}\n:caption: Guides\n\na\nb\n```\n',
    'a.md':
      '---\nmyst:\n  substitutions:\n    name: Ada\n---\n\n# A\n\n{{ name }} {doc}`b`\n\n```{list-table}\n* - One\n  - Two\n```\n',
    'b.rst': 'Title\n=====\n\nText\n',
  },
  'wiki-js': {
    'home.md':
      '---\ntitle: Home\npublished: false\ntags: a, b\neditor: markdown\ndateCreated: 2024-01-01\n---\n\n> Text\n{.is-info}\n',
    'a/b.md':
      '---\ntitle: B\neditor: markdown\ndateCreated: 2024-01-01\n---\n\n# Tabs {.tabset}\n\n## One\n\nText\n',
  },
  'github-wiki': {
    '_Sidebar.md': '* [[Home]]\n* [[Other page]]\n',
    'Home.md': '# Home\n\nSee [[Other page]].\n',
    'Other-page.md': 'Text\n\n```ruby\nx\n```\n',
  },
}

const FORMS: Record<string, (text: string) => string> = {
  'carriage returns': (text) => text.replaceAll('\n', '\r\n'),
  'a byte order mark and carriage returns': (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`,
}

for (const [source, texts] of Object.entries(PROJECTS))
  for (const [name, form] of Object.entries(FORMS))
    test(`${source}: ${name} change nothing`, async () => {
      const expected = await convertedTexts(source as ImportSource, texts)
      const changed = Object.entries(texts).map(([path, text]) => [path, form(text)] as const)
      assert.deepEqual(await convertedTexts(source as ImportSource, Object.fromEntries(changed)), expected)
    })

/** The pages and settings that a project becomes, and its problems. Other files stay as they are. */
async function convertedTexts(source: ImportSource, texts: Record<string, string>) {
  const converted = await convertSource(source, bytesIn(texts), 'acme.zip')
  const pages = Object.entries(textsOf(converted)).filter(
    ([path]) => isMarkdown(path) || path.endsWith('.gitbook.yaml'),
  )
  return { pages, problems: converted.problems, title: converted.title }
}
