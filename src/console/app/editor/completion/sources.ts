/** Where the entries of the completion come from: requests of the API, and the lists of emoji and icons. */
import { api } from '../../api/api.ts'
import { emojiText } from '../../ui/emoji-code.ts'
import { outlineAt } from '../../content/tree/levels.ts'
import { readIcons } from '../../ui/icons.tsx'
import { t } from '../../words/words.ts'
import { type Completion, type CompletionPlace, MOST_OF_GROUP } from './completions.ts'
import type { CompletionKind } from './trigger.ts'

/** So many entries of a list are read. */
const MOST_LISTED = 200

/** Reads the entries for what was typed. @throws ApiFault if the request fails */
type Search = (place: CompletionPlace, query: string, signal: AbortSignal) => Promise<Completion[]>
/** Reads a list of which the API finds no part by what was typed. @throws ApiFault if the request fails */
type Listing = (place: CompletionPlace, signal: AbortSignal) => Promise<Completion[]>
/** Where entries come from. */
export type CompletionSource = { search: Search } | { list: Listing }

const inAddress = encodeURIComponent

const people: Search = async ({ organizationId }, query, signal) => {
  const search = query === '' ? '' : `&search=${inAddress(query)}`
  const path = `/orgs/${organizationId}/members?limit=${MOST_OF_GROUP}${search}` as const
  const { items } = await api(`GET ${path}`, undefined, signal)
  return items.map(({ user }) => ({
    key: `user ${user.id}`,
    group: 'common.people',
    title: user.displayName,
    ...(user.email !== undefined && { detail: user.email }),
    look: { initial: user.displayName.charAt(0).toLocaleUpperCase() },
    completed: { is: 'mention', ref: { kind: 'user', user: user.id }, name: user.displayName },
  }))
}

/** The address of a page or a space in the console. */
const appAddress = (space: string, path = ''): string =>
  `${location.origin}/app/s/${space}/${encodeURI(path)}`

/** The pages of the content by their titles and paths. @param is how a page is named in the text */
const pagesAs =
  (is: 'mention' | 'link'): Search =>
  async ({ spaceId, content }, query, signal) => {
    // The outline lists groups and links too, which are no pages to link.
    const most = 2 * MOST_OF_GROUP
    const path = `${outlineAt(content)}?query=${inAddress(query)}&limit=${most}` as const
    const { items } = await api(`GET ${path}`, undefined, signal)
    const pages = items.filter(({ type }) => type === 'document')
    return pages.map((page) => {
      const title = page.title || t('common.untitled')
      const target = {
        ref: { kind: 'page', page: page.id } as const,
        page,
        address: appAddress(spaceId, page.path),
      }
      return {
        key: `page ${page.id}`,
        group: 'common.pages',
        title,
        ...(page.path !== undefined && { detail: `/${page.path}` }),
        look: page.emoji ? { sign: emojiText(page.emoji) } : { icon: page.icon ?? 'file-lines' },
        completed: is === 'mention' ? { is, name: title, ...target } : { is, title, ...target },
      }
    })
  }

/** The headings of pages that the search of the space finds, which knows its primary content. */
const headings: Search = async ({ spaceId }, query, signal) => {
  if (query.length < 2) return []
  const path = `/spaces/${spaceId}/search?query=${inAddress(query)}&limit=${MOST_OF_GROUP}` as const
  const { items } = await api(`GET ${path}`, undefined, signal)
  return items.flatMap(({ id: page, title: pageTitle, path: pagePath, sections }) =>
    sections
      .filter(({ id, title }) => id !== page && title.toLowerCase().includes(query.toLowerCase()))
      .map(({ id: anchor, title }): Completion => ({
        key: `heading ${page} ${anchor}`,
        group: 'editor.headings',
        title,
        detail: pageTitle,
        look: { sign: '#' },
        completed: {
          is: 'link',
          ref: { kind: 'anchor', anchor, page },
          title,
          address: `${appAddress(spaceId, pagePath)}#${inAddress(anchor)}`,
        },
      })),
  )
}

const spaces: Listing = async ({ organizationId, spaceId }, signal) => {
  const { items } = await api(`GET /orgs/${organizationId}/spaces?limit=${MOST_LISTED}`, undefined, signal)
  return items
    .filter(({ id }) => id !== spaceId)
    .map(({ id, title, emoji: sign }) => ({
      key: `space ${id}`,
      group: 'common.spaces',
      title,
      look: sign ? { sign: emojiText(sign) } : { icon: 'book' },
      completed: { is: 'link', ref: { kind: 'space', space: id }, title, address: appAddress(id) },
    }))
}

/** Open and merged change requests and drafts, by their number or their name. */
const proposals: Search = async ({ spaceId }, query, signal) => {
  const base = `/spaces/${spaceId}/change-requests` as const
  if (/^\d+$/.test(query)) {
    const one = await api(`GET ${base}/${query}`, undefined, signal)
    return [proposalEntry(one)]
  }
  const lists = await Promise.all(
    (['open', 'draft', 'merged'] as const).map((status) => {
      const path = `${base}?status=${status}&query=${inAddress(query)}&limit=${MOST_OF_GROUP}` as const
      return api(`GET ${path}`, undefined, signal)
    }),
  )
  return lists.flatMap(({ items }) => items.map(proposalEntry))
}

function proposalEntry({
  number,
  subject,
  status,
  urls,
}: {
  number: number
  subject: string
  status: string
  urls: { app: string }
}): Completion {
  const title = subject || t('common.untitled')
  return {
    key: `proposal ${number}`,
    group: 'common.change-requests',
    title: `#${number} ${title}`,
    look: { icon: status === 'merged' ? 'code-merge' : 'code-pull-request' },
    completed: {
      is: 'link',
      ref: { kind: 'url', url: urls.app },
      title: `#${number} ${title}`,
      address: urls.app,
    },
  }
}

const variables: Listing = async ({ spaceId, writtenIn }, signal) => {
  if (writtenIn === undefined) return []
  const path = `/spaces/${spaceId}/change-requests/${writtenIn}/content?descendants=false` as const
  const { variables: known } = await api(`GET ${path}`, undefined, signal)
  return Object.entries(known ?? {}).map(([name, value]) => {
    const expression = `space.vars.${name}`
    return {
      key: `variable ${name}`,
      group: 'common.variables',
      title: expression,
      detail: String(value),
      look: { icon: 'percent' },
      completed: { is: 'variable', expression },
    }
  })
}

/** Emoji by their names, those first that begin with what was typed. The list is large, so it is loaded with the first colon. */
const emoji: Search = async (_place, query) => {
  const { gemoji } = await import('gemoji')
  const wanted = query.toLowerCase()
  const rank = (words: readonly string[]) =>
    words.includes(wanted) ? 0 : words.some((word) => word.startsWith(wanted)) ? 1 : 2
  const found = gemoji.flatMap((one) => {
    const words = [...one.names, ...one.tags].map((word) => word.toLowerCase())
    const isFound = words.some((word) => word.includes(wanted)) || one.description.includes(wanted)
    return isFound ? [{ ...one, rank: Math.min(rank(one.names), rank(words) + 0.5) }] : []
  })
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST_OF_GROUP)
    .map((one) => ({
      key: `emoji ${one.emoji}`,
      group: 'block.emoji',
      title: `:${one.names[0]!}:`,
      detail: one.description,
      look: { sign: one.emoji },
      completed: { is: 'emoji', emoji: one.emoji },
    }))
}

const icons: Search = async (_place, query) => {
  const wanted = query.toLowerCase()
  const names = [...(await readIcons()).keys()].filter((name) => name.includes(wanted))
  return names
    .toSorted((a, b) => Number(b.startsWith(wanted)) - Number(a.startsWith(wanted)))
    .slice(0, MOST_OF_GROUP)
    .map((name) => ({
      key: `icon ${name}`,
      group: 'common.icons',
      title: name,
      look: { icon: name },
      completed: { is: 'icon', icon: name },
    }))
}

/** The sources of each kind. */
export const COMPLETION_SOURCES: Record<CompletionKind, readonly CompletionSource[]> = {
  mention: [{ search: people }, { search: pagesAs('mention') }],
  page: [{ search: pagesAs('link') }, { search: headings }, { list: spaces }],
  emoji: [{ search: emoji }, { search: icons }],
  proposal: [{ search: proposals }],
  variable: [{ list: variables }],
}
