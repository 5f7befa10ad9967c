import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { ApiFault } from '../api/api.ts'
import { withNames } from '../words/nameless.ts'
import { prepareAnswers } from '../api/requests.ts'
import { Shell } from './shell.tsx'
import { showSidebar } from '../ui/sidebar-state.ts'
import { showTheme } from '../ui/theme.ts'
import { beginLanguage } from '../words/words.ts'
// oxlint-disable-next-line import/no-unassigned-import
import '../ui/tokens.css'
// oxlint-disable-next-line import/no-unassigned-import
import './styles.css'

showTheme()
showSidebar()
await beginLanguage()
prepareAnswers(withNames)

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The API will refuse a refused request again; a request that it could not carry out may succeed the next time.
      retry: (count, error) =>
        count < 2 && !(error instanceof ApiFault && error.status >= 400 && error.status < 500),
    },
  },
})

const root = document.querySelector('#app')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Router base="/app">
          <Shell />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  )
