/** Toasts that confirm an action, with a button to undo it. */
import {
  Button,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
  Text,
} from 'react-aria-components'
import { t } from '../words/words.ts'

interface Done {
  text: string
  undo?: () => void
}

const queue = new ToastQueue<Done>({ maxVisibleToasts: 2 })
/** The time to read a text and to decide. React Aria stops it while the pointer or the focus is on the toast. */
const SHOWN = 10_000

/** Shows for a few seconds what was done. @param undo takes it back */
export function tellDone(text: string, undo?: () => void): void {
  queue.add({ text, ...(undo ? { undo } : {}) }, { timeout: SHOWN })
}

/** Where the toasts appear. */
export function Toasts() {
  return (
    <ToastRegion queue={queue} className="toasts" aria-label={t('common.what-was-done')}>
      {({ toast }) => (
        <Toast toast={toast} className="toast">
          <ToastContent>
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          {toast.content.undo && (
            <Button
              className="small quiet"
              onPress={() => {
                toast.content.undo?.()
                queue.close(toast.key)
              }}
            >
              {t('common.undo')}
            </Button>
          )}
          <Button slot="close" className="small quiet" aria-label={t('common.close')}>
            ×
          </Button>
        </Toast>
      )}
    </ToastRegion>
  )
}
