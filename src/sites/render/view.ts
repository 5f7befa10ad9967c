import type { OutlineItem, PageNeed } from '../../core/document/html/renderer.ts'
import type { Html } from '../../core/html.ts'

/** An image, with a version for the dark theme. Browsers can load both addresses. */
export interface Picture {
  src: string
  dark?: string
  alt?: string
}

/** An entry of the page tree. A group has no address; a link can lead to another site. */
export interface NavItem {
  title: string
  kind: 'document' | 'group' | 'link'
  href?: string
  icon?: string
  /** Hexadecimal code points, as in the API. */
  emoji?: string
  children?: NavItem[]
  /** The entry is the current page. */
  current?: boolean
  /** The entry's children are shown, for example because the current page is among them. */
  expanded?: boolean
  /** The link leads to another site. */
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

/** The parts that all pages of a site share, error pages included. */
export interface SiteView {
  /** The language of the interface and the content, as a language tag (BCP 47). */
  language: string
  title: string
  icon?: string
  emoji?: string
  /** Replaces the icon and the title in the header. */
  logo?: Picture
  favicon?: string
  /** The address of the site's first page, with a trailing slash. */
  home: string
  tree: NavItem[]
  /** The spaces of the site that readers can choose from, such as versions or languages; one is current. */
  variants: NamedLink[]
  /** Sections of the site, shown as a row under the header. */
  sections?: NamedLink[]
  /** Links of the header and of the footer. */
  links?: NamedLink[]
  footer?: NamedLink[]
  /** The address of a style sheet with the site's colours, which overrides the variables of site.css. */
  theme?: string
  /** The theme before the reader chooses one; `system` follows the device. */
  themeDefault?: 'system' | 'light' | 'dark'
  /** False hides the button for choosing a theme. */
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
      /** The part that stays visible, as a percentage from the top. */
      position: number
      height?: number
    }
    /** ISO-8601. */
    updatedAt?: string
    tags?: string[]
    body: Html
    outline: OutlineItem[]
    /** Assets beyond those of every page. */
    needs?: ReadonlySet<PageNeed>
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
    /** The title of the tab and of search results, usually `page – site`. */
    title: string
    description?: string
    canonical?: string
    /** For example `noindex, nofollow`. */
    robots?: string
    /** The absolute address of the image for link previews. */
    image?: string
    /** The same page in other languages. */
    alternates?: { language: string; href: string }[]
    updatedAt?: string
  }
}
