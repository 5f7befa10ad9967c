/** What the completion offers, whatever it is inserted into. */
import type { ContentRef } from '../../../../core/document/model.ts'
import type { ContentPath } from '../../api/paths.ts'
import type { OutlinePage } from '../../content/tree/levels.ts'
import type { PlainId } from '../../words/message-ids.ts'
import { language } from '../../words/words.ts'
import type { CompletionKind } from './trigger.ts'

/** Where somebody writes. */
export interface CompletionPlace {
  organizationId: string
  spaceId: string
  /** The path of the content whose pages are offered, below `/v1`. */
  content: ContentPath
  /** The number of the change request, if somebody writes a page of it: such a text has variables and new pages. */
  writtenIn?: string
}

/** What a completion inserts. `address` leads there from outside of the content, such as from a comment. */
export type Completed =
  | { is: 'mention'; ref: ContentRef; name: string; page?: OutlinePage; address?: string }
  | { is: 'link'; ref: ContentRef; title: string; page?: OutlinePage; address?: string }
  | { is: 'text'; text: string }
  | { is: 'emoji'; emoji: string }
  | { is: 'icon'; icon: string }
  | { is: 'variable'; expression: string }
  | { is: 'new-page'; title: string }

/** One entry of the list. */
export interface Completion {
  /** Unique within a list. */
  key: string
  group: PlainId
  title: string
  /** What distinguishes it from others with the same title, such as the path of a page. */
  detail?: string
  /** The emoji or character that is drawn beside the title, the name of an icon, or the initial of a person. */
  look: { sign: string } | { icon: string } | { initial: string }
  completed: Completed
}

/** So many entries of a group are shown. */
export const MOST_OF_GROUP = 8

/** Whether an entry has the typed text in it, ignoring case. */
export function fitsQuery({ title, detail = '' }: Completion, query: string): boolean {
  return `${title} ${detail}`.toLowerCase().includes(query.trim().toLowerCase())
}

/** The order in which the groups of a kind are shown; the first also with few entries of others. */
const ORDER: Record<CompletionKind, readonly PlainId[]> = {
  mention: ['common.people', 'field.dates', 'common.pages'],
  page: ['common.pages', 'editor.headings', 'common.spaces', 'editing.new-page'],
  emoji: ['block.emoji', 'common.icons'],
  proposal: ['common.change-requests'],
  variable: ['common.variables'],
}

/** The entries in the order of the list, a bounded number of each group. */
export function inGroups(kind: CompletionKind, all: readonly Completion[]): Completion[] {
  const byGroup = Map.groupBy(all, ({ group }) => group)
  return ORDER[kind].flatMap((group) => byGroup.get(group)?.slice(0, MOST_OF_GROUP) ?? [])
}

/** The days that one can mention: today and those beside it, and a date that is typed as `2026-12-24`. */
export function datesFor(query: string, now: Date): Completion[] {
  const named = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const dayAfter = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  const near = [0, 1, -1].map((days) => dateEntry(named.format(days, 'day'), dayAfter(days)))
  const typed = typedDate(query)
  const all = typed ? [...near, dateEntry(query, typed)] : near
  return all.filter((one) => fitsQuery(one, query))
}

function dateEntry(title: string, day: Date): Completion {
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(day)
  return {
    key: `date ${title}`,
    group: 'field.dates',
    title,
    detail: text,
    look: { icon: 'calendar-day' },
    completed: { is: 'text', text },
  }
}

/** The day that a text such as `2026-12-24` names; undefined if there is no such day. */
function typedDate(text: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (day === undefined) return undefined
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  return date.getDate() === Number(day) ? date : undefined
}
