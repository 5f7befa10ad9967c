import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

/** A dialog that is open for as long as it is shown. */
export function OpenDialog({
  title,
  describedBy,
  onClose,
  children,
}: {
  title: string
  /** The id of the text that screen readers read after the title. */
  describedBy?: string
  onClose?: () => void
  children: ReactNode
}) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose?.()
      }}
    >
      <Modal className="modal">
        <Dialog className="dialog" aria-describedby={describedBy}>
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
