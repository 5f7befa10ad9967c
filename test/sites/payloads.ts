/** Payloads of script injection: hostile markup, addresses and texts, in every place of a site that shows what people wrote. */
import { HOSTILE_HTML, HOSTILE_URLS } from '../core/document/hostile.ts'
import { diagonalOf } from '../effort.ts'

/** Texts that end the markup or the value that they are written into. */
export const HOSTILE_TEXTS: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `'><img src=x onerror=alert(1)>`,
  '" onmouseover="alert(1)" autofocus onfocus="alert(2)',
  `' onmouseover='alert(1)' autofocus onfocus='alert(2)`,
  '` onmouseover=alert(1) `',
  '</title><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '</style><img src=x onerror=alert(1)>',
  '</textarea><svg onload=alert(1)>',
  '--><script>alert(1)</script><!--',
  ']]><script>alert(1)</script>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  ');alert(1);//',
  `';alert(1);'`,
  '";alert(1);"',
  '<svg/onload=alert(1)>',
  '[x](javascript:alert(1))',
  '<javascript:alert(1)>',
  'javascript:alert(1)',
]

/** What may follow an open tag or comment, so that a payload does not hide those after it. */
const CLOSING = '</style></script></textarea></title></xmp></noscript></iframe></template>-->]]>?>'

const indented = (text: string, by: string) => text.replaceAll(/^(?!$)/gm, by)
const quoted = (text: string) => JSON.stringify(text)
const inAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const inCell = (text: string) => text.replaceAll('\n', ' ').replaceAll('|', '\\|')

/** The places of markup in a body. */
const AROUND_HTML: Record<string, (html: string) => string> = {
  block: (html) => html,
  inline: (html) => `Words ${html} and words.`,
  cell: (html) => `| A | B |\n| - | - |\n| ${inCell(html)} | b |`,
  hint: (html) => `{% hint style="info" %}\n${html}\n{% endhint %}`,
  tab: (html) => `{% tabs %}\n{% tab title="T" %}\n${html}\n{% endtab %}\n{% endtabs %}`,
  item: (html) => `- Item\n\n${indented(html, '  ')}`,
  quote: (html) => indented(html, '> '),
  details: (html) => `<details>\n\n<summary>More</summary>\n\n${html}\n\n</details>`,
  div: (html) => `<div align="center">\n${html}\n</div>`,
  nested: (html) => `<svg><foreignObject>\n<math><mtext>${html}</mtext></math>\n</foreignObject></svg>`,
}

/** The places of addresses in a body. */
const AROUND_URL: Record<string, (url: string) => string> = {
  link: (url) => `[Link](${url})`,
  bracketed: (url) => `[Link](<${url}>)`,
  image: (url) => `![Image](<${url}>)`,
  reference: (url) => `[Link][r]\n\n[r]: <${url}>`,
  anchor: (url) => `<a href="${inAttribute(url)}" class="button primary">Button</a>`,
  figure: (url) => `<figure><img src="${inAttribute(url)}" alt=""><figcaption>C</figcaption></figure>`,
  card: (url) =>
    `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>Card</td><td><a href="${inAttribute(url)}">${inAttribute(url)}</a></td></tr></tbody></table>`,
  embed: (url) => `{% embed url="${inAttribute(url)}" %}`,
  file: (url) => `{% file src="${inAttribute(url)}" %}`,
  content: (url) => `{% content-ref url="${inAttribute(url)}" %}\n[x](<${url}>)\n{% endcontent-ref %}`,
}

/** The places of texts in a body. */
const AROUND_TEXT: Record<string, (text: string) => string> = {
  paragraph: (text) => text,
  heading: (text) => `## ${text}`,
  code: (text) => `\`\`\`html\n${text}\n\`\`\``,
  'code title': (text) => `{% code title=${quoted(text)} %}\n\`\`\`js\nconst a = 1\n\`\`\`\n{% endcode %}`,
  language: (text) => `~~~${text.replaceAll('\n', ' ')}\ncode\n~~~`,
  'tab title': (text) =>
    `{% tabs %}\n{% tab title="${inAttribute(text)}" %}\nText\n{% endtab %}\n{% endtabs %}`,
  'link title': (text) => `[Link](https://ok.example/ ${quoted(text)})`,
  alt: (text) => `<img src="https://ok.example/a.png" alt="${inAttribute(text)}">`,
  maths: (text) => `Formula $$${text.replaceAll('$', '')}$$ in a text.`,
  diagram: (text) => `\`\`\`mermaid\ngraph TD; A["${text}"]-->B\nclick A "javascript:alert(1)"\n\`\`\``,
  condition: (text) => `{% if visitor.claims.plan == ${quoted(text)} %}\nShown\n{% endif %}`,
  expression: (text) => `Value <code class="expression">${text}</code> in a text.`,
}

/** In CI, each place tries a third of the values. An import refuses NUL, so another control character takes its place. */
const placed = (around: Record<string, (value: string) => string>, values: readonly string[]) =>
  Object.values(around).flatMap((wrap, row) =>
    diagonalOf(values, row, 1, 3).map((value) => wrap(value.replaceAll('\0', '\u0002'))),
  )

/** Every payload of a body, in its place: about a thousand, of which CI tries a third. */
export const BODY_PAYLOADS: readonly string[] = [
  ...placed(AROUND_HTML, HOSTILE_HTML),
  ...placed(AROUND_URL, HOSTILE_URLS),
  ...placed(AROUND_TEXT, HOSTILE_TEXTS),
]

const PAGE_PAYLOADS = 50
const mark = (index: number) => `Mark ${index} is here.`

/** Pages with these payloads, each followed by a mark that must be visible. */
export function payloadPages(payloads: readonly string[]): { markdown: string; marks: string[] }[] {
  return Array.from({ length: Math.ceil(payloads.length / PAGE_PAYLOADS) }, (_, page) => {
    const some = payloads.slice(page * PAGE_PAYLOADS, (page + 1) * PAGE_PAYLOADS)
    const marks = some.map((_payload, index) => mark(page * PAGE_PAYLOADS + index))
    const blocks = some.map((payload, index) => `${payload}\n\n${CLOSING}\n\n${marks[index]!}\n`)
    return { markdown: `# Payloads ${page}\n\n${blocks.join('\n')}`, marks }
  })
}

/** A page with a hostile text in each of its own fields. */
export function pageWithFields(text: string, condition: string): string {
  const value = quoted(text)
  return `---\ntitle: ${value}\ndescription: ${value}\nicon: ${value}\nif: ${quoted(condition)}\ntags:\n  - tag: ${value}\ncover: ${value}\nvars:\n  name: ${value}\n---\n\nText of the page.\n`
}

/** A picture that runs what it can. */
export const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9" onload="alert(1)"><script>alert(2)</script><a xlink:href="javascript:alert(3)"><rect width="9" height="9"/></a><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;parent.alert(4)&lt;/script&gt;"/></foreignObject><animate onbegin="alert(5)" attributeName="x" dur="1s"/></svg>`
