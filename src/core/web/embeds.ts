/**
 * How pages show the content of other sites in place, by its address. Our sites and the API use this one table, and the
 * editor its names. Nothing here comes from another server.
 */
import { bareHost, type EmbedSite, embedSite } from './embed-sites.ts'

/** Content of a site that is known. */
export interface KnownEmbed {
  /** The name of the site. */
  site: string
  /** The address of a frame that shows the content. */
  frame: string
  /** The height of the frame in CSS pixels; without it, the frame has the shape of a video, 16 to 9. */
  height?: number
  /** The address that describes the content as JSON (oEmbed 1.0); absent if the site has none. */
  oembed?: string
  /** It is a video whose player sets no cookies before the video starts, so that our sites can frame it. */
  isFilm?: true
}

interface Provider {
  /** The frame of an address; undefined if it names no content that can be framed. */
  frame(url: URL): string | undefined
  height?: number
  /** The address of the oEmbed endpoint, which ends where the encoded address of the content follows. */
  oembed?: string
  isFilm?: true
}

const [YOUTUBE, VIMEO] = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'] as const

/** The hosts whose video players a page may frame; the content security policy of pages lists them too. */
export const FILM_HOSTS: readonly string[] = [YOUTUBE, VIMEO]

/** A frame at an address that is made of the parts of a path that a pattern finds. */
const at =
  (pattern: RegExp, make: (first: string, second: string) => string): Provider['frame'] =>
  ({ pathname }) => {
    const found = pattern.exec(pathname)
    return found ? make(found[1] ?? '', found[2] ?? '') : undefined
  }

const PROVIDERS: Record<EmbedSite, Provider> = {
  YouTube: {
    frame({ hostname, pathname, searchParams }) {
      const id =
        bareHost(hostname) === 'youtu.be'
          ? pathname.slice(1)
          : (searchParams.get('v') ?? /^\/(?:embed|shorts|live)\/([^/]+)/.exec(pathname)?.[1])
      return id && /^[\w-]{6,20}$/.test(id) ? `${YOUTUBE}/embed/${id}` : undefined
    },
    oembed: 'https://www.youtube.com/oembed?format=json&url=',
    isFilm: true,
  },
  Vimeo: {
    frame: at(/^\/(?:video\/)?(\d{5,12})/, (id) => `${VIMEO}/video/${id}?dnt=1`),
    oembed: 'https://vimeo.com/api/oembed.json?url=',
    isFilm: true,
  },
  Loom: {
    frame: at(/^\/(?:share|embed)\/([0-9a-f]{32})$/, (id) => `https://www.loom.com/embed/${id}`),
    oembed: 'https://www.loom.com/v1/oembed?url=',
  },
  Figma: {
    frame: ({ href, pathname }) =>
      /^\/(?:file|proto|board|design|slides|deck)\/[\w-]{8,64}(?:\/|$)/.test(pathname)
        ? `https://www.figma.com/embed?embed_host=share&url=${encodeURIComponent(href)}`
        : undefined,
    height: 450,
    oembed: 'https://www.figma.com/api/oembed?url=',
  },
  CodePen: {
    frame: at(
      /^\/([\w-]{1,64})\/(?:pen|embed|full|details)\/([A-Za-z0-9]{4,40})\/?$/,
      (user, pen) => `https://codepen.io/${user}/embed/${pen}?default-tab=result`,
    ),
    height: 450,
    oembed: 'https://codepen.io/api/oembed?format=json&url=',
  },
  CodeSandbox: {
    frame: at(/^\/(?:s|embed)\/([\w-]{4,100})\/?$/, (id) => `https://codesandbox.io/embed/${id}`),
    height: 500,
    oembed: 'https://codesandbox.io/oembed?format=json&url=',
  },
  Spotify: {
    frame: at(
      /^\/(?:intl-[a-z]{2}\/)?(?:embed\/)?(track|album|playlist|artist|episode|show)\/([A-Za-z0-9]{22})$/,
      (type, id) => `https://open.spotify.com/embed/${type}/${id}`,
    ),
    height: 352,
    oembed: 'https://open.spotify.com/oembed?url=',
  },
  'GitHub Gist': {
    frame: at(
      /^\/([\w-]{1,39})\/([0-9a-f]{20,32})\/?$/,
      (user, id) => `https://gist.github.com/${user}/${id}.pibb`,
    ),
    height: 450,
  },
}

/** What is known of the content at an address; undefined for other addresses. */
export function knownEmbed(address: string): KnownEmbed | undefined {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const site = embedSite(address)
  if (site === undefined) return undefined
  const provider = PROVIDERS[site]
  const { height, oembed, isFilm } = provider
  const frame = provider.frame(url)
  if (frame === undefined) return undefined
  return {
    site,
    frame,
    ...(height === undefined ? {} : { height }),
    ...(oembed === undefined ? {} : { oembed: oembed + encodeURIComponent(url.href) }),
    ...(isFilm ? { isFilm } : {}),
  }
}
