/** The completion in a field for text, such as that of a comment. */
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { CompletionList } from './completion-list.tsx'
import type { Completion, Completed, CompletionPlace } from './completions.ts'
import { CompletionLookup } from './lookup.ts'
import { OpenCompletion } from './open-completion.ts'
import { placeInField } from './caret-place.ts'
import { type Trigger, triggerAtEnd } from './trigger.ts'

interface FieldProps {
  field: HTMLTextAreaElement
  place: CompletionPlace
  /** The text is shown as it is written, and not as Markdown. */
  isPlain: boolean
  /** Called before a mention is inserted. */
  onMention: (name: string, user: string) => void
}

/** Offers what fits the sign before the caret of a field. */
export function FieldCompletion({ field, place, isPlain, onMention }: FieldProps) {
  const [open] = useState(() => new OpenCompletion((onFound) => new CompletionLookup(place, onFound)))
  const choose = ({ completed }: Completion) => {
    const trigger = triggerIn(field)
    const text = textFor(completed, isPlain)
    if (!trigger || text === undefined) return
    if (completed.is === 'mention' && completed.ref.kind === 'user')
      onMention(completed.name, completed.ref.user)
    const end = field.selectionEnd
    open.dismiss(end - trigger.length)
    field.setSelectionRange(end - trigger.length, end)
    // Deprecated, but nothing else inserts a text that the browser's own undo takes back.
    document.execCommand('insertText', false, text)
  }
  useEffect(() => {
    const follow = (isTyped: boolean) => {
      const trigger = triggerIn(field)
      open.follow(trigger && { trigger, from: field.selectionEnd - trigger.length }, {
        isTyped,
        fits: ({ completed }) => textFor(completed, isPlain) !== undefined,
      })
    }
    const onInput = (event: Event) => follow(!(event as InputEvent).inputType.startsWith('history'))
    const onMoved = () => document.activeElement === field && follow(false)
    const onKey = (event: KeyboardEvent) => {
      // An input method takes the keys while it composes; 229 is what browsers report then.
      if (event.isComposing || event.keyCode === 229 || !open.takeKey(event, choose)) return
      event.preventDefault()
      // Escape would close the dialog around the field too.
      event.stopPropagation()
    }
    const onBlur = () => open.close()
    field.addEventListener('input', onInput)
    field.addEventListener('keydown', onKey)
    field.addEventListener('blur', onBlur)
    document.addEventListener('selectionchange', onMoved)
    return () => {
      field.removeEventListener('input', onInput)
      field.removeEventListener('keydown', onKey)
      field.removeEventListener('blur', onBlur)
      document.removeEventListener('selectionchange', onMoved)
      open.close()
    }
    // The functions above depend on the same values.
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [field, open, isPlain])
  // In the label of the field, the list would be a part of the name of the field.
  return createPortal(
    <CompletionList
      open={open}
      field={field}
      placeOf={(from) => placeInField(field, from)}
      onChoose={choose}
    />,
    field.closest('[role=dialog], #main') ?? document.body,
  )
}

/** The sign before the caret of a field; there is none in a fenced block of code. */
function triggerIn({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Trigger | undefined {
  if (selectionStart !== selectionEnd) return undefined
  const before = value.slice(0, selectionEnd)
  const fences = before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0
  return fences % 2 === 0 ? triggerAtEnd(before.slice(before.lastIndexOf('\n') + 1)) : undefined
}

/** What is inserted into a field; undefined for what such a text cannot have. */
function textFor(completed: Completed, isPlain: boolean): string | undefined {
  switch (completed.is) {
    case 'text':
      return completed.text
    case 'emoji':
      return completed.emoji
    case 'mention':
      if (isPlain) return undefined
      return completed.ref.kind === 'user' ? `@${completed.name}` : linkText(completed)
    case 'link':
      return isPlain ? completed.title : linkText(completed)
    default:
      return undefined
  }
}

/** A link in Markdown that leads there from every place where the text is shown. */
function linkText(completed: Extract<Completed, { is: 'link' | 'mention' }>): string | undefined {
  const title = completed.is === 'link' ? completed.title : completed.name
  return completed.address && `[${title.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${completed.address})`
}
