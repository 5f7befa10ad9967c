/** The images of link previews: a PNG for each page that has neither a cover nor an image in the settings. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { PageRecord } from '../../../core/content/revision.ts'
import { resvg } from '../../../core/runtime/libraries.ts'
import { ASSET_CACHE_CONTROL } from '../../assets/assets.ts'
import { type PackagedFile, packagedFile } from '../../../core/runtime/packaged-files.ts'
import { openTypeOf } from '../../assets/woff.ts'
import { previewSvg } from '../../render/preview-image.ts'
import { directionOf } from '../../render/words/choose.ts'
import { languageOfSite, type SiteContent } from '../../../model/sites/published/content/site-content.ts'
import { redirectResponse, type SiteResponse, textResponse } from '../responses.ts'

const PLACE = '~/preview/'
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese']
/** The files of the font. */
export const PREVIEW_FONTS: readonly PackagedFile[] = SCRIPTS.flatMap((script) =>
  ['400', '700'].map(
    (weight) => ['@fontsource/fira-sans', `files/fira-sans-${script}-${weight}-normal.woff`] as const,
  ),
)
/** Characters that the font has; for others, such as Chinese ones, the fonts of the system are searched. */
const COVERED = /^[\s\u0020-\u052f\u1e00-\u1fff\u2000-\u22ff]*$/

function svgOf(content: SiteContent, { title, description }: PageRecord): string {
  const { customization, open } = content
  return previewSvg({
    site: customization.title ?? open.site.title,
    title,
    description,
    primary: customization.styling.primaryColor.light,
    direction: directionOf(languageOfSite(content)),
  })
}

/** The path of the image of a page, which changes with what the image shows. */
export function previewAddress(content: SiteContent, page: PageRecord): string {
  const hash = createHash('sha256').update(svgOf(content, page)).digest('hex').slice(0, 12)
  return `${content.base}${PLACE}${page.id}/${hash}.png`
}

/** Whether a path within a space is that of a preview image. */
export const isPreviewPath = (path: string) => path.startsWith(PLACE)

/** The image at a path within a space. The old address of a page's image redirects to the present one. */
export async function respondWithPreview(content: SiteContent, path: string): Promise<SiteResponse> {
  const [id = ''] = path.slice(PLACE.length).split('/')
  const page = content.tree.get(id)
  if (!page || page.type !== 'document' || !content.shown(page))
    return textResponse(404, 'text/plain; charset=utf-8', 'There is no image at this address.\n')
  const address = previewAddress(content, page)
  if (address !== content.base + path) return redirectResponse(address, false)
  const headers = { 'content-type': 'image/png', 'cache-control': ASSET_CACHE_CONTROL }
  return { status: 200, headers, body: { identity: await draw(svgOf(content, page)) } }
}

let last: Promise<unknown> = Promise.resolve()

/** Draws one image after the other, in a thread of Node’s pool. */
function draw(svg: string): Promise<Buffer> {
  const drawn = last.then(async () => {
    const font = {
      fontFiles: fontFiles(),
      loadSystemFonts: !COVERED.test(svg),
      defaultFontFamily: 'Fira Sans',
    }
    return (await resvg().renderAsync(svg, { font })).asPng()
  })
  last = drawn.catch(() => undefined)
  return drawn
}

let files: string[] | undefined

/** The fonts as OpenType files in a temporary folder, because the library reads neither WOFF nor memory. */
function fontFiles(): string[] {
  if (files) return files
  const folder = mkdtempSync(join(tmpdir(), 'lectern-fonts-'))
  files = PREVIEW_FONTS.map((font) => {
    const file = join(folder, `${basename(font[1], '.woff')}.ttf`)
    writeFileSync(file, openTypeOf(readFileSync(packagedFile(font))))
    return file
  })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return files
}
