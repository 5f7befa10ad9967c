import type { ReactNode } from 'react'
import { Button, Form } from 'react-aria-components'
import { CancelButton } from '../../ui/forms.tsx'
import { t } from '../../words/words.ts'
import { OpenDialog } from '../../ui/open-dialog.tsx'

/** A dialog with fields, and the buttons that save them or leave everything as it was. */
export function SettingsForm({
  title,
  save = t('common.save'),
  isDisabled = false,
  onSave,
  onClose,
  children,
  more,
}: {
  title: string
  /** The text of the button that saves. */
  save?: string
  /** Whether something is missing. */
  isDisabled?: boolean
  onSave: () => void
  onClose: () => void
  children: ReactNode
  /** The elements below the form. */
  more?: ReactNode
}) {
  return (
    <OpenDialog title={title} onClose={onClose}>
      <Form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isDisabled) return
          onSave()
          onClose()
        }}
      >
        {children}
        <div className="actions">
          <Button type="submit" className="button main" isDisabled={isDisabled}>
            {save}
          </Button>
          <CancelButton close={onClose} />
        </div>
      </Form>
      {more}
    </OpenDialog>
  )
}
