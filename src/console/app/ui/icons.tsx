/** The drawings of the free Font Awesome set. The set is large, so it is loaded when an icon is shown. */
import { useQuery } from '@tanstack/react-query'

/** The drawing of an icon. */
export interface IconDrawing {
  path: string
  width: number
  height: number
}

type Drawn = [width: number, height: number, aliases: unknown[], code: string, path: string | string[]]

/** Reads the drawings by their names. Modules are loaded once, so a second call is cheap. */
export async function readIcons(): Promise<ReadonlyMap<string, IconDrawing>> {
  // @ts-expect-error the package has no types for its drawings, which it puts into a global
  await import('@fortawesome/fontawesome-free/js/solid.js')
  const { ___FONT_AWESOME___: drawn } = window as unknown as {
    ___FONT_AWESOME___?: { styles: { fas: Record<string, Drawn> } }
  }
  return new Map(
    Object.entries(drawn?.styles.fas ?? {}).map(([name, [width, height, , , path]]) => [
      name,
      { width, height, path: [path].flat().join(' ') },
    ]),
  )
}

/** The drawings by their names; undefined until they are loaded. @param isNeeded false to load nothing */
export function useIcons(isNeeded = true) {
  return useQuery({ queryKey: ['icons'], queryFn: readIcons, staleTime: Infinity, enabled: isNeeded }).data
}

/** A drawing in the size and colour of the text. */
export function DrawnIcon({ drawing: { width, height, path } }: { drawing: IconDrawing }) {
  return (
    <svg className="icon-drawing" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/**
 * The icon of a page by its name, with or without a style before it, such as `fa-regular`. Until the drawings are loaded, its
 * place is empty, so that the words beside it do not move. Unknown ones show nothing.
 */
export function PageIcon({ name }: { name: string }) {
  const drawings = useIcons()
  if (!drawings) return <DrawnIcon drawing={UNLOADED} />
  const drawing = drawings.get(name.trim().split(/\s+/).at(-1)!.replace(/^fa-/, ''))
  return drawing ? <DrawnIcon drawing={drawing} /> : null
}

const UNLOADED: IconDrawing = { path: '', width: 512, height: 512 }
