import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { Failure, Loading } from '../../ui/parts.tsx'
import { Faces, useHere } from '../together/here.tsx'
import { forPeople } from '../../words/refusals.ts'
import { t } from '../../words/words.ts'
import { ConflictNotice } from '../saving/conflict-notice.tsx'
import { ModeSwitch, SaveLine } from '../saving/mode-switch.tsx'
import { changeRequestOf, type PagePlace } from '../../api/page-place.ts'
import type { SaveState } from '../saving/session-machine.ts'
import { showSource } from './code-mirror.ts'
import { SourceProblems } from './problems.tsx'
import { type OpenedSource, openSource, SourceSession } from './source-session.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './source.css'

interface SourceProps {
  place: PagePlace
  mayEdit: boolean
  onSaved: () => void
  onDone: () => void
  /** Called when the writer discards the change request, after everything is saved. */
  onDiscard?: (() => void) | undefined
  /** Called to write in the text again. */
  onText: () => void
}

/** The Markdown of a page, as it is stored. */
export function SourceEditor(props: SourceProps) {
  const { place } = props
  const [opened, setOpened] = useState<OpenedSource>()
  const [error, setError] = useState<Error>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    setError(undefined)
    openSource(place).then(setOpened, setError)
    // The source is read once: from then on, the session knows the newest revision.
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [tries])
  if (error) {
    const retry = () => setTries((count) => count + 1)
    return <Failure title={t('source.source-cannot-shown')} error={error} retry={retry} />
  }
  return opened ? <Writing {...props} opened={opened} /> : <Loading />
}

function Writing({
  place,
  mayEdit,
  opened,
  onSaved,
  onDone,
  onDiscard,
  onText,
}: SourceProps & { opened: OpenedSource }) {
  const element = useRef<HTMLDivElement>(null)
  const session = useRef<SourceSession>(null)
  const goTo = useRef<(line: number) => void>(null)
  const [state, setState] = useState<SaveState>({ is: 'saved' })
  const [source, setSource] = useState(opened.source)
  const others = useHere(changeRequestOf(place), { state: mayEdit ? 'editing' : 'viewing', page: place.page })

  useEffect(() => {
    if (!element.current) return undefined
    const { view, shown, showLine } = showSource({
      parent: element.current,
      source: opened.source,
      isReadOnly: !mayEdit,
      onChange: () => session.current?.changed(),
    })
    goTo.current = showLine
    if (!mayEdit) return () => view.destroy()
    const writing = new SourceSession(place, shown, opened.saved, (now) => {
      setState(now)
      if (now.is !== 'saved') return
      setSource(shown.source())
      onSaved()
    })
    session.current = writing
    view.focus()
    return () => {
      writing.close()
      view.destroy()
    }
    // One view for as long as the source is open.
    // oxlint-disable-next-line eslint-plugin-react-hooks/exhaustive-deps
  }, [opened])

  return (
    <div className="page-editor">
      <div className="editor-top">
        <div className="editing-bar">
          {mayEdit ? (
            <>
              <ModeSwitch
                mode="source"
                state={state}
                save={() => session.current?.save()}
                onSwitch={onText}
              />
              <SaveLine state={state} />
            </>
          ) : (
            <p className="save-state">{t('source.may-read-page-but')}</p>
          )}
          <Faces people={others} page={place.page} />
          {onDiscard && (
            <Button
              className="small quiet"
              onPress={() => void session.current?.save().then((isSaved) => isSaved && onDiscard())}
            >
              {t('editor.discard-draft')}
            </Button>
          )}
          <Button
            className="button main"
            onPress={() => (session.current ? void session.current.save().finally(onDone) : onDone())}
          >
            {t('common.done')}
          </Button>
        </div>
      </div>
      {state.is === 'refused' && state.error && (
        <p className="refusal" role="alert">
          {forPeople(state.error)}
        </p>
      )}
      {state.is === 'conflict' && (
        <ConflictNotice
          conflicts={state.conflicts ?? []}
          onChoose={async (choice) => session.current?.settle(choice)}
        />
      )}
      <SourceProblems spaceId={place.spaceId} source={source} goTo={(line) => goTo.current?.(line)} />
      <div ref={element} className="source-of-page" />
    </div>
  )
}
