/** The sites whose content pages can show in place. The console loads these names alone; `embeds.ts` has what frames need. */

/** The names of the sites by their hosts, without `www.` or `m.`. */
const EMBED_SITES = {
  'youtu.be': 'YouTube',
  'youtube.com': 'YouTube',
  'youtube-nocookie.com': 'YouTube',
  'vimeo.com': 'Vimeo',
  'player.vimeo.com': 'Vimeo',
  'loom.com': 'Loom',
  'figma.com': 'Figma',
  'codepen.io': 'CodePen',
  'codesandbox.io': 'CodeSandbox',
  'open.spotify.com': 'Spotify',
  'gist.github.com': 'GitHub Gist',
} as const

/** The name of a site. */
export type EmbedSite = (typeof EMBED_SITES)[keyof typeof EMBED_SITES]

/** A host name without `www.` or `m.`, as people know it. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^(?:www|m)\./, '')
}

/** The name of the site at an address; undefined for other addresses. */
export function embedSite(address: string): EmbedSite | undefined {
  const host = bareHost(URL.parse(address)?.hostname ?? '')
  return Object.hasOwn(EMBED_SITES, host) ? EMBED_SITES[host as keyof typeof EMBED_SITES] : undefined
}
