import type { ContentRef } from '../model.ts'

/** Ids have 20 to 26 characters and contain a digit. Words of a path rarely match this pattern. */
const ID = '((?=[a-zA-Z]*[0-9])[0-9a-zA-Z]{20,26})'
const SPACE = `(?:/spaces/${ID})?`

const FORMS: [RegExp, (groups: (string | undefined)[]) => ContentRef][] = [
  [/^#([^\s#]+)$/, ([anchor = '']) => ({ kind: 'anchor', anchor })],
  [new RegExp(`^${SPACE}/pages/${ID}$`), ([space, page = '']) => within(space, { kind: 'page', page })],
  [
    new RegExp(`^${SPACE}/pages/${ID}#(.+)$`),
    ([space, page, anchor = '']) => within(space, { kind: 'anchor', anchor, page }),
  ],
  [new RegExp(`^${SPACE}/files/${ID}$`), ([space, file = '']) => within(space, { kind: 'file', file })],
  [
    new RegExp(`^${SPACE}/reusable-contents/${ID}$`),
    ([space, id = '']) => within(space, { kind: 'reusable-content', reusableContent: id }),
  ],
  [new RegExp(`^${SPACE}/-/tags/([^/]+)$`), ([space, tag = '']) => within(space, { kind: 'tag', tag })],
  [new RegExp(`^/spaces/${ID}$`), ([space = '']) => ({ kind: 'space', space })],
  [new RegExp(`^/collections/${ID}$`), ([collection = '']) => ({ kind: 'collection', collection })],
  [new RegExp(`^/users/${ID}$`), ([user = '']) => ({ kind: 'user', user })],
  [/^\/-\/openapi\/([^/]+)$/, ([spec = '']) => ({ kind: 'openapi', spec })],
]

/**
 * The reference of an address in Markdown: `/pages/<id>#anchor`, `/files/<id>`, `/users/<id>` and
 * the like (with `/spaces/<id>` in front for another space), `#anchor`; anything else is a `url` to be resolved.
 */
export function readAddress(url: string): ContentRef {
  if (url.startsWith('/') || url.startsWith('#')) {
    for (const [form, read] of FORMS) {
      const match = form.exec(url)
      if (match) return read(match.slice(1))
    }
  }
  return { kind: 'url', url }
}

const PRINT: { [K in ContentRef['kind']]: (ref: Extract<ContentRef, { kind: K }>) => string } = {
  url: ({ url }) => url,
  anchor: ({ anchor, page, space }) =>
    page === undefined ? `#${anchor}` : `${base(space)}/pages/${page}#${anchor}`,
  page: ({ page, space }) => `${base(space)}/pages/${page}`,
  file: ({ file, space }) => `${base(space)}/files/${file}`,
  'reusable-content': ({ reusableContent, space }) => `${base(space)}/reusable-contents/${reusableContent}`,
  tag: ({ tag, space }) => `${base(space)}/-/tags/${tag}`,
  space: ({ space }) => `/spaces/${space}`,
  collection: ({ collection }) => `/collections/${collection}`,
  user: ({ user }) => `/users/${user}`,
  openapi: ({ spec }) => `/-/openapi/${spec}`,
}

/** The address of a reference in Markdown; `readAddress` reads it back. */
export function printAddress(ref: ContentRef): string {
  const print = PRINT[ref.kind] as (ref: ContentRef) => string
  return print(ref)
}

function base(space: string | undefined): string {
  return space === undefined ? '' : `/spaces/${space}`
}

function within(space: string | undefined, ref: ContentRef): ContentRef {
  return space === undefined ? ref : ({ ...ref, space } as ContentRef)
}
