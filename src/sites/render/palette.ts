import { contrast, hexOf, inkOn, oklchOf, readableOn } from './colors.ts'

/** The colours that a site chooses, for one of the two modes. */
export interface Chosen {
  primary: string
  /** Colours the neutral surfaces; absent for the neutral ones of all sites. */
  tint?: string | undefined
  /** Whether the page has the colour of the site instead of a neutral one. */
  matching?: boolean
  info: string
  success: string
  warning: string
  danger: string
  /** The header, if it differs from the page. */
  header?: string | undefined
  headerLink?: string | undefined
}

export type Theme = 'clean' | 'muted' | 'bold' | 'gradient'

/** The values of the style sheet's variables, by name without dashes. */
export type Palette = Record<(typeof SHADES)[number], string>

/** The names of the variables of a palette, in the order of the style sheet. */
export const SHADES = [
  'paper',
  'raised',
  'sunken',
  'line',
  'line-strong',
  'ink',
  'ink-soft',
  'ink-faint',
  'accent',
  'accent-wash',
  'on-accent',
  'info',
  'info-wash',
  'success',
  'success-wash',
  'warning',
  'warning-wash',
  'danger',
  'danger-wash',
  'bar',
  'bar-line',
  'bar-ink',
  'bar-soft',
  'bar-raised',
  'bar-button',
  'bar-on-button',
  'glow',
] as const

/** The pairs of text and background that pages show. Each has a contrast of at least 4.5. */
export const TEXT_PAIRS: readonly (readonly [text: keyof Palette, background: keyof Palette])[] = [
  ...(['ink', 'ink-soft', 'ink-faint', 'accent'] as const).flatMap((text) =>
    (['paper', 'raised', 'sunken', 'glow'] as const).map((background) => [text, background] as const),
  ),
  ...(['info', 'success', 'warning', 'danger', 'accent'] as const).flatMap((tone) =>
    ([`${tone}-wash`, 'paper'] as const).map((background) => [tone, background] as const),
  ),
  ...(['info-wash', 'success-wash', 'warning-wash', 'danger-wash', 'accent-wash'] as const).flatMap((wash) =>
    (['ink', 'ink-soft', 'accent'] as const).map((text) => [text, wash] as const),
  ),
  ['on-accent', 'accent'],
  ['bar-on-button', 'bar-button'],
  ...(['bar-ink', 'bar-soft'] as const).flatMap((text) =>
    (['bar', 'bar-raised'] as const).map((background) => [text, background] as const),
  ),
]

/** The lightness of surfaces and texts by mode and theme; the chroma is that of a tint, up to a limit. */
const SURFACES = {
  light: { paper: 0.995, raised: 0.972, sunken: 0.95, line: 0.908, strong: 0.82, wash: 0.955 },
  muted: { paper: 0.965, raised: 0.985, sunken: 0.935, line: 0.885, strong: 0.8, wash: 0.945 },
  dark: { paper: 0.2, raised: 0.235, sunken: 0.275, line: 0.325, strong: 0.41, wash: 0.275 },
  'dark-muted': { paper: 0.235, raised: 0.21, sunken: 0.285, line: 0.34, strong: 0.42, wash: 0.29 },
}
/** The warm grey of all sites. */
const NEUTRAL = '#857a64'

/** All colours of a site in one mode. Whatever is chosen, every pair of `TEXT_PAIRS` can be read. */
export function paletteOf(mode: 'light' | 'dark', theme: Theme, chosen: Chosen): Palette {
  const isDark = mode === 'dark'
  const muted = theme === 'muted'
  const at = SURFACES[isDark ? (muted ? 'dark-muted' : 'dark') : muted ? 'muted' : 'light']
  const { matching = false } = chosen
  const tint = oklchOf(chosen.tint ?? (matching ? chosen.primary : NEUTRAL))
  const strength = chosen.tint === undefined && !matching ? 0.25 : 1
  const surface = (l: number, most: number) => {
    const limit = most * (isDark ? 1.6 : 1) * (matching ? 3 : 1)
    return hexOf({ l: matching && !isDark ? l - 0.02 : l, c: Math.min(tint.c, limit) * strength, h: tint.h })
  }
  const washOf = (color: string) => {
    const { c, h } = oklchOf(color)
    return hexOf({ l: at.wash, c: Math.min(c, isDark ? 0.05 : 0.025), h })
  }

  const [paper, raised, sunken] = [
    surface(at.paper, 0.006),
    surface(at.raised, 0.014),
    surface(at.sunken, 0.02),
  ]
  const tones = { info: chosen.info, success: chosen.success, warning: chosen.warning, danger: chosen.danger }
  const washes = Object.fromEntries(
    Object.entries({ ...tones, accent: chosen.primary }).map(([name, color]) => [
      `${name}-wash`,
      washOf(color),
    ]),
  ) as Pick<Palette, `${keyof typeof tones | 'accent'}-wash`>
  const glow = theme === 'gradient' ? washes['accent-wash'] : paper
  const grounds = [paper, raised, sunken, glow, ...Object.values(washes)]
  const accent = readableOn(chosen.primary, grounds)
  const bar = barOf(theme, chosen, { paper, accent })
  return {
    paper,
    raised,
    sunken,
    line: surface(at.line, 0.03),
    'line-strong': surface(at.strong, 0.04),
    ink: readableOn(surface(isDark ? 0.92 : 0.24, 0.02), grounds, 7),
    'ink-soft': readableOn(surface(isDark ? 0.8 : 0.38, 0.03), grounds),
    'ink-faint': readableOn(surface(isDark ? 0.69 : 0.5, 0.03), grounds),
    accent,
    'on-accent': inkOn(accent),
    ...washes,
    info: readableOn(tones.info, [paper, washes['info-wash']]),
    success: readableOn(tones.success, [paper, washes['success-wash']]),
    warning: readableOn(tones.warning, [paper, washes['warning-wash']]),
    danger: readableOn(tones.danger, [paper, washes['danger-wash']]),
    ...bar,
    glow,
  }

  /** The header: as the page, or in a colour of its own. */
  function barOf(
    of: Theme,
    { primary, header, headerLink }: Chosen,
    page: { paper: string; accent: string },
  ) {
    const color = header ?? (of === 'bold' ? primary : undefined)
    if (color === undefined) {
      const soft = readableOn(surface(isDark ? 0.8 : 0.38, 0.03), [page.paper, raised, sunken])
      return {
        bar: page.paper,
        'bar-line': surface(at.line, 0.03),
        'bar-ink': readableOn(surface(isDark ? 0.92 : 0.24, 0.02), [page.paper, raised, sunken], 7),
        'bar-soft': headerLink ? readableOn(headerLink, [page.paper, sunken]) : soft,
        'bar-raised': sunken,
        'bar-button': page.accent,
        'bar-on-button': inkOn(page.accent),
      }
    }
    const ink = inkOn(color)
    const { l, c, h } = oklchOf(color)
    // The surface of a control under the pointer keeps the contrast if it moves away from the ink.
    const barRaised = hexOf({ l: ink === '#ffffff' ? Math.max(l - 0.06, 0) : Math.min(l + 0.05, 1), c, h })
    const safe = contrast(ink, barRaised) >= contrast(ink, color) ? barRaised : color
    return {
      bar: color,
      'bar-line': color,
      'bar-ink': ink,
      'bar-soft': headerLink ? readableOn(headerLink, [color, safe]) : ink,
      'bar-raised': safe,
      'bar-button': ink,
      'bar-on-button': color,
    }
  }
}
