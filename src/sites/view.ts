import type { OutlineItem } from '../core/document/html/renderer.ts'
import type { Html } from '../core/html.ts'

/** An image with a version for dark surroundings. Addresses are those of the browser. */
export interface Picture {
  src: string
  dark?: string
  alt?: string
}

/** One line of the page tree. A group has no address; a link may lead away. */
export interface NavItem {
  title: string
  kind: 'document' | 'group' | 'link'
  href?: string
  icon?: string
  /** Hex code points, as everywhere in the API. */
  emoji?: string
  children?: NavItem[]
  /** This is the page shown. */
  current?: boolean
  /** Its children are shown: it is, or holds, the current page, or was opened by default. */
  expanded?: boolean
  /** The link leaves the site. */
  external?: boolean
}

/** A link with a name: a breadcrumb, a neighbour, a variant, a link of the header or footer. */
export interface NamedLink {
  title: string
  href?: string
  icon?: string
  emoji?: string
  current?: boolean
  external?: boolean
}

/** What all pages of a site have in common, errors included. */
export interface SiteView {
  /** Of the interface and the content, as a language tag. */
  language: string
  title: string
  icon?: string
  emoji?: string
  /** Takes the place of the icon and the title in the header. */
  logo?: Picture
  favicon?: string
  /** The site's own start, with a trailing slash. */
  home: string
  tree: NavItem[]
  /** The site's spaces to choose from, such as versions or languages; one is current. */
  variants: NamedLink[]
  /** Sections of the site, shown as a row under the header. */
  sections?: NamedLink[]
  /** Links at the end of the header, and of the footer. */
  links?: NamedLink[]
  footer?: NamedLink[]
  /** The address of a style sheet that sets the site's own colours; it overrides the variables of site.css. */
  theme?: string
  /** Which theme is shown before the reader chooses; `system` follows the device. */
  themeDefault?: 'system' | 'light' | 'dark'
  /** False where the reader may not choose. */
  themeToggle?: boolean
}

/** One published page, ready to be written as HTML. */
export interface PageView extends SiteView {
  page: {
    title: string
    description?: string
    icon?: string
    emoji?: string
    cover?: {
      image: Picture
      /** Percentage from the top that stays in sight. */ position: number
      height?: number
    }
    /** ISO-8601. */
    updatedAt?: string
    tags?: string[]
    body: Html
    outline: OutlineItem[]
  }
  layout: {
    width: 'default' | 'wide'
    cover: boolean
    coverSize: 'hero' | 'full' | 'background'
    title: boolean
    description: boolean
    tableOfContents: boolean
    outline: boolean
    pagination: boolean
    metadata: boolean
    tags: boolean
    actions: boolean
  }
  breadcrumbs: NamedLink[]
  previous?: NamedLink
  next?: NamedLink
  /** The same page as Markdown. */
  markdownHref?: string
  editHref?: string
  head: {
    /** Of the tab and of search results; mostly `page – site`. */
    title: string
    description?: string
    canonical?: string
    /** For example `noindex, nofollow`. */
    robots?: string
    /** Absolute address of the image for previews of the link. */
    image?: string
    /** The same page in other languages. */
    alternates?: { language: string; href: string }[]
    updatedAt?: string
  }
}

/** The layout of a page that sets nothing, as the API has it. */
export const DEFAULT_LAYOUT: PageView['layout'] = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
}
