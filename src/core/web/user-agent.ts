/** The facts about a visitor in a `User-Agent` header, as a few values that many visitors share. */
export interface UserAgent {
  device: 'desktop' | 'tablet' | 'mobile' | 'unknown'
  browser: 'chrome' | 'firefox' | 'safari' | 'edge' | 'ie' | 'opera' | 'unknown'
  os: 'windows' | 'macos' | 'linux' | 'android' | 'ios' | 'unknown'
  /** Absent for a person. */
  bot?: string
}

/** Longer headers are cut: no browser sends one. */
const LONGEST = 512

// In this order: browsers name those that they are compatible with, too.
const BROWSERS = [
  ['edge', /\bEdg(?:e|A|iOS)?\//],
  ['opera', /\b(?:OPR|Opera)\b/],
  ['firefox', /\b(?:Firefox|FxiOS)\//],
  ['chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['safari', /\bSafari\//],
  ['ie', /\b(?:MSIE |Trident\/)/],
] as const

const SYSTEMS = [
  ['android', /\bAndroid\b/],
  ['ios', /\b(?:iPhone|iPad|iPod)\b/],
  ['windows', /\bWindows\b/],
  ['macos', /\bMac(?:intosh| OS X)/],
  ['linux', /\b(?:Linux|CrOS|X11)\b/],
] as const

const BOTS = [
  ['googlebot', /googlebot/i],
  ['bingbot', /bingbot/i],
  ['duckduckbot', /duckduckbot/i],
  ['facebookbot', /facebookexternalhit|facebookbot/i],
  ['applebot', /applebot/i],
  ['chatgpt', /gptbot|chatgpt|oai-searchbot/i],
  ['anthropic', /claude|anthropic/i],
  ['unknown', /bot\b|crawler|spider|headless|curl\/|wget\//i],
] as const

/** Reads a `User-Agent` header. */
export function readUserAgent(header: string): UserAgent {
  const text = header.slice(0, LONGEST)
  const first = <T extends string>(table: readonly (readonly [T, RegExp])[]) =>
    table.find(([, pattern]) => pattern.test(text))?.[0]
  const os = first(SYSTEMS) ?? 'unknown'
  const bot = first(BOTS)
  return {
    device: deviceOf(text, os),
    browser: first(BROWSERS) ?? 'unknown',
    os,
    ...(bot ? { bot } : {}),
  }
}

function deviceOf(text: string, os: UserAgent['os']): UserAgent['device'] {
  if (/\b(?:iPad|Tablet)\b/.test(text)) return 'tablet'
  if (/\bMobi/.test(text)) return 'mobile'
  if (os === 'android') return 'tablet'
  return os === 'unknown' ? 'unknown' : 'desktop'
}
