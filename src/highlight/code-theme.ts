/** The colours of code in the themes of Shiki (https://shiki.style/themes), by the kinds of tokens. */
import { createRequire } from 'node:module'
import type { TokenKind } from '../core/document/html/renderer.ts'
import { lru } from '../core/data/lru.ts'

/** The colours of code in a theme, as `#rrggbb`. A kind of token without a colour of its own has that of the text. */
export interface CodeColors {
  background: string
  text: string
  tokens: Partial<Record<TokenKind, string>>
}

interface Theme {
  colors?: Record<string, string>
  tokenColors?: readonly Rule[]
  settings?: readonly Rule[]
  type: 'light' | 'dark'
}
interface Rule {
  scope?: string | readonly string[]
  settings?: { foreground?: string }
}

/** The scopes of the token kinds, the most telling first. */
const SCOPES: Record<Exclude<TokenKind, 'emphasis' | 'strong'>, readonly string[]> = {
  comment: ['comment.line', 'comment'],
  keyword: ['keyword.control', 'keyword', 'storage.type', 'storage'],
  string: ['string.quoted.double', 'string.quoted', 'string'],
  constant: ['constant.numeric', 'constant.language', 'constant'],
  function: ['entity.name.function', 'support.function'],
  type: ['entity.name.type.class', 'entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
  variable: ['variable.parameter', 'variable.other.readwrite', 'variable'],
  property: [
    'support.type.property-name.json',
    'support.type.property-name',
    'variable.other.property',
    'entity.other.attribute-name',
  ],
  tag: ['entity.name.tag'],
  inserted: ['markup.inserted'],
  deleted: ['markup.deleted'],
  heading: ['markup.heading', 'entity.name.section'],
}

const fromShiki = createRequire(import.meta.resolve('shiki'))
const known = lru<{ colors: CodeColors | undefined }>(256 * 1024)

/** The colours of a theme of Shiki; undefined for another name. */
export function codeColorsOf(name: string): CodeColors | undefined {
  const cached = known.get(name)
  if (cached) return cached.colors
  const colors = readTheme(name)
  known.set(name, { colors }, 1000)
  return colors
}

function readTheme(name: string): CodeColors | undefined {
  const { bundledThemes } = fromShiki('shiki/themes') as { bundledThemes: Record<string, unknown> }
  if (!Object.hasOwn(bundledThemes, name)) return undefined
  const theme = (fromShiki(`@shikijs/themes/${name}`) as { default: Theme }).default
  const isDark = theme.type === 'dark'
  const text = opaque(theme.colors?.['editor.foreground']) ?? (isDark ? '#e0e0e0' : '#24292e')
  const background = opaque(theme.colors?.['editor.background']) ?? (isDark ? '#1e1e1e' : '#ffffff')
  const rules = colorsByScope(theme.tokenColors ?? theme.settings ?? [])
  const tokens = Object.fromEntries(
    Object.entries(SCOPES).flatMap(([kind, scopes]) => {
      const color = scopes.map((scope) => colorOfScope(rules, scope)).find((one) => one !== undefined)
      return color === undefined ? [] : [[kind, color]]
    }),
  )
  return { background, text, tokens }
}

/** The colours of rules for one scope. A later rule wins; rules for scopes within others do not count. */
function colorsByScope(rules: readonly Rule[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const { scope = [], settings } of rules) {
    const color = opaque(settings?.foreground)
    const scopes = typeof scope === 'string' ? scope.split(',') : scope
    if (color !== undefined) for (const one of scopes) found.set(one.trim(), color)
  }
  return found
}

/** The colour of a scope or of the closest one above it, as grammars name them. */
function colorOfScope(rules: ReadonlyMap<string, string>, scope: string): string | undefined {
  const words = scope.split('.')
  for (let length = words.length; length > 0; length--) {
    const color = rules.get(words.slice(0, length).join('.'))
    if (color !== undefined) return color
  }
  return undefined
}

/** A colour without its transparency. */
function opaque(color: string | undefined): string | undefined {
  return /^#(?:[\da-f]{3}|[\da-f]{6})(?=$|[\da-f]{1,2}$)/i.exec(color ?? '')?.[0].toLowerCase()
}
