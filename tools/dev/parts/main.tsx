/** The page of components at `/app/~parts`: each in its states, in the theme, language and width that the address names. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { FunctionComponent } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nProvider } from 'react-aria-components'
import { Router } from 'wouter'
import { LANGUAGE_COOKIE, languageCookie } from '../../../src/core/languages/page-languages.ts'
import { forgetLanguage, keepLanguage } from '../../../src/console/app/words/words.ts'
// oxlint-disable-next-line import/no-unassigned-import
import '../../../src/console/app/program/styles.css'
import { answerRequests } from './answers.ts'
import { Content } from './content.tsx'
import { Diffs } from './diff.tsx'
import { Fields } from './fields.tsx'
import { Forms } from './forms.tsx'
import { Lists } from './lists.tsx'
import { States } from './states.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import './parts.css'
import { addressOfView, CHOICES, type Family, type View, viewOf } from './view.ts'

const SHOWN: Record<Family, FunctionComponent> = {
  fields: Fields,
  forms: Forms,
  states: States,
  lists: Lists,
  content: Content,
  diff: Diffs,
}

/** The links to the views that differ in one choice. */
function Switches({ view }: { view: View }) {
  return (
    <nav aria-label="Views of this page" className="parts-switches">
      {Object.entries(CHOICES).map(([name, choices]) => (
        <span key={name}>
          {choices.map((choice) => (
            <a
              key={choice}
              href={addressOfView({ ...view, [name]: choice })}
              aria-current={view[name as keyof View] === choice ? 'page' : undefined}
            >
              {choice}
            </a>
          ))}
        </span>
      ))}
    </nav>
  )
}

function Parts({ view }: { view: View }) {
  const Shown = SHOWN[view.show]
  const isFramed = window !== window.parent
  return (
    <>
      {!isFramed && (
        <header className="app-top parts-top">
          <h1>Components</h1>
          <div id="trail" />
          <Switches view={view} />
        </header>
      )}
      <main id="main" tabIndex={-1}>
        {isFramed && <h1 className="unseen">Components</h1>}
        {view.width === 'phone' ? (
          <iframe title="Phone" src={addressOfView({ ...view, width: 'wide' })} className="parts-phone" />
        ) : (
          <div className="screen admin">
            <Shown />
          </div>
        )}
      </main>
    </>
  )
}

/** Speaks a language on this page only. The console keeps the choice of the account in a cookie for all pages. */
async function speak(language: string): Promise<void> {
  const kept = document.cookie.split('; ').find((one) => one.startsWith(`${LANGUAGE_COOKIE}=`))
  await keepLanguage(language)
  if (kept === undefined) forgetLanguage()
  else document.cookie = languageCookie(kept.slice(LANGUAGE_COOKIE.length + 1))
}

const view = viewOf(location.search)
document.title = 'Components · Lectern'
document.documentElement.dataset.theme = view.theme
await speak(view.language)
answerRequests()
const root = document.querySelector('#app')
if (root)
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <I18nProvider locale={view.language}>
        <Router base="/app">
          <Parts view={view} />
        </Router>
      </I18nProvider>
    </QueryClientProvider>,
  )
