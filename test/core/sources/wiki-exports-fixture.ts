/** Exports of Outline, Docmost and BookStack, with what their exporters write. */

/** The Markdown export of two collections of Outline. */
export const OUTLINE: Record<string, string> = {
  'Handbook/Welcome.md':
    '# Welcome\n\n:::tip\nSee [Setup](./Setup%20%252F%20Use.md#first).\n:::\n\n\\\n\n![Plan](uploads/u1/f1/plan.png "left-50 =300x200")\n\n[notes.pdf 1234](uploads/u1/f2/notes.pdf) by @[Ada](mention://m1/user/u1), $x^2$ and `$y$ [a.pdf 1](b)`\n',
  'Handbook/Setup %2F Use.md':
    '# Setup / Use\n\n## First\n\n+++ More\n\nInside\n\n+++\n\n```\n+++ code\n:::info\n```\n',
  'Handbook/Setup %2F Use/On Linux.md': 'No title, [up](../Setup%20%252F%20Use.md)\n',
  'Handbook/uploads/u1/f1/plan.png': 'png',
  'Handbook/uploads/u1/f2/notes.pdf': 'pdf',
  'Other/Page.md': '# Page\n\n[Home](./../Handbook/Welcome.md)\n',
}

/** The Markdown export of a space of Docmost, with the places of its pages. */
export const DOCMOST: Record<string, string> = {
  'docmost-metadata.json': JSON.stringify({
    source: 'docmost',
    pages: { 'Zeta.md': { position: 'a0' }, 'Alpha.md': { position: 'a1' } },
  }),
  'Zeta.md':
    '# Zeta\n\n:::warning\nCareful, see [Deep](Alpha/Deep%20page.md)\n:::\n\n![](files/id1/a%20b.png)\n\nIt costs $5 and $6, and $e=mc^2$.\n\n-   [x]  Done \n',
  'Alpha.md': '# Alpha\n\n<details>\n<summary>More</summary>\n\nInside\n\n</details>\n',
  'Alpha/Deep page.md': '# Deep page\n\n[Zeta](../Zeta.md)\n',
  'files/id1/a b.png': 'png',
}

/** The HTML export of the same. */
export const DOCMOST_HTML: Record<string, string> = {
  'Zeta.html':
    '<!DOCTYPE html><html><head><title>Zeta</title></head><body><h1>Zeta</h1><div data-type="callout" data-callout-type="danger"><p>Careful, see <a href="Alpha/Deep%20page.html">Deep</a></p></div><img src="files/id1/a.png"><script>alert(1)</script></body></html>',
  'Alpha.html': '<h1>Alpha</h1><p>Text</p>',
  'Alpha/Deep page.html': '<h1>Deep page</h1><a href="../Zeta.html">Zeta</a>',
  'files/id1/a.png': 'png',
}

/** The portable archive of a book of BookStack. */
export const BOOKSTACK: Record<string, string> = {
  'data.json': JSON.stringify({
    instance: { version: 'v25' },
    exported_at: '2025-01-01T00:00:00Z',
    book: {
      id: 8,
      name: 'The book',
      description_html: '<p>About <a href="[[bsexport:chapter:2]]">it</a></p>',
      cover: 'cover.jpg',
      chapters: [
        {
          id: 2,
          name: 'Chapter',
          description_html: '<p>Of pages</p>',
          priority: 2,
          pages: [
            { id: 41, name: 'Last', priority: 9, html: '<h2 id="bkmrk-x">X</h2><p>Last</p>' },
            {
              id: 40,
              name: 'In HTML',
              priority: 1,
              html: '<h2 id="bkmrk-a">A</h2><p class="callout warning">Careful</p><p><a href="[[bsexport:page:41]]#bkmrk-x">Last</a> <a href="[[bsexport:page:99]]">gone</a> <a href="https://example.com/">site</a></p><p><img src="[[bsexport:image:abc.png]]" alt="Plan"></p><script>alert(1)</script>',
              images: [{ id: 1, name: 'My plan.png', file: 'abc.png' }],
              attachments: [
                { id: 5, name: 'Notes', file: 'def.pdf', order: 1 },
                { id: 6, name: 'A [site]', link: 'https://example.com/a>b' },
                { id: 7, name: 'Script', link: 'javascript:alert(1)' },
              ],
            },
          ],
        },
      ],
      pages: [
        {
          id: 3,
          name: 'In Markdown',
          priority: 1,
          markdown:
            'Text ![Plan]([[bsexport:image:abc.png]]) [Chapter]([[bsexport:chapter:2]])\n\n<p class="callout info">Note</p>\n',
        },
      ],
    },
  }),
  'files/abc.png': 'png',
  'files/def.pdf': 'pdf',
  'files/cover.jpg': 'jpg',
}
