/** The features of every editor of blocks: that of a page, and that of a part of a page. */
import { gapCursor } from 'prosemirror-gapcursor'
import { history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import type { Plugin } from 'prosemirror-state'
import { tableEditing } from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { t } from '../words/words.ts'
import { caretInText } from './caret/caret.ts'
import { cellSelection } from './caret/cell-selection.ts'
import { emptyLine, emptyParts } from './caret/empty-line.ts'
import { codeColors } from '../content/views/code-color-state.ts'
import { folds } from '../content/views/parts/folds.ts'
import { openTabs } from '../content/views/parts/open-tabs.ts'
import { chooseFiles } from './commands/files.ts'
import type { Insert } from './commands/insert-list.ts'
import { keyPlugins } from './commands/keys.ts'
import { markdownPaste } from './paste/markdown.ts'
import type { Question } from '../content/views/questions.ts'
import { settingsKeys } from './caret/settings-keys.ts'
import { lineBelow } from './caret/line-below.ts'
import { toControls } from './caret/to-controls.ts'
import { slashPlugin } from './slash-menu.tsx'
import { uploadPlaces } from './commands/upload-places.ts'

/** The keys, menus and ways to paste by which one writes blocks. @param ask opens a dialog */
export function writingPlugins(spaceId: string, ask: (question: Question) => void): Plugin[] {
  const openLink = () => {
    ask({ kind: 'link' })
    return true
  }
  return [
    caretInText,
    slashPlugin,
    markdownPaste(spaceId),
    settingsKeys(ask),
    emptyLine(t('editor.write-type-insert-something')),
    emptyParts,
    ...keyPlugins(openLink),
    keymap({ 'Shift-Tab': toControls, ArrowDown: lineBelow }),
    history(),
    gapCursor(),
    cellSelection,
    tableEditing(),
    uploadPlaces,
    codeColors(),
    openTabs({ followsCaret: true }),
    folds(),
  ]
}

/** Inserts what the writer has chosen from a menu. @param upload inserts images of the device */
export function insertChosen(
  view: EditorView,
  { run }: Insert,
  { upload, ask }: { upload: (files: readonly File[]) => void; ask: (question: Question) => void },
): void {
  if (run === 'image') chooseFiles('image/*', upload)
  else if (run === 'template') ask({ kind: 'template' })
  else if (typeof run === 'function') {
    run(view.state, view.dispatch, view)
    view.focus()
  } else ask({ kind: 'settings', node: run })
}
