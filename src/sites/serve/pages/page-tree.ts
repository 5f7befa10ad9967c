/** The page tree of a site. That of a large site holds the levels around the current page; others load on demand. */
import type { PageRecord } from '../../../core/content/revision.ts'
import type { NavItem } from '../../render/view.ts'
import {
  languageOfSite,
  linkTo,
  pageAddress,
  type SiteContent,
} from '../../../model/sites/published/content/site-content.ts'
import { styledIcon } from './look.ts'
import { wordsOf } from '../../render/words/choose.ts'

/** The most entries of a tree that every page has as a whole. */
const WHOLE = 600
/** A larger tree has so many entries of a level, and links to the others. */
const PART = 100

/** A part of a level of a large tree, which a page requests when its reader wants it. */
export interface LevelPart {
  /** The page above the entries; null for the top level. */
  parent: string | null
  /** The place of its first entry: a multiple of the size of a part. */
  from: number
}

const TOP = 'top'

/** The path of a part of a level, below that of its space. */
const pathOfPart = ({ parent, from }: LevelPart) => `~/pages/${parent ?? TOP}/${from}`

/** The part of a level at a path below that of the space, if there is one that visitors may see. */
export function levelPartAt({ navigation }: SiteContent, path: string): LevelPart | undefined {
  const [, name = '', digits = ''] = /^~\/pages\/([^/]+)\/(0|[1-9]\d{0,8})$/.exec(path) ?? []
  const parent = name === TOP ? null : name
  const from = Number(digits)
  // Each part has one address, so that made-up addresses cannot fill the cache.
  return name !== '' && from % PART === 0 && from < navigation.below(parent).length
    ? { parent, from }
    : undefined
}

/** The entries of a part of a level, all folded. */
export function itemsOfPart(content: SiteContent, part: LevelPart): NavItem[] {
  return treeMaker(content, []).itemsOf(part)
}

/** The page tree as a page shows it. @param current the page; absent for errors */
export function treeOfPage(content: SiteContent, current: PageRecord | undefined): NavItem[] {
  const line = current ? [current, ...content.tree.ancestors(current.id)] : []
  return treeMaker(content, line).itemsBelow(null)
}

/** @param line the current page and those above it */
function treeMaker(content: SiteContent, line: readonly PageRecord[]) {
  const { navigation } = content
  const words = wordsOf(languageOfSite(content))
  const isWhole = navigation.size <= WHOLE
  /** The open page of each level, by the page above. */
  const open = new Map(line.map((page) => [content.tree.parent(page.id), page.id]))
  /** How many entries the tree has room for below groups that are not on the line. */
  let room = WHOLE

  function itemsBelow(parent: string | null): NavItem[] {
    if (isWhole) return navigation.below(parent).map((page) => itemOf(page, true))
    const on = open.get(parent)
    const place = on === undefined ? 0 : navigation.placeInLevel(on)
    return itemsOf({ parent, from: place - (place % PART) })
  }

  function itemsOf({ parent, from }: LevelPart): NavItem[] {
    const level = navigation.below(parent)
    const shown = level.slice(from, from + PART)
    // A level shows the entries of all its groups, or folds them all.
    const inGroups = shown.reduce((sum, page) => sum + (page.type === 'group' ? countBelow(page) : 0), 0)
    const unfolds = inGroups <= room
    if (unfolds) room -= inGroups
    const items = shown.map((page) => itemOf(page, unfolds))
    const rest = (kind: 'earlier' | 'later', start: number, target: number): NavItem => ({
      kind,
      title: kind === 'earlier' ? words.earlierPages : words.morePages,
      href: hrefOf(level[target]!),
      level: content.base + pathOfPart({ parent, from: start }),
    })
    if (from > 0) items.unshift(rest('earlier', from - PART, from - 1))
    if (from + PART < level.length) items.push(rest('later', from + PART, from + PART))
    return items
  }

  function itemOf(page: PageRecord, unfoldsGroups: boolean): NavItem {
    const { id, emoji, type } = page
    const icon = page.icon && styledIcon(content, page.icon)
    const title = page.linkTitle ?? page.title
    if (type === 'link') {
      const target = page.target && linkTo(content, page.target)
      const external = target?.external ?? false
      const newWindow = external && content.customization.externalLinks.target === 'blank'
      return { kind: 'link', title, href: target?.href, external, newWindow, icon, emoji }
    }
    const isOpen = open.get(content.tree.parent(id)) === id
    if (type === 'group' && (isOpen || unfoldsGroups))
      return { kind: 'group', title, icon, emoji, children: itemsBelow(id) }

    const entry: NavItem = {
      kind: type === 'group' ? 'group' : 'document',
      title,
      icon,
      emoji,
      href: hrefOf(page),
      current: id === line[0]?.id,
      expanded: isOpen,
    }
    if (isOpen || isWhole) return { ...entry, children: itemsBelow(id) }
    return countBelow(page) === 0
      ? entry
      : { ...entry, level: content.base + pathOfPart({ parent: id, from: 0 }) }
  }

  const countBelow = ({ id }: PageRecord) => navigation.below(id).length

  /** The address of an entry. That of a group is its first page, because a group has no page. */
  function hrefOf(page: PageRecord): string | undefined {
    if (page.type === 'link') return page.target && linkTo(content, page.target)?.href
    const target = page.type === 'group' ? navigation.firstIn(page) : page
    return target && pageAddress(content, target)
  }

  return { itemsBelow, itemsOf }
}
