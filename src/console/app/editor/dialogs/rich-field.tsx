/** A field for a text with bold words, links and the like: a caption, or the note of an annotation. */
import { history } from 'prosemirror-history'
import { Fragment, Slice } from 'prosemirror-model'
import { type Command, EditorState, Plugin } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { useEffect, useId, useRef, useState } from 'react'
import { Button, Toolbar as Tools } from 'react-aria-components'
import { isBlankLine } from '../../../../core/document/build.ts'
import type { Block, ContentRef } from '../../../../core/document/model.ts'
import { t } from '../../words/words.ts'
import { clipboardProps } from '../commands/clipboard.ts'
import { blockOf, docOf } from '../../content/schema/convert.ts'
import { keyPlugins, lineKeys } from '../commands/keys.ts'
import { type PickContext, TargetField } from './pick-fields.tsx'
import { schema } from '../../content/schema/schema.ts'
import { linkAt, setLink } from '../commands/set-link.ts'
import { MarkTools } from '../toolbar.tsx'

export function RichField({
  label,
  blocks,
  isOneLine = false,
  autoFocus = false,
  context,
  onChange,
}: {
  label: string
  /** The text at first. */
  blocks: readonly Block[]
  /** Whether the text is one paragraph, in which Enter submits the form. */
  isOneLine?: boolean
  autoFocus?: boolean
  context: PickContext
  /** Called with the text after each change; null for none. */
  onChange: (blocks: Block[] | null) => void
}) {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView>()
  const [, setDrawn] = useState(0)
  const [isLinking, setLinking] = useState(false)
  useEffect(() => {
    if (!place.current) return undefined
    const openLink: Command = () => {
      setLinking(true)
      return true
    }
    const made: EditorView = new EditorView(place.current, {
      state: EditorState.create({
        doc: docOf(blocks),
        plugins: [...(isOneLine ? [oneLine, ...lineKeys(openLink)] : keyPlugins(openLink)), history()],
      }),
      attributes: {
        class: 'prose rich-text',
        dir: 'auto',
        role: 'textbox',
        'aria-multiline': String(!isOneLine),
        'aria-labelledby': id,
      },
      // A caption and a note hold no files.
      ...clipboardProps(() => undefined),
      dispatchTransaction(tr) {
        const { state: next, transactions } = made.state.applyTransaction(tr)
        made.updateState(next)
        setDrawn((count) => count + 1)
        if (!transactions.some(({ docChanged }) => docChanged)) return
        const written = next.doc.children.map(blockOf)
        onChange(written.every((one) => isBlankLine(one)) ? null : written)
      },
    })
    setView(made)
    if (autoFocus) made.focus()
    return () => made.destroy()
    // One view for as long as the dialog is open.
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [])
  return (
    <div className="field rich-field">
      <span id={id} className="label" onClick={() => view?.focus()}>
        {label}
      </span>
      {view && (
        <Tools aria-label={label} className="tools">
          <MarkTools view={view} onLink={() => setLinking(true)} />
        </Tools>
      )}
      <div ref={place} />
      {view && isLinking && (
        <LinkTarget
          view={view}
          context={context}
          onClose={() => {
            setLinking(false)
            view.focus()
          }}
        />
      )}
    </div>
  )
}

/** Asks for the target of a link in the field. */
function LinkTarget({
  view,
  context,
  onClose,
}: {
  view: EditorView
  context: PickContext
  onClose: () => void
}) {
  const [ref, setRef] = useState<ContentRef>()
  const isLink = ref !== undefined && ref.kind !== 'user'
  const set = () => {
    if (!isLink) return
    setLink(view, ref, ref.kind === 'url' ? ref.url : t('block.link'))
    onClose()
  }
  return (
    <div
      className="link-target"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        // The form of the dialog is not finished.
        event.preventDefault()
        set()
      }}
    >
      <TargetField
        label={t('common.page-address')}
        value={ref}
        onChange={setRef}
        context={context}
        isRequired={false}
        autoFocus
      />
      <Button className="button" isDisabled={!isLink} onPress={set}>
        {t('block.link')}
      </Button>
      {linkAt(view) && (
        <Button
          className="button"
          onPress={() => {
            setLink(view, undefined, '')
            onClose()
          }}
        >
          {t('editor.remove-the-link')}
        </Button>
      )}
    </div>
  )
}

/** Keeps a text one paragraph: what is pasted is put into it, and nothing makes a heading or a list of it. */
const oneLine: Plugin = new Plugin({
  filterTransaction: ({ doc }) => doc.childCount === 1 && doc.firstChild?.type === schema.nodes.paragraph,
  props: {
    handleKeyDown(view, event) {
      if (event.key !== 'Enter' || event.isComposing) return false
      view.dom.closest('form')?.requestSubmit()
      return true
    },
    transformPasted({ content, openStart, openEnd }) {
      const only = content.firstChild
      if (content.childCount === 1 && only?.type === schema.nodes.paragraph)
        return new Slice(content, openStart, openEnd)
      const text = content.textBetween(0, content.size, ' ')
      return new Slice(text === '' ? Fragment.empty : Fragment.from(schema.text(text)), 0, 0)
    },
  },
})
