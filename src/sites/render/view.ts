import type { OutlineItem, PageNeed } from '../../core/document/html/renderer.ts'
import type { Html } from '../../core/text/html.ts'

/** An image, with a version for the dark theme. Browsers can load both addresses. */
export interface Picture {
  src: string
  dark?: string
  alt?: string
}

/**
 * An entry of the page tree. A group has no page; a link can lead to another site. A large tree leaves out the entries
 * of folded branches, and the earlier and later entries of long levels.
 */
export interface NavItem {
  title: string
  kind: 'document' | 'group' | 'link' | 'earlier' | 'later'
  href?: string
  icon?: string
  /** Hexadecimal code points, as in the API. */
  emoji?: string
  children?: NavItem[]
  /** The address of the entries that are left out here. */
  level?: string
  /** The entry is the current page. */
  current?: boolean
  /** The entry's children are shown, for example because the current page is among them. */
  expanded?: boolean
  /** The link leads to another site. */
  external?: boolean
  /** The link opens in a new window. */
  newWindow?: boolean
}

/** A link with a name: a breadcrumb, a neighbour, a variant, a link of the header or footer. */
export interface NamedLink {
  title: string
  href?: string
  icon?: string
  emoji?: string
  current?: boolean
  external?: boolean
  newWindow?: boolean
  /** False for a link that search engines should not follow. */
  follow?: boolean
}

/** A link or button of the header, or a menu of links. */
export interface HeaderItem extends NamedLink {
  button?: 'primary' | 'secondary'
  links?: NamedLink[] | undefined
}

/** The message above every page. */
export interface Announcement {
  message: string
  style: 'info' | 'warning' | 'danger' | 'success'
  link?: NamedLink
}

/** The content of the footer of every page. */
export interface SiteFooter {
  logo?: Picture
  groups?: { title: string; links: NamedLink[] }[]
  copyright?: string
  /** The address of the privacy policy. */
  privacyPolicy?: string
  /** Whether the footer names the program that publishes the site. */
  trademark?: boolean
}

/** A section of a site, or a group of them. */
export interface SectionTab extends NamedLink {
  description?: string | undefined
  /** The sections and groups in a group. */
  children?: SectionTab[]
}

/** The parts that all pages of a site share, error pages included. */
export interface SiteView {
  /** The language of the interface and the content, as a language tag (BCP 47). */
  language: string
  title: string
  icon?: string
  emoji?: string
  /** Set if the page is a preview: what it previews, and the address that ends it. */
  preview?: { title: string; leaveHref: string }
  /** Replaces the icon and the title in the header. */
  logo?: Picture
  /** Addresses for the light and the dark mode of the browser. */
  favicon?: Picture
  /** The address of the search of the site; absent for error pages without a site. */
  search?: string
  /** The address of the list of the search box, if it is another one; the box adds the query to it. */
  searchList?: string
  /** The address of the site's first page, with a trailing slash. */
  home: string
  /** The path of the assets of all sites, if it is not the usual one. */
  assets?: string
  tree: NavItem[]
  /** The spaces of the site that readers can choose from, such as versions or languages; one is current. */
  variants: NamedLink[]
  /** Sections of the site, shown as a row under the header. */
  sections?: SectionTab[]
  /** Links of the header. */
  links?: HeaderItem[]
  announcement?: Announcement
  footer?: SiteFooter
  /** The address of a style sheet with the site's colours, which overrides the variables of site.css. */
  theme?: string
  /** The theme before the reader chooses one; `system` follows the device. */
  themeDefault?: 'system' | 'light' | 'dark'
  /** False hides the button for choosing a theme. */
  themeToggle?: boolean
  /** `false` for a page without scripts. */
  hasScripts?: boolean
  /** The address that the script reports what a reader does to; absent for error pages. */
  events?: string
  /** The address that sends the requests that readers try, if their browser cannot. */
  proxy?: string
  /** Words such as `theme-bold` and `corners-straight`, for the choices that `site.css` has rules for. */
  styles?: string[]
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
    coverMask: 'none' | 'radial'
    title: boolean
    description: boolean
    tableOfContents: boolean
    outline: boolean
    pagination: boolean
    metadata: boolean
    tags: boolean
    actions: boolean
    anchors: boolean
  }
  breadcrumbs: NamedLink[]
  previous?: NamedLink
  next?: NamedLink
  /** The same page as Markdown. */
  markdownHref?: string
  /** The actions that the menu of the page offers; absent if there is no menu. */
  actions?: {
    /** The names of the actions in their order, as in the settings of the site. */
    order: readonly string[]
    markdown: boolean
    assistants: boolean
    /** The absolute address of the MCP server of the site. */
    mcp?: string
    /** The MCP servers of others that the site names, with the names of the headers that they need. */
    mcpServers?: readonly { name: string; url: string; headers: readonly string[] }[]
    /** The addresses of the PDF of the page, and of the space. */
    pdf?: { page: string; all: string }
  }
  editHref?: string
  /** Whether readers can rate the page. */
  feedback?: boolean
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
    /** The feed of the page's dated entries. */
    feed?: { title: string; href: string } | undefined
    /** The page in the words of schema.org. */
    structuredData?: object | undefined
    updatedAt?: string
  }
}
