import type { Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

/** The levels of the elements of headings. The title of the page is the first level. */
const LEVELS: Readonly<Record<string, number>> = { heading_1: 2, heading_2: 3, heading_3: 4 }

/**
 * Gives screen readers the levels of headings that published pages have, where no level is skipped: the title of a
 * step below a section is one level below it, however small it is shown.
 */
export function headingLevels(): Plugin<DecorationSet> {
  const plugin: Plugin<DecorationSet> = new Plugin<DecorationSet>({
    state: {
      init: (_config, { doc }) => levelsOf(doc),
      apply: (tr, levels) => (tr.docChanged ? levelsOf(tr.doc) : levels),
    },
    props: { decorations: (state) => plugin.getState(state) },
  })
  return plugin
}

function levelsOf(doc: Node): DecorationSet {
  const levels: Decoration[] = []
  let before = 1
  doc.descendants((node, pos) => {
    const level = LEVELS[node.type.name]
    if (level !== undefined) {
      const fitting = Math.min(level, before + 1)
      before = fitting
      if (fitting < level)
        levels.push(Decoration.node(pos, pos + node.nodeSize, { 'aria-level': String(fitting) }))
    }
    return !node.isTextblock
  })
  return DecorationSet.create(doc, levels)
}
