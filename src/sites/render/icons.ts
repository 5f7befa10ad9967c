import { readdirSync, readFileSync } from 'node:fs'
import { yaml } from '../../core/runtime/libraries.ts'
import { IS_BUILT, type PackagedFile, packagedFile } from '../../core/runtime/packaged-files.ts'
import { type Html, html, raw } from '../../core/text/html.ts'

const PACKAGE = '@fortawesome/fontawesome-free'
const STYLES = ['solid', 'regular', 'brands'] as const
const RENAMED: PackagedFile = [PACKAGE, 'metadata/shims.yml']
type Style = (typeof STYLES)[number]

/** An empty circle: it keeps the place of an icon without claiming a meaning. */
const neutral = (): Html | undefined => draw('circle', ['regular'])

/** The box and the outline of an icon. */
type Drawing = readonly [viewBox: string, path: string]

/** The files of packages that icons need besides their drawings. */
export const ICON_FILES: readonly PackagedFile[] = [RENAMED]

/** Where a built Lectern has the drawings of all icons: about 2,900 files would occupy 9 MB more on most disks. */
export const ICON_DRAWINGS: PackagedFile = [PACKAGE, 'drawings.json']

/** The drawings of all icons by style and name, such as `solid/rocket`, for `ICON_DRAWINGS`. Works in a clone only. */
export function iconDrawings(): Record<string, Drawing> {
  const names = STYLES.flatMap((style) =>
    readdirSync(packagedFile([PACKAGE, `svgs/${style}/`])).map((file) => `${style}/${file.slice(0, -4)}`),
  )
  return Object.fromEntries(
    names.flatMap((name) => {
      const drawing = drawingIn(name)
      return drawing ? [[name, drawing]] : []
    }),
  )
}

const drawings = new Map<string, Html | undefined>()

/**
 * The drawing of an icon by its Font Awesome name, with or without `fa-` and a style such as `fa-regular` before it, in the
 * spelling of any version since 4.
 * A name that the free set does not have gets the closest icon of the set, or a neutral one. Undefined for an empty name.
 */
export function pageIcon(name: string): Html | undefined {
  const parts = name.toLowerCase().split(/\s+/).filter(Boolean)
  const word = (parts.pop() ?? '').replace(/^fa-/, '')
  if (word === '') return undefined
  if (!/^[a-z0-9-]{1,50}$/.test(word)) return neutral()
  // The last style counts: that of the icon itself, before which the style of the site may stand.
  const isOutline = OUTLINE.test(parts.findLast((part) => STYLE.test(part)) ?? '')
  const key = isOutline ? `regular ${word}` : word
  if (drawings.has(key)) return drawings.get(key)

  const outline = isOutline ? draw(word, OUTLINE_FIRST) : undefined
  const drawing = outline ?? draw(word) ?? drawRenamed(word) ?? drawClosest(word) ?? neutral()
  // Names come from content, so there can be any number of them.
  if (drawings.size < 10_000) drawings.set(key, drawing)
  return drawing
}

/** The words for styles in the names of icons. The free set has outlines of some icons, and only one weight of them. */
const STYLE = /^fa(?:-(?:solid|regular|light|thin|duotone|brands)|[srltdb])$/
const OUTLINE = /^fa(?:-(?:regular|light|thin|duotone)|[rltd])$/
const OUTLINE_FIRST: readonly Style[] = ['regular', 'solid', 'brands']

/** Font Awesome 4 named outlines `…-o`, among others; the package lists what these names became. */
let renamed: Record<string, { name?: string; prefix?: string }> | undefined

function drawRenamed(key: string): Html | undefined {
  renamed ??= yaml().parse(readFileSync(packagedFile(RENAMED), 'utf8')) as NonNullable<typeof renamed>
  if (!Object.hasOwn(renamed, key)) return undefined
  const { name = key, prefix } = renamed[key]!
  return draw(name, prefix === 'far' ? ['regular', ...STYLES] : STYLES)
}

/** Most names outside the free set refine one inside it: `rocket-launch` is a kind of `rocket`. */
function drawClosest(key: string): Html | undefined {
  const words = key.split('-')
  for (let length = words.length - 1; length > 0; length--) {
    // The icon without its negation would mean the opposite.
    if (/^(?:slash|xmark|ban)$/.test(words[length]!)) return undefined
    const drawing = draw(words.slice(0, length).join('-'))
    if (drawing) return drawing
  }
  return undefined
}

function draw(name: string, styles: readonly Style[] = STYLES): Html | undefined {
  for (const style of styles) {
    const drawing = IS_BUILT ? builtDrawing(`${style}/${name}`) : drawingIn(`${style}/${name}`)
    if (drawing) {
      const [viewBox, path] = drawing
      return html`<svg class="icon" viewBox="${viewBox}" aria-hidden="true"><path d="${raw(path)}" /></svg>`
    }
  }
  return undefined
}

let built: Record<string, Drawing> | undefined

function builtDrawing(name: string): Drawing | undefined {
  built ??= JSON.parse(readFileSync(packagedFile(ICON_DRAWINGS), 'utf8')) as NonNullable<typeof built>
  return Object.hasOwn(built, name) ? built[name] : undefined
}

/** Reads the drawing of an icon in the package. */
function drawingIn(name: string): Drawing | undefined {
  const source = readIfThere([PACKAGE, `svgs/${name}.svg`])
  const viewBox = source && /viewBox="([\d .-]+)"/.exec(source)?.[1]
  const path = source && /<path[^>]*\bd="([^"]+)"/.exec(source)?.[1]
  return viewBox && path ? [viewBox, path] : undefined
}

function readIfThere(file: PackagedFile): string | undefined {
  try {
    return readFileSync(packagedFile(file), 'utf8')
  } catch {
    return undefined
  }
}
