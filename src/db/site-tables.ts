import type { DefaultLevel, Flag, Instant, JsonText } from './columns.ts'

/** The formats of fonts that all browsers load. */
export type FontFormat = 'woff2' | 'woff'

/** `http` is Streamable HTTP; `sse` is the transport that it replaced. */
export type McpTransportName = 'sse' | 'http'

export type SiteVisibility = 'public' | 'unlisted' | 'share-link' | 'visitor-auth'

/** The tables of sites. */
export interface SiteTables {
  site: {
    id: string
    organizationId: string
    type: string
    title: string
    icon: JsonText | null
    basename: string
    hostname: string | null
    visibility: SiteVisibility
    defaultLevel: DefaultLevel
    published: Flag
    proxy: string | null
    adaptiveContent: Flag
    /** Increased by every change of the site, its structure or its settings, so that nothing stale is served. */
    version: number
    createdAt: Instant
    updatedAt: Instant
  }
  siteSectionGroup: {
    id: string
    siteId: string
    /** The group that contains it; null at the top level. */
    parent: string | null
    title: string
    icon: string | null
    /** The fractional index among its siblings, sections and groups (`core/content/tree/order.ts`). */
    position: string
    /** Whether no reader sees it yet. */
    draft: Flag
    createdAt: Instant
  }
  siteSection: {
    id: string
    siteId: string
    groupId: string | null
    title: string
    description: string | null
    /** The segment of the URL, which the default section does not have. Unique in the site. */
    path: string
    isDefault: Flag
    condition: string | null
    icon: string | null
    /** The fractional index among its siblings, sections and groups. */
    position: string
    /** Whether no reader sees it yet. */
    draft: Flag
    createdAt: Instant
  }
  siteExternalLink: {
    id: string
    siteId: string
    /** The group that contains it; null at the top level. */
    groupId: string | null
    title: string
    description: string | null
    icon: string | null
    /** An absolute URL with http or https. */
    url: string
    condition: string | null
    /** The fractional index among its siblings: sections, groups and links. */
    position: string
    /** Whether no reader sees it yet. */
    draft: Flag
    createdAt: Instant
  }
  siteSpace: {
    id: string
    siteId: string
    spaceId: string
    /** Null in a site without sections. */
    sectionId: string | null
    /** The segment of the URL, which the default space does not have. Unique in its section. */
    path: string
    isDefault: Flag
    condition: string | null
    position: string
    /** Whether no reader sees it yet. */
    draft: Flag
    createdAt: Instant
  }
  siteShareLink: {
    id: string
    siteId: string
    name: string
    /** The SHA-256 of the key in hex, by which a visitor's key is found. */
    keyHash: string
    /** The key, encrypted, because the address of the link is shown again. */
    sealedKey: string
    active: Flag
    createdAt: Instant
  }
  /** An MCP server of others that the site names to its readers. */
  siteMcpServer: {
    id: string
    siteId: string
    name: string
    /** An absolute URL with http or https. */
    url: string
    transport: McpTransportName
    /** The names of the headers that a client must send, as a list. */
    headerNames: JsonText
    /** These headers with their values as JSON, encrypted, because they can be credentials; null without headers. */
    sealedHeaders: string | null
    condition: string | null
    createdAt: Instant
  }
  sitePublishingAuth: {
    siteId: string
    backend: 'custom' | 'integration'
    integration: string | null
    /** The key that signs the tokens of visitors, encrypted. */
    sealedKey: string
    fallbackUrl: string | null
    updatedAt: Instant
  }
  siteAdaptiveSchema: { siteId: string; jsonSchema: JsonText; updatedAt: Instant }
  /** The appearance of a site, or what a space of it changes; `siteSpaceId` is empty for the site itself. */
  siteCustomization: { siteId: string; siteSpaceId: string; settings: JsonText; updatedAt: Instant }
  /** A font of an organization, which the look of its sites can have. */
  font: {
    id: string
    organizationId: string
    /** The name of the family in CSS. */
    family: string
    createdAt: Instant
    updatedAt: Instant
  }
  /** The file of a font for one weight. */
  fontFile: {
    fontId: string
    /** From 1 to 1000, as in CSS. */
    weight: number
    /** Of the bytes in the blob store. */
    hash: string
    /** In bytes. */
    size: number
    format: FontFormat
  }
  /** A former path of a section, or of a space of a site: `sectionId` is empty for those at the top of the site. */
  siteOldPath: {
    siteId: string
    sectionId: string
    path: string
    kind: 'site-section' | 'site-space'
    targetId: string
  }
  siteOldBasename: { organizationId: string; basename: string; siteId: string }
  siteRedirect: {
    id: string
    siteId: string
    /** A path such as `/old`, or with a wildcard at its end `/old/*`. */
    source: string
    destination: JsonText
    permanent: Flag
    /** Whether what the wildcard matched is added to the destination. */
    captureWildcard: Flag
    /** Whether no reader sees it yet. */
    draft: Flag
    createdAt: Instant
    updatedAt: Instant
  }
  customHostname: {
    hostname: string
    organizationId: string
    /** The site that it leads to; null for the organization. */
    siteId: string | null
    /** The value of the DNS record that proves whose the host name is. */
    challenge: string
    isActive: Flag
    status: string
    checkedAt: Instant | null
    createdAt: Instant
  }
  /** An address outside this installation in the primary content of a space. */
  externalLink: {
    spaceId: string
    /** The hash of the address. */
    hash: string
    url: string
    /** The result of the last check; null before the first. */
    result: string | null
    /** When the address is checked next. */
    dueAt: Instant
  }
  /** The revision of a space whose external addresses are known. */
  externalLinkScan: { spaceId: string; revisionId: string }
  /** Something that a visitor did on a site. The row names nobody: `visitor` changes every day. */
  insightEvent: {
    id: string
    siteId: string
    type: string
    occurredAt: Instant
    visitor: string
    session: string
    siteSection: string | null
    siteSpace: string | null
    space: string | null
    page: string | null
    path: string | null
    displayContext: 'site' | 'embed'
    language: string | null
    /** The host of the page that led to the site. */
    referrer: string | null
    device: string | null
    browser: string | null
    os: string | null
    /** The fields of the event's own type. */
    details: JsonText
  }
  /** The secret of a day, with which visitors are made unrecognizable; deleted when the day is over. */
  insightSalt: { day: string; salt: string }
}
