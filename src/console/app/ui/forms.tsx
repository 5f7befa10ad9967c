/** Forms and questions, with their buttons and the reason of a refusal. */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, FieldError, Form } from 'react-aria-components'
import { DialogButton, Named, Refusal } from './parts.tsx'
import { t } from '../words/words.ts'

/** The state of the API request that a form sends. */
export interface Sending {
  error: Error | null
  isPending: boolean
  isSuccess: boolean
}

/** A form with its buttons and the reason of a refusal. @param close the button that closes its dialog */
export function EditForm({
  change,
  action,
  onSubmit,
  close,
  unable,
  children,
}: {
  change: Sending
  action: string
  onSubmit: () => void
  close?: () => void
  /** The id of the text that says why it is not possible now. */
  unable?: string | undefined
  children: ReactNode
}) {
  // A change that the user makes after a save is not saved.
  const [isTouched, setTouched] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // After React has read the field: drawn before, the field would have its old value again.
  useEffect(() => {
    form.current?.addEventListener('input', ({ target }) =>
      setTimeout(() => {
        setTouched(true)
        // Otherwise the problem would go when the field loses the focus, and the button under the pointer would move.
        if (target instanceof Element && target.closest('[data-invalid]'))
          target.dispatchEvent(new Event('change', { bubbles: true }))
      }),
    )
  }, [])
  // Two presses of Enter can come before the form shows that it is sent.
  const isSent = useRef(false)
  useEffect(() => {
    if (!change.isPending) isSent.current = false
  })
  return (
    <Form
      ref={form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (isSent.current) return
        isSent.current = true
        setTouched(false)
        onSubmit()
      }}
    >
      {children}
      <Refusal error={change.error} />
      <div className="actions">
        <Button
          type="submit"
          className="button main"
          // A disabled button would lose the focus, which nobody finds again after a refusal.
          data-pending={change.isPending || undefined}
          isDisabled={unable !== undefined}
          aria-describedby={unable}
        >
          {action}
        </Button>
        {close && <CancelButton close={close} />}
        {!close && change.isSuccess && !isTouched && (
          <span role="status" className="saved">
            {t('common.saved')}
          </span>
        )}
      </div>
    </Form>
  )
}

/** Why the browser refuses what a field holds. React Aria hides what the browser would show. */
export function FieldProblem() {
  return (
    <FieldError className="refusal">
      {({ validationDetails: { valueMissing, typeMismatch, customError }, defaultChildren }) =>
        valueMissing && !customError
          ? t('common.fill-field')
          : typeMismatch
            ? t('common.write-full-address-such')
            : defaultChildren
      }
    </FieldError>
  )
}

/** A button with a dialog in which one creates something. */
export function CreateButton<B, T>({
  label,
  name,
  kind = 'button',
  letter,
  create,
  body,
  unable,
  onCreated,
  children,
}: {
  label: string
  /** The subject of the button, for users of screen readers. */
  name?: string
  kind?: string
  /** The key that presses it, such as `C`. */
  letter?: string
  create: Sending & { mutate(body: B, options: { onSuccess: (answer: T) => void }): void }
  /** The object to create, as the body of the request. */
  body: B
  /** The id of the text that says what is missing. */
  unable?: string | undefined
  /** Empties the fields, or shows what was created. */
  onCreated: (answer: T) => void
  /** The fields. */
  children: ReactNode
}) {
  return (
    <DialogButton
      label={name === undefined ? label : <Named name={name}>{label}</Named>}
      title={label}
      kind={kind}
      letter={letter}
    >
      {(close) => (
        <EditForm
          change={create}
          action={t('common.create')}
          close={close}
          unable={unable}
          onSubmit={() =>
            create.mutate(body, {
              onSuccess: (answer) => {
                onCreated(answer)
                close()
              },
            })
          }
        >
          {children}
        </EditForm>
      )}
    </DialogButton>
  )
}

/** A button that asks whether to do something that cannot be taken back with one click. */
export function ConfirmButton({
  label,
  name,
  question,
  text,
  unable,
  change,
  onConfirm,
}: {
  label: string
  /** The subject of the button, for users of screen readers. */
  name?: string
  question: string
  text: string
  /** The id of the text that says why it is not possible now. */
  unable?: string | undefined
  change: Sending
  onConfirm: (close: () => void) => void
}) {
  return (
    <DialogButton
      label={name === undefined ? label : <Named name={name}>{label}</Named>}
      title={question}
      kind="small quiet"
      unable={unable}
    >
      {(close) => (
        <>
          <p>{text}</p>
          <Refusal error={change.error} />
          <div className="actions">
            <Button className="button main" isDisabled={change.isPending} onPress={() => onConfirm(close)}>
              {label}
            </Button>
            <CancelButton close={close} />
          </div>
        </>
      )}
    </DialogButton>
  )
}

/** The button that closes a dialog without a change. */
export function CancelButton({ close, autoFocus = false }: { close: () => void; autoFocus?: boolean }) {
  return (
    <Button className="button" autoFocus={autoFocus} onPress={close}>
      {t('common.cancel')}
    </Button>
  )
}
